/** Sample rate of everything that hears: voice activity detectors and local transcribers. */
export const HEARING_RATE = 16_000;

/** Tells speech from everything else. Inference runs off the event loop's thread; answers come later than the sound. */
export interface VoiceActivityDetector {
  readonly name: string;
  open(listener: VadListener): VadStream;
  close(): Promise<void>;
}

export type VadListener = Readonly<{
  /** Probability of speech (0 to 1) in the window that ends at `endMs`, counted in pushed sound since the stream opened. */
  probability(probability: number, endMs: number): void;
  failed(error: Error): void;
}>;

export interface VadStream {
  /** 16 kHz mono, any length; copied before the call returns. */
  push(samples: Int16Array): void;
  close(): void;
}
