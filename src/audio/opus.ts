import {
  createDecoder,
  createEncoder,
  isOpusError,
  type OpusDecoderHandle,
  type OpusEncoderHandle,
} from "libopus-wasm";
import { FRAME_MS } from "../model/audio.ts";

/** Sample rates that the codec takes and gives; it converts between them by itself. */
export type OpusRate = 8000 | 12_000 | 16_000 | 24_000 | 48_000;

export type OpusEncoderOptions = Readonly<{
  sampleRate: OpusRate;
  /** Bits per second, 6000 to 128 000. */
  bitrate?: number;
  /** Share of packets that the encoder prepares to lose, 0 to 100: the more, the more bits go into the copy of the last frame. */
  expectedLossPercent?: number;
}>;

/** Enough for speech at 24 kHz with its copy of the last frame. */
const BITRATE = 24_000;

/** Below about 5 the encoder leaves the copy out; 10 keeps it at 24 kbit/s. */
const EXPECTED_LOSS_PERCENT = 10;

/** Of 10: above 5, speech at these rates gains nothing that can be heard and the encoder takes twice the time. */
const COMPLEXITY = 5;

/** Longest packet that the codec knows, in milliseconds. */
const MAX_PACKET_MS = 120;

/**
 * One stream of mono sound into Opus packets (RFC 6716) of 20 ms, each with a coarse copy of the frame before it
 * so that a lost packet can be made good from the next one. Holds memory outside the collector's reach: call `close`.
 */
export class OpusEncoder {
  readonly #handle: OpusEncoderHandle;
  /** Samples in a frame. */
  readonly frameLength: number;

  private constructor(handle: OpusEncoderHandle) {
    this.#handle = handle;
    this.frameLength = handle.frameSize;
  }

  static async create(options: OpusEncoderOptions): Promise<OpusEncoder> {
    const handle = await createEncoder({
      sampleRate: options.sampleRate,
      channels: 1,
      application: AUDIO,
      frameSize: (options.sampleRate * FRAME_MS) / 1000,
      bitrate: options.bitrate ?? BITRATE,
      complexity: COMPLEXITY,
      fec: true,
      packetLossPercent: options.expectedLossPercent ?? EXPECTED_LOSS_PERCENT,
    });
    return new OpusEncoder(handle);
  }

  /** How far decoded sound lags behind what went in, in milliseconds: 6.5 with these settings. */
  get delayMs(): number {
    return (this.#handle.getLookahead() / this.#handle.sampleRate) * 1000;
  }

  /** One frame of {@link OpusEncoder.frameLength} samples → one packet. Throws `RangeError` for another length. */
  encode(frame: Int16Array): Uint8Array {
    return this.#handle.encode(frame);
  }

  /** Gives the memory back. Idempotent. */
  close(): void {
    this.#handle.free();
  }
}

/**
 * One stream of two sides into Opus packets of 20 ms, as recordings are kept: without copies against loss, and in the transform coder
 * alone, which codes the loudness of each side by itself, so that nobody is heard on the other's side. Holds memory outside the
 * collector's reach: call `close`.
 */
export class StereoOpusEncoder {
  readonly #handle: OpusEncoderHandle;
  /** Samples of one side in a frame. */
  readonly frameLength: number;

  private constructor(handle: OpusEncoderHandle) {
    this.#handle = handle;
    this.frameLength = handle.frameSize;
  }

  static async create(sampleRate: OpusRate): Promise<StereoOpusEncoder> {
    const handle = await createEncoder({
      sampleRate,
      channels: 2,
      application: LOW_DELAY,
      frameSize: (sampleRate * FRAME_MS) / 1000,
      bitrate: STEREO_BITRATE,
      complexity: COMPLEXITY,
    });
    return new StereoOpusEncoder(handle);
  }

