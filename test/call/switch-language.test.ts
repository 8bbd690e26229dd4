import { expect, test } from "vitest";
import { switched } from "../../src/dialogue/spoken-language.ts";
import type { TranscriberHints, TranscriberListener } from "../../src/ports/transcriber.ts";
import { CallRig, type RigOptions } from "../kit/call-rig.ts";
import { says, type Answer } from "../kit/scripted-dialogue.ts";
import { ScriptedTranscriber, ScriptedVoice, type CallerLine } from "../kit/scripted-engines.ts";

/** Hears what the caller says from when it is opened, and remembers for which language. */
class LateTranscriber extends ScriptedTranscriber {
  readonly languages: string[] = [];
  readonly #rig: CallRig;
  #openedMs: number | undefined;

  constructor(rig: CallRig) {
    const shifted = (line: CallerLine): CallerLine => ({
      ...line,
      fromMs: line.fromMs - (this.#openedMs ?? 0),
      untilMs: line.untilMs - (this.#openedMs ?? 0),
    });
    super(rig.clock, () => rig.caller.map(shifted).filter(({ untilMs }) => untilMs > 0));
    this.#rig = rig;
  }

  override open(hints: TranscriberHints, listener: TranscriberListener) {
    this.#openedMs ??= this.#rig.now;
    this.languages.push(hints.language);
    return super.open(hints, listener);
  }
}

const ASKS: Answer = [
  says("One moment."),
  { type: "call", call: { id: "c1", name: "switch_language", args: '{"language":"es"}' } },
];

/** A call in English that can change to Spanish, of which the engines are others. */
const bilingual = (options: RigOptions) => {
  const spanish: { transcriber?: LateTranscriber; voice?: ScriptedVoice } = {};
  const rig = new CallRig({
    ...options,
    invoke: () => Promise.resolve({ type: "language", language: "es", result: switched("es") }),
    languages: (made) => {
      const transcriber = new LateTranscriber(made);
      const synthesizer = new ScriptedVoice(made.clock);
      Object.assign(spanish, { transcriber, voice: synthesizer });
      return new Map([["es", { transcriber, synthesizer, voice: { voiceId: "sofia", language: "es", options: {} } }]]);
    },
  });
  return { rig, spanish };
};

test("a call that changes its language is heard and spoken to by the engines of that language from then on", async () => {
  const { rig, spanish } = bilingual({
    caller: [
      { text: "Do you speak Spanish?", fromMs: 1500, untilMs: 2500 },
      { text: "Quiero una mesa.", fromMs: 8000, untilMs: 9000 },
    ],
    answers: [ASKS, [says("Hola, dígame.")], [says("Claro.")]],
  });
  await rig.answer();
  await rig.at(14_000);
  expect(rig.voice.spoken).toEqual(["Hello there.", "One moment."]);
  expect(spanish.voice?.spoken).toEqual(["Hola, dígame.", "Claro."]);
  expect(spanish.transcriber?.languages).toEqual(["es"]);
  expect(spanish.transcriber?.endedTurns).toBe(1);
  expect(rig.transcript.flatMap(({ speaker, text }) => (speaker === "HUMAN" ? [text] : []))).toEqual([
    "Do you speak Spanish?",
    "Quiero una mesa.",
  ]);
  const turn = rig.transcript.find(({ text }) => text === "Quiero una mesa.");
  expect(turn?.startTimeMs).toBeGreaterThan(7800);
  expect(turn?.endTimeMs).toBeLessThan(9800);
  await rig.close();
});

test("whoever is speaking while the language changes is heard to the end and answered", async () => {
  const { rig, spanish } = bilingual({
    caller: [
      { text: "Do you speak Spanish?", fromMs: 1500, untilMs: 2500 },
      { text: "Hablo solo español, sabe usted.", fromMs: 4150, untilMs: 6500 },
    ],
    answers: [[ASKS[1] ?? says(""), 700], [says("Claro.")]],
  });
  await rig.answer();
  await rig.at(12_000);
  expect(spanish.transcriber?.languages).toEqual(["es"]);
  expect(spanish.voice?.spoken.at(-1)).toBe("Claro.");
  rig.dialogue.forget();
  await rig.close();
});

test("a transcriber of the other language that fails is opened anew for the same language", async () => {
  const { rig, spanish } = bilingual({
    caller: [
      { text: "Do you speak Spanish?", fromMs: 1500, untilMs: 2500 },
      { text: "Quiero una mesa.", fromMs: 9000, untilMs: 10_000 },
    ],
    answers: [ASKS, [says("Hola, dígame.")], [says("Claro.")]],
  });
  await rig.answer();
  await rig.at(7500);
  spanish.transcriber?.streams.at(-1)?.fail();
  await rig.at(15_000);
  expect(spanish.transcriber?.languages).toEqual(["es", "es"]);
  expect(spanish.voice?.spoken.at(-1)).toBe("Claro.");
  await rig.close();
});

test("what is said of the project's own accord follows the language: a silence is asked into, and trouble is told", async () => {
  const { rig, spanish } = bilingual({
    plan: { idle: { enabled: true, messages: ["Are you there?"], afterMs: 5000, maxMessages: 2 } },
    caller: [
      { text: "Do you speak Spanish?", fromMs: 1500, untilMs: 2500 },
      { text: "Sí, aquí estoy.", fromMs: 16_000, untilMs: 17_000 },
    ],
    answers: [ASKS, [says("Hola, dígame.")], [new Error("no model")]],
  });
  await rig.answer();
  expect(await rig.untilEnd()).toMatchObject({ reason: "model_failed" });
  const spoken = spanish.voice?.spoken ?? [];
  expect(spoken.slice(0, 2)).toEqual(["Hola, dígame.", "Sigue ahí?"]);
  expect(spoken.slice(-2)).toEqual(["Lo siento, tengo problemas técnicos y debo terminar la llamada.", "Adiós."]);
  expect(rig.voice.spoken).toEqual(["Hello there.", "One moment."]);
  await rig.close();
});
