import { serveSpeech } from "../../../../src/adapters/synthesizer/threaded/serve-speech.ts";

/** An engine that does what the text tells it: `crash`, `hang`, `fail`, or N samples at 8 kHz. Run as a worker thread. */
await serveSpeech(async () => ({
  speak: ({ text }) => {
    if (text === "crash") {
      setImmediate(() => {
        throw new Error("the engine crashed");
      });
      return new Promise(() => undefined);
    }
    if (text === "hang") return new Promise(() => undefined);
    if (text === "fail") throw new Error("this text cannot be spoken");
    return { samples: new Int16Array(Number(text)), sampleRate: 8000, words: [] };
  },
  close: () => undefined,
}));
