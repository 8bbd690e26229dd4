import { PlayQueue } from "./play-queue.ts";

// What the audio thread offers; the library of types knows only pages.
declare const sampleRate: number;
declare const registerProcessor: (name: string, processor: unknown) => void;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}

/** What the page says to the processor. */
export type ToWorklet =
  | Readonly<{ type: "sound"; samples: Int16Array }>
  | Readonly<{ type: "mark"; name: string }>
  | Readonly<{ type: "clear" }>;

/** What the processor says to the page; levels from 0 to 1. */
export type FromWorklet =
  | Readonly<{ type: "captured"; samples: Int16Array; level: number }>
  | Readonly<{ type: "played"; marks: readonly string[] }>
  | Readonly<{ type: "playing"; level: number; queuedMs: number; underruns: number; droppedMs: number }>;

const FRAME_SAMPLES = Math.round(sampleRate * 0.02);
const REPORT_MS = 100;

/** Microphone in, loudspeaker out, both on the audio thread, where a busy page cannot hold them up. */
class SoundProcessor extends AudioWorkletProcessor {
  readonly #queue = new PlayQueue({ sampleRate, startMs: 40, mostMs: 2000, targetMs: 500 });
  #frame = new Int16Array(FRAME_SAMPLES);
  #filled = 0;
  #peakIn = 0;
  #peakOut = 0;
  #sinceReport = 0;

  constructor() {
    super();
    this.port.onmessage = ({ data }: MessageEvent<ToWorklet>) => {
      if (data.type === "sound") this.#tell({ type: "played", marks: this.#queue.add(data.samples) });
      else if (data.type === "mark") this.#queue.mark(data.name);
      else this.#queue.clear();
    };
  }

  process(inputs: readonly (readonly Float32Array[])[], outputs: readonly (readonly Float32Array[])[]): boolean {
    const output = outputs[0]?.[0];
    const length = output?.length ?? 128;
    this.#capture(inputs[0]?.[0], length);
    if (output !== undefined) this.#play(output);
    for (const copy of outputs[0]?.slice(1) ?? []) if (output !== undefined) copy.set(output);
    return true;
  }

  /** A microphone that is not there yet gives silence, so that the service can tell it from a lost line. */
  #capture(input: Float32Array | undefined, length: number): void {
    for (let index = 0; index < length; index++) {
      const sample = Math.max(-1, Math.min(1, input?.[index] ?? 0));
      this.#peakIn = Math.max(this.#peakIn, Math.abs(sample));
      this.#frame[this.#filled] = Math.round(sample * 32_767);
      this.#filled += 1;
      if (this.#filled < FRAME_SAMPLES) continue;
      this.#tell({ type: "captured", samples: this.#frame, level: this.#peakIn }, [this.#frame.buffer]);
      this.#frame = new Int16Array(FRAME_SAMPLES);
      this.#filled = 0;
      this.#peakIn = 0;
    }
  }

  #play(output: Float32Array): void {
    this.#tell({ type: "played", marks: this.#queue.fill(output) });
    for (const sample of output) this.#peakOut = Math.max(this.#peakOut, Math.abs(sample));
    this.#sinceReport += output.length;
    if ((this.#sinceReport / sampleRate) * 1000 < REPORT_MS) return;
    this.#sinceReport = 0;
    const { queuedMs } = this.#queue;
    this.port.postMessage({ type: "playing", level: this.#peakOut, queuedMs, ...this.#queue.troubles });
    this.#peakOut = 0;
  }

  #tell(message: FromWorklet, transfer: Transferable[] = []): void {
    if (message.type !== "played" || message.marks.length > 0) this.port.postMessage(message, transfer);
  }
}

registerProcessor("call-engine-sound", SoundProcessor);
