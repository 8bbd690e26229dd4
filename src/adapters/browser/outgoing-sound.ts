import { Converter } from "../../audio/convert.ts";
import { decodeLinear16 } from "../../audio/linear16.ts";
import { OpusEncoder } from "../../audio/opus.ts";
import { FRAME_MS } from "../../model/audio.ts";
import type { BrowserOutput } from "../../model/browser-protocol.ts";
import type { Clock, Timer } from "../../ports/clock.ts";
import { BROWSER_FORMAT } from "./browser-format.ts";
import { writeSoundFrame } from "./sound-frame.ts";

/** Where messages to the browser go, in order. */
export type Outlet = Readonly<{ sound(message: Uint8Array): void; mark(name: string): void }>;

/** Turns sound of {@link BROWSER_FORMAT} into binary messages; a mark stays behind the sound that came before it. */
export interface OutgoingSound {
  send(payload: Uint8Array): void;
  mark(name: string): void;
  /** What waits here to fill a packet is dropped. */
  clear(): void;
  close(): void;
}

export const openOutgoing = async (output: BrowserOutput, outlet: Outlet, clock: Clock): Promise<OutgoingSound> => {
  if (output.format === "pcm16") return new OutgoingPcm(output.sampleRate, outlet);
  return new OutgoingOpus(await OpusEncoder.create({ sampleRate: BROWSER_FORMAT.sampleRate }), outlet, clock);
};

class OutgoingPcm implements OutgoingSound {
  readonly #converter: Converter;
  readonly #outlet: Outlet;
  #sequence = 0;
  #timestamp = 0;

  constructor(sampleRate: number, outlet: Outlet) {
    this.#converter = new Converter(BROWSER_FORMAT, { encoding: "linear16", sampleRate });
    this.#outlet = outlet;
  }

  send(sound: Uint8Array): void {
    const payload = this.#converter.convert(sound);
    if (payload.length === 0) return;
    this.#outlet.sound(writeSoundFrame({ sequence: this.#sequence, timestamp: this.#timestamp, payload }));
    this.#sequence += 1;
    this.#timestamp += payload.length / 2;
  }

  mark(name: string): void {
    this.#outlet.mark(name);
  }

  clear(): void {
    // Nothing waits here: the resampler's few milliseconds belong to the next sound as well.
  }

  close(): void {
    this.#converter.close();
  }
}

/** Sound that fills no packet waits this long for the sound behind it, and is then padded with silence; in milliseconds. */
const PAD_AFTER_MS = 2 * FRAME_MS;

/** Opus counts time at 48 kHz whatever it carries (RFC 7587). */
const TICKS_PER_FRAME = 48 * FRAME_MS;

class OutgoingOpus implements OutgoingSound {
  readonly #encoder: OpusEncoder;
  readonly #outlet: Outlet;
  readonly #clock: Clock;
  readonly #frame: Int16Array;
  #filled = 0;
  #marks: string[] = [];
  #padding: Timer | undefined;
  #sequence = 0;

  constructor(encoder: OpusEncoder, outlet: Outlet, clock: Clock) {
    this.#encoder = encoder;
    this.#outlet = outlet;
    this.#clock = clock;
    this.#frame = new Int16Array(encoder.frameLength);
  }

  send(sound: Uint8Array): void {
    let samples = decodeLinear16(sound);
    while (samples.length > 0) {
      const piece = samples.subarray(0, this.#frame.length - this.#filled);
      this.#frame.set(piece, this.#filled);
      this.#filled += piece.length;
      samples = samples.subarray(piece.length);
      if (this.#filled === this.#frame.length) this.#flush();
    }
  }

  mark(name: string): void {
    if (this.#filled === 0) {
      this.#outlet.mark(name);
      return;
    }
    this.#marks.push(name);
    this.#padding ??= this.#clock.setTimer(PAD_AFTER_MS, () => this.#flush());
  }

  clear(): void {
    this.#padding?.cancel();
    this.#padding = undefined;
    this.#filled = 0;
    this.#marks = [];
  }

  close(): void {
    this.clear();
    this.#encoder.close();
  }

  #flush(): void {
    this.#padding?.cancel();
    this.#padding = undefined;
    this.#frame.fill(0, this.#filled);
    this.#filled = 0;
    const payload = this.#encoder.encode(this.#frame);
    const timestamp = this.#sequence * TICKS_PER_FRAME;
    this.#outlet.sound(writeSoundFrame({ sequence: this.#sequence, timestamp, payload }));
    this.#sequence += 1;
    for (const name of this.#marks.splice(0)) this.#outlet.mark(name);
  }
}
