import { expect, test, vi } from "vitest";
import { memoryPhrases } from "../../src/adapters/phrases/memory.ts";
import type { RunningEngines } from "../../src/app/engines.ts";
import { callFactory } from "../../src/app/prepare.ts";
import { Breakers } from "../../src/kit/breakers.ts";
import type { toSpeakable as ToSpeakable } from "../../src/dialogue/speakable.ts";
import type { TranscriptEntry } from "../../src/model/transcript.ts";
import type { TranscriberHints, TranscriberListener } from "../../src/ports/transcriber.ts";
import { RehearsedModel } from "../dialogue/rehearsed-model.ts";
import { adapterDeps } from "../kit/adapter-deps.ts";
import { ENGINES } from "../kit/api-rig.ts";
import { testPlan } from "../kit/dial-plans.ts";
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

test("a model changes the language of a call, and the plan's engines for it hear and speak from then on", async () => {
  const clock = new VirtualClock();
  const ears = { here: new Listener(clock, () => CALLER), oido: new Listener(clock, () => []) };
  const voices = { anna: new ScriptedVoice(clock), sofia: new ScriptedVoice(clock) };
  const model = new RehearsedModel(
    [{ type: "call", call: { id: "c1", name: "switch_language", args: '{"language":"es"}' } }, { type: "done" }],
    [{ type: "text", text: "Hola, dígame." }, { type: "done" }],
  );
  const engines: RunningEngines = {
    vad: new ScriptedVad(),
    turnDetector: undefined,
    transcribers: Object.values(ears),
    synthesizers: [],
    models: [model],
    tiers: [],
    catalogue: ENGINES,
    transcriberFor: (name) => (name === "oido" ? ears.oido : ears.here),
    synthesizerFor: (voiceId) => (voiceId === "sofia" ? voices.sofia : voices.anna),
    modelFor: () => ({ model, modelId: "m" }),
    breakers: new Breakers({ clock, logger: silentLogger() }),
    close: async () => undefined,
  };
  const nobody = { post: () => Promise.reject(new Error("not asked")), close: async () => undefined };
  const prepare = callFactory(
    {
      ...adapterDeps({ clock }),
      http: nobody,
      doNotCall: { addDoNotCall: () => Promise.reject(new Error("not asked")) },
      live: { command: async () => true },
      phrases: memoryPhrases(1_000_000),
      voiceFallbacks: [],
    },
    engines,
    400,
  );
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
  const journal = {
    transcript: (index: number, entry: TranscriptEntry) => {
      transcript[index] = entry;
    },
    interim: () => undefined,
    turn: () => undefined,
  };
  expect(spoken).toEqual(new Set(["en"]));
  const call = prepare(plan, journal, () => Promise.resolve("failed"));
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
