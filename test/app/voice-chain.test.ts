import { expect, test } from "vitest";
import { memoryPhrases } from "../../src/adapters/phrases/memory.ts";
import { voiceChain } from "../../src/app/voice-chain.ts";
import { Breakers } from "../../src/kit/breakers.ts";
import type { Agent } from "../../src/model/agent.ts";
import type { AudioFormat } from "../../src/model/audio.ts";
import type { Takeover } from "../../src/model/takeover.ts";
import type { Voice } from "../../src/model/voice.ts";
import type { SpeechSynthesizer, VoiceSettings } from "../../src/ports/synthesizer.ts";
import { noMetrics } from "../kit/call-rig.ts";
import { testAgent, testPlan } from "../kit/dial-plans.ts";
import { ScriptedVoice } from "../kit/scripted-engines.ts";
import { silentLogger } from "../kit/silent-logger.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

const LINE: AudioFormat = { encoding: "mulaw", sampleRate: 8000 };

const catalogued = (id: string, languages: readonly string[]): Voice => ({
  id,
  name: id,
  voiceType: "x",
  voiceTier: "PREMIUM",
  description: "",
  languages: [...languages],
});

/** Notes with which of its voices it was asked, and fails when it is told to. */
class NamedVoice implements SpeechSynthesizer {
  readonly name: string;
  readonly voices: readonly Voice[];
  readonly firstAudioDeadlineMs = 800;
  readonly asked: string[] = [];
  readonly scripted: ScriptedVoice;

  constructor(clock: VirtualClock, name: string, voices: readonly Voice[]) {
    this.scripted = new ScriptedVoice(clock);
    this.name = name;
    this.voices = voices;
  }

  supports(language: string, voiceId?: string): boolean {
    return this.voices.some(
      ({ id, languages = [] }) => (voiceId === undefined || id === voiceId) && languages.includes(language),
    );
  }

  formatFor(line: AudioFormat): AudioFormat {
    return line;
  }

  synthesize(...args: Parameters<SpeechSynthesizer["synthesize"]>) {
    this.asked.push(args[1].voiceId);
    return this.scripted.synthesize(...args);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const rig = (agent: Partial<Agent>, voiceFallbacks: readonly string[] = []) => {
  const clock = new VirtualClock();
  const engines = {
    a: new NamedVoice(clock, "a", [catalogued("a-1", ["en"]), catalogued("a-2", ["en"])]),
    b: new NamedVoice(clock, "b", [catalogued("b-1", ["de"]), catalogued("b-2", ["en"])]),
    c: new NamedVoice(clock, "c", [catalogued("c-1", ["en"])]),
  };
  const synthesizers: readonly SpeechSynthesizer[] = Object.values(engines);
  const takeovers: Takeover[] = [];
  const plan = testPlan({ dialId: "dial-1", agent: { ...testAgent(), ...agent } });
  const breakers = new Breakers({ clock, logger: silentLogger() });
  const synthesizerFor = () => engines.a;
  const phrases = memoryPhrases(1_000_000);
  const deps = { clock, logger: silentLogger(), metrics: noMetrics, phrases, voiceFallbacks };
  const make = () =>
    voiceChain(
      plan,
      { synthesizers, synthesizerFor, breakers },
      { voiceId: "a-1", language: "en" },
      {
        ...deps,
        tookOver: (one) => takeovers.push(one),
      },
    );
  const say = async (text: string, voice = make()) => {
    const settings: VoiceSettings = { voiceId: "a-1", language: "en", options: {} };
    let over = false;
    const pieces = async function* () {
      yield await Promise.resolve(text);
    };
    const saying = (async () => {
      for await (const chunk of voice.synthesize(pieces(), settings, LINE, new AbortController().signal))
        expect(chunk).toBeDefined();
    })().finally(() => {
      over = true;
    });
    saying.catch(() => undefined);
    await clock.until(() => over, 30_000);
    return saying;
  };
  return { engines, takeovers, say };
};

test("an agent's own voices stand behind the call's, else those of the deployment", async () => {
  const named: Partial<Agent> = { fallbacks: { voices: ["gone", "b-1", "c-1"] } };
  for (const { engines, takeovers, say } of [rig(named, ["b-2"]), rig({}, ["b-1", "c-1"])]) {
    engines.a.scripted.failing = true;
    await say("Hello.");
    // One that is not here, and one that does not speak the language, are passed over.
    expect(engines.c.asked).toEqual(["c-1"]);
    expect(engines.b.asked).toEqual([]);
    expect(takeovers).toEqual([{ part: "synthesizer", from: "a", to: "c", why: "failed" }]);
  }
});

test("behind all that are named, other engines speak with a voice of the language", async () => {
  const { engines, say } = rig({ fallbacks: { voices: ["a-2"] } });
  engines.a.scripted.failing = true;
  engines.b.scripted.failing = true;
  await say("Hello.");
  expect(engines.a.asked).toEqual(["a-1", "a-2"]);
  expect(engines.b.asked).toEqual(["b-2"]);
  expect(engines.c.asked).toEqual(["c-1"]);
});

test("what the agent says in every call is made once, by each voice that said it", async () => {
  const { engines, say } = rig({ openingLine: "Hello, this is Robin." });
  await say("Hello, this is Robin.");
  await say("Hello, this is Robin.");
  await say("And who are you?");
  expect(engines.a.scripted.spoken).toEqual(["Hello, this is Robin.", "And who are you?"]);
});
