/** The part of sherpa-onnx-node 1.13.8 that is used here; the package brings no types of its own. */
declare module "sherpa-onnx-node" {
  export type OfflineRecognizerConfig = Readonly<{
    modelConfig: Readonly<{
      moonshine: Readonly<{ encoder: string; mergedDecoder: string }>;
      tokens: string;
      numThreads: number;
      provider: string;
      debug: 0 | 1;
    }>;
  }>;

  export class OfflineStream {
    /** Copies the samples (−1 to 1). */
    acceptWaveform(sound: Readonly<{ samples: Float32Array; sampleRate: number }>): void;
  }

  export class OfflineRecognizer {
    static createAsync(config: OfflineRecognizerConfig): Promise<OfflineRecognizer>;
    createStream(): OfflineStream;
    /** Runs on libuv's thread pool. */
    decodeAsync(stream: OfflineStream): Promise<Readonly<{ text: string; tokens?: readonly string[] }>>;
  }

  const sherpa: Readonly<{ OfflineRecognizer: typeof OfflineRecognizer }>;
  export default sherpa;
}
