import { Converter } from "../../audio/convert.ts";
import { encodeLinear16 } from "../../audio/linear16.ts";
import { OpusDecoder } from "../../audio/opus.ts";
import type { AudioFrame } from "../../model/audio.ts";
import { bytesOf } from "../../model/audio.ts";
import type { BrowserInput } from "../../model/browser-protocol.ts";
import { BROWSER_FORMAT } from "./browser-format.ts";
import { readSoundFrame, wrappedDistance, type SoundFrame } from "./sound-frame.ts";
import { WebmPackets } from "./webm-packets.ts";

/** Turns what a visitor's microphone sends into frames of {@link BROWSER_FORMAT}; times count from its first sound. */
export interface IncomingSound {
  /** The frames of one binary message; nothing for a message that makes no sense. Throws when the stream is of no use any more. */
  take(message: Uint8Array): readonly AudioFrame[];
  close(): void;
}

export const openIncoming = async (input: BrowserInput): Promise<IncomingSound> => {
  if (input.format === "pcm16") return new IncomingPcm(input.sampleRate);
  const decoder = await OpusDecoder.create(BROWSER_FORMAT.sampleRate);
  return input.format === "opus" ? new IncomingOpus(decoder) : new IncomingWebm(decoder);
};

/** Longest piece of sound in one message, in milliseconds; a page that falls behind may send what it has at once. */
const MOST_MS = 1000;

/** Messages in the order of their numbers, on a timeline that goes on where the 32 bits of their timestamps wrap around. */
class Timeline {
  readonly #ticksPerMs: number;
  #last: SoundFrame | undefined;
  #ticks = 0;

  constructor(ticksPerSecond: number) {
    this.#ticksPerMs = ticksPerSecond / 1000;
  }

  /** When the message's sound begins; `undefined` for one that came before. */
  place(frame: SoundFrame): number | undefined {
    const last = this.#last;
    if (last !== undefined && wrappedDistance(last.sequence, frame.sequence) <= 0) return undefined;
    if (last !== undefined) this.#ticks += wrappedDistance(last.timestamp, frame.timestamp);
    this.#last = frame;
    return this.#ticks / this.#ticksPerMs;
  }
}

class IncomingPcm implements IncomingSound {
  readonly #timeline: Timeline;
  readonly #converter: Converter;
  readonly #mostBytes: number;

  constructor(sampleRate: number) {
    const format = { encoding: "linear16", sampleRate } as const;
    this.#timeline = new Timeline(sampleRate);
    this.#converter = new Converter(format, BROWSER_FORMAT);
    this.#mostBytes = bytesOf(format, MOST_MS);
  }

  take(message: Uint8Array): readonly AudioFrame[] {
    const frame = readSoundFrame(message);
    if (frame === undefined || frame.payload.length % 2 === 1 || frame.payload.length > this.#mostBytes) return [];
    const atMs = this.#timeline.place(frame);
    return atMs === undefined ? [] : [{ payload: this.#converter.convert(frame.payload), atMs }];
  }

  close(): void {
    this.#converter.close();
  }
}

class IncomingOpus implements IncomingSound {
  readonly #timeline = new Timeline(48_000);
  readonly #decoder: OpusDecoder;

  constructor(decoder: OpusDecoder) {
    this.#decoder = decoder;
  }

  take(message: Uint8Array): readonly AudioFrame[] {
    const frame = readSoundFrame(message);
    if (frame === undefined) return [];
    const atMs = this.#timeline.place(frame);
    const samples = atMs === undefined ? undefined : this.#decoder.decode(frame.payload);
    return atMs === undefined || samples === undefined ? [] : [{ payload: encodeLinear16(samples), atMs }];
  }

  close(): void {
    this.#decoder.close();
  }
}

class IncomingWebm implements IncomingSound {
  readonly #packets = new WebmPackets();
  readonly #decoder: OpusDecoder;
  #zeroMs: number | undefined;

  constructor(decoder: OpusDecoder) {
    this.#decoder = decoder;
  }

  take(message: Uint8Array): readonly AudioFrame[] {
    return this.#packets.push(message).flatMap(({ atMs, packet }) => {
      const samples = this.#decoder.decode(packet);
      this.#zeroMs ??= atMs;
      return samples === undefined ? [] : [{ payload: encodeLinear16(samples), atMs: atMs - this.#zeroMs }];
    });
  }

  close(): void {
    this.#decoder.close();
  }
}
