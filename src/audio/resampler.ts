import loadSpeex from "@echogarden/speex-resampler-wasm/simd";
import { HALFBAND_DELAY, HalfbandDown, HalfbandUp, type Halfband } from "./halfband.ts";

/**
 * Changes the sample rate of one stream of sound, piece by piece: by a half-band filter where one rate is twice the other, else by the
 * Speex resampler at quality 5 (aliases below −90 dB in 16 bits, about 0.2 % of a core for 100 streams). Frames of 20 ms in give frames
 * of 20 ms out; what comes out lags by {@link Resampler.delayMs}. Equal rates pass through untouched.
 *
 * May hold memory outside the collector's reach: call `close` when the stream ends.
 */
export class Resampler {
  readonly #from: number;
  readonly #to: number;
  readonly #halfband: Halfband | undefined;
  readonly #buffers: number = 0;
  #state = 0;
  #closed = false;

  /** Rates in samples per second, 1000 to 384 000 each; throws `RangeError` for others. */
  constructor(from: number, to: number) {
    for (const rate of [from, to])
      if (!Number.isInteger(rate) || rate < 1000 || rate > 384_000)
        throw new RangeError(`a sample rate must be a whole number from 1000 to 384000, not ${rate}`);
    this.#from = from;
    this.#to = to;
    if (to === 2 * from) this.#halfband = new HalfbandUp();
    else if (from === 2 * to) this.#halfband = new HalfbandDown();
    if (from === to || this.#halfband !== undefined) return;
    this.#buffers = speex._malloc(BUFFER_BYTES);
    const state =
      this.#buffers === 0 ? 0 : speex._speex_resampler_init(1, from, to, QUALITY, this.#buffers + LENGTHS_AT);
    if (state === 0) {
      speex._free(this.#buffers);
      throw new Error(`no memory for a resampler from ${from} to ${to} Hz; close resamplers that are no longer used`);
    }
    this.#state = state;
  }

  /** How far the output lags behind the input, in milliseconds: 0.19 between 8 and 16 kHz, 5 otherwise to and from 8 kHz, at most 5. */
  get delayMs(): number {
    if (this.#halfband !== undefined) return (HALFBAND_DELAY / Math.max(this.#from, this.#to)) * 1000;
    return this.#state === 0 ? 0 : (speex._speex_resampler_get_input_latency(this.#state) / this.#from) * 1000;
  }

  /** The next samples of the stream at the new rate; any length. Throws after `close`. */
  process(samples: Int16Array): Int16Array {
    if (this.#closed) throw new Error("this resampler was closed");
    if (this.#halfband !== undefined) return this.#halfband.process(samples);
    if (this.#state === 0) return samples;
    const output = new Int16Array(Math.ceil((samples.length * this.#to) / this.#from) + 1);
    let read = 0;
    let written = 0;
    while (read < samples.length) {
      const piece = samples.subarray(read, read + this.#pieceLength);
      const [consumed, produced] = this.#run(piece);
      output.set(speex.HEAP16.subarray(this.#outputAt, this.#outputAt + produced), written);
      read += consumed;
      written += produced;
    }
    return output.subarray(0, written);
  }

  /** What the filter still holds once the stream is complete: as much sound as {@link Resampler.delayMs}. */
  flush(): Int16Array {
    if (this.#halfband !== undefined)
      return this.#halfband.process(new Int16Array(Math.ceil((this.delayMs * this.#from) / 1000)));
    if (this.#state === 0) return new Int16Array(0);
    return this.process(new Int16Array(speex._speex_resampler_get_input_latency(this.#state)));
  }

  /** Gives the memory back. Idempotent. */
  close(): void {
    this.#closed = true;
    if (this.#state === 0) return;
    speex._speex_resampler_destroy(this.#state);
    speex._free(this.#buffers);
    this.#state = 0;
  }

  /** Input samples per call into the filter, so that neither side outgrows its buffer. */
  get #pieceLength(): number {
    return Math.max(1, Math.floor(Math.min(PIECE, ((PIECE - 1) * this.#from) / this.#to)));
  }

  get #outputAt(): number {
    return (this.#buffers >> 1) + PIECE;
  }

  #run(piece: Int16Array): readonly [consumed: number, produced: number] {
    const lengths = (this.#buffers + LENGTHS_AT) >> 2;
    speex.HEAP16.set(piece, this.#buffers >> 1);
    speex.HEAP32[lengths] = piece.length;
    speex.HEAP32[lengths + 1] = PIECE;
    const code = speex._speex_resampler_process_int(
      this.#state,
      0,
      this.#buffers,
      this.#buffers + LENGTHS_AT,
      this.#buffers + 2 * PIECE,
      this.#buffers + LENGTHS_AT + 4,
    );
    const [consumed = 0, produced = 0] = speex.HEAP32.subarray(lengths, lengths + 2);
    if (code !== 0 || consumed === 0)
      throw new Error(`the resampler from ${this.#from} to ${this.#to} Hz failed (${code})`);
    return [consumed, produced];
  }
}

/** Quality 5 of 10: −1 dB at 0.9 of the lower Nyquist frequency; 3 would cost 1 dB at 0.85 already. */
const QUALITY = 5;

/** Room for input and for output, in samples each: 40 ms at 48 kHz. */
const PIECE = 2048;
const LENGTHS_AT = PIECE * 2 * 2;
const BUFFER_BYTES = LENGTHS_AT + 8;

/** One instance of the code for the process; every stream has its own state in its heap. */
const speex = await loadSpeex();
