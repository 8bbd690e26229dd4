import { sameFormat, type AudioFormat, type Encoding } from "../model/audio.ts";
import { ALAW_SILENCE, MULAW_SILENCE, decodeAlaw, decodeMulaw, encodeAlaw, encodeMulaw } from "./g711.ts";
import { decodeLinear16, encodeLinear16 } from "./linear16.ts";
import { Resampler } from "./resampler.ts";

/** Bytes of an encoding → 16-bit samples; may share the bytes' memory. */
export const decodeSamples = (encoding: Encoding, payload: Uint8Array): Int16Array => CODECS[encoding].decode(payload);

/** 16-bit samples → bytes of an encoding; may share the samples' memory. */
export const encodeSamples = (encoding: Encoding, samples: Int16Array): Uint8Array => CODECS[encoding].encode(samples);

/** The byte that silence is made of. */
export const silenceByte = (encoding: Encoding): number => CODECS[encoding].silence;

/**
 * Turns one stream of sound from one format into another. The same format passes through untouched, so that carrier sound
 * stays as it came where nobody needs it otherwise. Call `close` when the stream ends.
 */
export class Converter {
  readonly #from: AudioFormat;
  readonly #to: AudioFormat;
  readonly #same: boolean;
  readonly #resampler: Resampler;
  /** First half of a sample that the last piece was cut in; −1 for none. */
  #halfSample = -1;

  constructor(from: AudioFormat, to: AudioFormat) {
    this.#from = from;
    this.#to = to;
    this.#same = sameFormat(from, to);
    this.#resampler = new Resampler(from.sampleRate, to.sampleRate);
  }

  /** How far the output lags behind the input, in milliseconds. */
  get delayMs(): number {
    return this.#resampler.delayMs;
  }

  /** The next bytes of the stream, of any length; `linear16` may be cut in the middle of a sample. */
  convert(payload: Uint8Array): Uint8Array {
    if (this.#same) return payload;
    const whole = this.#from.encoding === "linear16" ? this.#joinHalves(payload) : payload;
    return encodeSamples(this.#to.encoding, this.#resampler.process(decodeSamples(this.#from.encoding, whole)));
  }

  /** The sound that the filter still holds at the end of the stream. */
  flush(): Uint8Array {
    return this.#same ? new Uint8Array(0) : encodeSamples(this.#to.encoding, this.#resampler.flush());
  }

  /** Gives memory back. Idempotent. */
  close(): void {
    this.#resampler.close();
  }

  #joinHalves(payload: Uint8Array): Uint8Array {
    let whole = payload;
    if (this.#halfSample >= 0) {
      whole = new Uint8Array(payload.length + 1);
      whole[0] = this.#halfSample;
      whole.set(payload, 1);
    }
    this.#halfSample = whole.length % 2 === 1 ? (whole.at(-1) ?? -1) : -1;
    return whole;
  }
}

const CODECS = {
  mulaw: { decode: decodeMulaw, encode: encodeMulaw, silence: MULAW_SILENCE },
  alaw: { decode: decodeAlaw, encode: encodeAlaw, silence: ALAW_SILENCE },
  linear16: { decode: decodeLinear16, encode: encodeLinear16, silence: 0 },
} as const;
