import { expect, test, vi } from "vitest";
import { memoryPhrases } from "../../src/adapters/phrases/memory.ts";
import type { RunningEngines } from "../../src/app/engines.ts";
import { callFactory } from "../../src/app/prepare.ts";
import { Breakers } from "../../src/kit/breakers.ts";
import type { toSpeakable as ToSpeakable } from "../../src/dialogue/speakable.ts";
import type { TranscriptEntry } from "../../src/model/transcript.ts";
import type { TranscriberHints, TranscriberListener } from "../../src/ports/transcriber.ts";
import type { Carrier } from "../../src/ports/carrier.ts";
import type { LogFields, Logger } from "../../src/ports/logger.ts";
import { RehearsedModel } from "../dialogue/rehearsed-model.ts";
import { adapterDeps } from "../kit/adapter-deps.ts";
import { ENGINES } from "../kit/api-rig.ts";
import { testAgent, testPlan } from "../kit/dial-plans.ts";
import {
  callerVoice,
  ScriptedTranscriber,
  ScriptedVad,
  ScriptedVoice,
  type CallerLine,
} from "../kit/scripted-engines.ts";
import { ScriptedLine } from "../kit/scripted-line.ts";
import { silentLogger } from "../kit/silent-logger.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

/** Languages in which something was made speakable. */
const spoken = vi.hoisted(() => new Set<string>());

vi.mock("../../src/dialogue/speakable.ts", async (original) => {
  const real = await original<Readonly<{ toSpeakable: typeof ToSpeakable }>>();
  const toSpeakable: typeof ToSpeakable = (source, language) => {
    spoken.add(language);
    return real.toSpeakable(source, language);
  };
  return { ...real, toSpeakable };
});

const CALLER: readonly CallerLine[] = [{ text: "Spanish, please.", fromMs: 2000, untilMs: 3000 }];

/** Remembers for which languages it was opened. */
class Listener extends ScriptedTranscriber {
  readonly languages: string[] = [];

  override open(hints: TranscriberHints, listener: TranscriberListener) {
    this.languages.push(hints.language);
    return super.open(hints, listener);
  }
}

const factory = (
  clock: VirtualClock,
  engines: Pick<RunningEngines, "transcribers" | "models" | "transcriberFor" | "synthesizerFor" | "modelFor">,
  carriers?: ReadonlyMap<string, Pick<Carrier, "format">>,
  told: Parameters<typeof adapterDeps>[0] = {},
) =>
  callFactory(
    {
      ...adapterDeps({ clock, ...told }),
      http: { post: () => Promise.reject(new Error("not asked")), close: async () => undefined },
      doNotCall: { addDoNotCall: () => Promise.reject(new Error("not asked")) },
      live: { command: async () => true },
      phrases: memoryPhrases(1_000_000),
      voiceFallbacks: [],
      carriers,
    },
    {
      ...engines,
      vad: new ScriptedVad(),
      turnDetector: undefined,
      synthesizers: [],
      tiers: [],
      catalogue: ENGINES,
      breakers: new Breakers({ clock, logger: silentLogger() }),
      close: async () => undefined,
    },
    400,
  );

const journalOf = (transcript: TranscriptEntry[]) => ({
  transcript: (index: number, entry: TranscriptEntry) => {
    transcript[index] = entry;
  },
  interim: () => undefined,
  turn: () => undefined,
});