  /** How far decoded sound lags behind what went in, in samples at 48 kHz. */
  get lookahead(): number {
    return Math.round((this.#handle.getLookahead() * 48_000) / this.#handle.sampleRate);
  }

  /** One frame of both sides, interleaved → one packet. Throws `RangeError` for another length. */
  encode(frame: Int16Array): Uint8Array {
    return this.#handle.encode(frame);
  }

  /** Gives the memory back. Idempotent. */
  close(): void {
    this.#handle.free();
  }
}

/** Speech of two sides, of whom mostly one speaks; a sixth of a WAV file at 8 kHz. */
const STEREO_BITRATE = 48_000;

/** The mode that knows only the transform coder. */
const LOW_DELAY = 2051;

/**
 * One stream of Opus packets into mono sound at any of the codec's rates; stereo is mixed down. The decoder is fed in order and told
 * of every gap, since each frame builds upon the last. Holds memory outside the collector's reach: call `close`.
 */
export class OpusDecoder {
  readonly #handle: OpusDecoderHandle;

  private constructor(handle: OpusDecoderHandle) {
    this.#handle = handle;
  }

  static async create(sampleRate: OpusRate): Promise<OpusDecoder> {
    const maxFrameSize = (sampleRate * MAX_PACKET_MS) / 1000;
    return new OpusDecoder(await createDecoder({ sampleRate, channels: 1, maxFrameSize }));
  }

  /** Samples of one packet, 2.5 to 120 ms long; `undefined` for bytes that are no packet, which is then as good as lost. */
  decode(packet: Uint8Array): Int16Array | undefined {
    return packet.length === 0 ? undefined : this.#try(() => this.#handle.decode(packet));
  }

  /**
   * Sound for a lost stretch of `ms`, made up from what came before and fading when the loss goes on; `ms` is a multiple of 2.5
   * up to 120.
   */
  decodeLost(ms = FRAME_MS): Int16Array {
    return this.#handle.decodePacketLoss(this.#samplesOf(ms));
  }

  /**
   * Sound for the `ms` right before `next`, the first packet after a loss: from the copy in it where it holds one, made up
   * otherwise. Feed `next` to {@link OpusDecoder.decode} afterwards.
   */
  decodeFromNext(next: Uint8Array, ms = FRAME_MS): Int16Array {
    const frameSize = this.#samplesOf(ms);
    const recovered =
      next.length === 0 ? undefined : this.#try(() => this.#handle.decode(next, { decodeFec: true, frameSize }));
    return recovered ?? this.decodeLost(ms);
  }

  /** Gives the memory back. Idempotent. */
  close(): void {
    this.#handle.free();
  }

  #samplesOf(ms: number): number {
    return (this.#handle.sampleRate * ms) / 1000;
  }

  #try(decode: () => Int16Array): Int16Array | undefined {
    try {
      return decode();
    } catch (error) {
      if (isOpusError(error)) return undefined;
      throw error;
    }
  }
}

/** How long a packet lasts by its first byte or two, in milliseconds (RFC 6716, section 3.1); 0 for bytes that are no packet. */
export const opusPacketMs = (packet: Uint8Array): number => {
  const [toc, count = 0] = packet;
  if (toc === undefined) return 0;
  const frames = [1, 2, 2, count & 0x3f][toc & 3] as number;
  const ms = (FRAME_LENGTHS[toc >> 3] as number) * frames;
  return ms > MAX_PACKET_MS ? 0 : ms;
};

/** Of each configuration: speech coder in three bandwidths, both coders in two, transform coder in four. */
const FRAME_LENGTHS = [
  ...[0, 1, 2].flatMap(() => [10, 20, 40, 60]),
  ...[0, 1].flatMap(() => [10, 20]),
  ...[0, 1, 2, 3].flatMap(() => [2.5, 5, 10, 20]),
];

/**
 * The codec's mode that keeps the waveform. Its mode for telephony filters the low end and sharpens formants: by correlation with
 * what went in, speech keeps 0.99 here and 0.85 there, and the copies against loss are made in both.
 */
const AUDIO = 2049;