test("a model changes the language of a call, and the plan's engines for it hear and speak from then on", async () => {
  spoken.clear();
  const clock = new VirtualClock();
  const ears = { here: new Listener(clock, () => CALLER), oido: new Listener(clock, () => []) };
  const voices = { anna: new ScriptedVoice(clock), sofia: new ScriptedVoice(clock) };
  const model = new RehearsedModel(
    [{ type: "call", call: { id: "c1", name: "switch_language", args: '{"language":"es"}' } }, { type: "done" }],
    [{ type: "text", text: "Hola, dígame." }, { type: "done" }],
  );
  const prepare = factory(clock, {
    transcribers: Object.values(ears),
    models: [model],
    transcriberFor: (name) => (name === "oido" ? ears.oido : ears.here),
    synthesizerFor: (voiceId) => (voiceId === "sofia" ? voices.sofia : voices.anna),
    modelFor: () => ({ model, modelId: "m" }),
  });
  const transcript: TranscriptEntry[] = [];
  const plan = testPlan({
    dialId: "d1",
    language: "en",
    openingLine: "Hello.",
    voice: { id: "anna", options: [], volumeDb: 0 },
    transcriber: { type: "here", keywords: [] },
    languages: [
      { language: "en", transcriber: "here", voiceId: "anna" },
      { language: "es", transcriber: "oido", voiceId: "sofia" },
    ],
  });
  expect(spoken).toEqual(new Set(["en"]));
  const call = prepare(plan, journalOf(transcript), () => Promise.resolve("failed"));
  // Compiling a language's patterns takes longer than a word may be late.
  expect(spoken).toEqual(new Set(["en", "es"]));
  await clock.advance(1000);
  const line = new ScriptedLine(clock);
  call.answer(line);
  line.openMicrophone(callerVoice(() => CALLER));
  await clock.advance(9000);
  expect(model.requests[0]?.tools.map(({ name }) => name)).toContain("switch_language");
  expect(voices.anna.spoken).toEqual(["Hello."]);
  expect(voices.sofia.spoken).toEqual(["Hola, dígame."]);
  expect([ears.here.languages, ears.oido.languages]).toEqual([["en"], ["es"]]);
  expect(transcript.at(-1)).toMatchObject({ speaker: "AI", text: "Hola, dígame." });
  line.close();
  await call.discard();
});

test("the opening is made once, in what the carrier's lines speak", async () => {
  const clock = new VirtualClock();
  const format = { encoding: "linear16", sampleRate: 16_000 } as const;
  const ear = new Listener(clock, () => []);
  const voice = new ScriptedVoice(clock);
  const model = new RehearsedModel();
  const prepare = factory(
    clock,
    {
      transcribers: [ear],
      models: [model],
      transcriberFor: () => ear,
      synthesizerFor: () => voice,
      modelFor: () => ({ model, modelId: "m" }),
    },
    new Map([["wide", { format }]]),
  );
  const plan = testPlan({ dialId: "d1", carrier: "wide", openingLine: "Hello." });
  const call = prepare(plan, journalOf([]), () => Promise.resolve("failed"));
  await clock.advance(1000);
  const line = new ScriptedLine(clock, { format });
  call.answer(line);
  await clock.advance(500);
  expect(voice.spoken).toEqual(["Hello."]);
  expect(line.heard[0]?.fromMs).toBe(1000);
  line.close();
  await call.discard();
});

test("a model that fails alone is told by its name, and fallbacks that nobody has once in a dial", async () => {
  const clock = new VirtualClock();
  const ear = new Listener(clock, () => CALLER);
  const voice = new ScriptedVoice(clock);
  const model = new RehearsedModel();
  model.generate = () => {
    throw new Error("it is away");
  };
  const lines: unknown[] = [];
  const note = (message: string, { what, provider }: LogFields = {}) => lines.push([message, what ?? provider]);
  const logger: Logger = { ...silentLogger(), warn: note, child: () => logger };
  const prepare = factory(
    clock,
    {
      transcribers: [ear],
      models: [model],
      transcriberFor: () => ear,
      synthesizerFor: () => voice,
      modelFor: () => ({ model, modelId: "m" }),
    },
    undefined,
    { logger },
  );
  const agent = { ...testAgent(), fallbacks: { models: ["nobody's", "nothing"] } };
  const plan = testPlan({ dialId: "d1", language: "en", openingLine: "Hello.", agent });
  const call = prepare(plan, journalOf([]), () => Promise.resolve("failed"));
  const line = new ScriptedLine(clock);
  call.answer(line);
  line.openMicrophone(callerVoice(() => CALLER));
  await clock.advance(9000);
  expect(lines).toEqual([
    ["fallbacks of the agent are not to be had here and are passed over", "fallbacks.models"],
    ["a reply failed", model.name],
  ]);
  line.close();
  await call.discard();
});
