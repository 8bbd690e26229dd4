import { expect, test } from "vitest";
import type { CallHappening } from "../../src/call/events.ts";
import { Pacer } from "../../src/call/pacer.ts";
import { runReply } from "../../src/call/reply.ts";
import { Speaker } from "../../src/call/speak.ts";
import type { DialogueMove } from "../../src/dialogue/dialogue.ts";
import { Scope } from "../../src/kit/scope.ts";
import type { AudioFormat } from "../../src/model/audio.ts";
import { ProviderError } from "../../src/ports/provider-error.ts";
import type { SpokenChunk } from "../../src/ports/synthesizer.ts";
import { noMetrics, silentLogger } from "../kit/call-rig.ts";
import { says } from "../kit/scripted-dialogue.ts";
import { ScriptedVoice } from "../kit/scripted-engines.ts";
import { ScriptedLine } from "../kit/scripted-line.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

const format: AudioFormat = { encoding: "mulaw", sampleRate: 8000 };

/** Never to be seen again, whatever its signal says. */
const gone = new Promise<never>(() => undefined);

const start = (
  moves: AsyncIterable<DialogueMove>,
  synthesize?: () => AsyncGenerator<SpokenChunk>,
  modelProvider?: string,
) => {
  const clock = new VirtualClock();
  const told: CallHappening[] = [];
  const blamed: string[] = [];
  const listener = {
    started: () => undefined,
    acknowledged: () => undefined,
    progress: () => undefined,
    drained: () => undefined,
    records: () => false,
    played: () => undefined,
    failed: () => undefined,
  };
  const speaker = new Speaker(format, { clock, pacer: new Pacer(clock), leadMs: 400, volumeDb: 0, listener });
  speaker.begin(0);
  const scope = new Scope("a reply");
  const voice = new ScriptedVoice(clock);
  if (synthesize !== undefined) voice.synthesize = synthesize;
  const running = runReply({
    reply: 0,
    moves,
    signal: scope.signal,
    clock,
    language: "en",
    synthesizer: voice,
    voice: { voiceId: "scripted", language: "en", options: {} },
    speaker,
    logger: silentLogger,
    metrics: { ...noMetrics, providerError: (port, provider) => blamed.push(`${port} ${provider}`) },
    modelProvider,
    emit: (happening) => told.push(happening),
  });
  const cancel = async () => {
    speaker.cancel(0);
    await scope.close();
    await running;
  };
  return { clock, told, blamed, cancel, running, speaker };
};

async function* saying(...texts: readonly string[]): AsyncGenerator<DialogueMove> {
  for (const text of texts) yield says(text);
}

test("a reply that is cancelled while the voice waits for room stops at once, though the voice does not listen", async () => {
  const { clock, told, cancel } = start(saying("A long sentence."), async function* () {
    yield { audio: new Uint8Array(8000 * 20) };
    await gone;
  });
  await clock.advance(1000);
  await cancel();
  expect(clock.pending).toBe(0);
  expect(told.some(({ type }) => type === "reply-failed")).toBe(false);
});

test("a reply that is cancelled stops at once, though the dialogue does not listen", async () => {
  const { clock, told, cancel } = start(
    (async function* () {
      yield says("One moment");
      await gone;
    })(),
  );
  await clock.advance(1000);
  await cancel();
  expect(clock.pending).toBe(0);
  expect(told.map(({ type }) => type)).not.toContain("reply-complete");
});

test("a dialogue that stops in the middle of an answer has failed after ten seconds", async () => {
  const { clock, told, running } = start(
    (async function* () {
      yield says("One moment");
      await gone;
    })(),
  );
  await clock.advance(9990);
  expect(told.some(({ type }) => type === "reply-failed")).toBe(false);
  await clock.advance(10);
  expect(told.at(-1)).toEqual({ type: "reply-failed", reply: 0, part: "model" });
  await running;
  expect(clock.pending).toBe(0);
});

test("a model that fails, or falls silent, is told by its provider; where several failed, as the dialogue", async () => {
  const fails = async function* (): AsyncGenerator<DialogueMove> {
    yield says("One moment");
    throw new ProviderError("the menu's", "unavailable", "broke off");
  };
  const stalls = async function* (): AsyncGenerator<DialogueMove> {
    yield says("One moment");
    await gone;
  };
  const blamedFor = async (moves: AsyncIterable<DialogueMove>, provider?: string) => {
    const { clock, running, blamed } = start(moves, undefined, provider);
    await clock.advance(10_000);
    await running;
    return blamed;
  };
  expect(await blamedFor(fails(), "acme")).toEqual(["model the menu's"]);
  expect(await blamedFor(stalls(), "acme")).toEqual(["model acme"]);
  expect(await blamedFor(fails())).toEqual(["model dialogue"]);
  expect(await blamedFor(stalls())).toEqual(["model dialogue"]);
});

test("a model gone wild is stopped", async () => {
  const { clock, told, cancel } = start(
    saying(...Array.from({ length: 2500 }, (_, index) => `Sentence ${index} is here. `)),
  );
  await clock.advance(50);
  expect(told.at(-1)).toEqual({ type: "reply-failed", reply: 0, part: "model" });
  await cancel();
  expect(clock.pending).toBe(0);
});

test("an answer without a sound is complete, and nothing is asked of the voice", async () => {
  const { clock, told, running } = start(saying("…", " 🙂 ", "\n"));
  await running;
  expect(told.map(({ type }) => type)).toContain("reply-complete");
  expect(told.some((event) => event.type === "reply-stage" && event.stage === "first-sentence")).toBe(false);
  expect(clock.pending).toBe(0);
});

test("words that a voice tells after their sound, without any of their own, count like others", async () => {
  const sound = new Uint8Array(1600).fill(0x20);
  const { clock, speaker, cancel } = start(saying("Good morning to you."), async function* () {
    yield { audio: sound };
    yield {
      audio: new Uint8Array(0),
      // So said that half of the letters are no measure.
      words: [
        { text: "Good", startMs: 0, endMs: 20 },
        { text: "morning", startMs: 20, endMs: 40 },
        { text: "to", startMs: 40, endMs: 60 },
        { text: "you.", startMs: 60, endMs: 200 },
      ],
      endOfPiece: true,
    };
  });
  const line = new ScriptedLine(clock);
  speaker.attach(line);
  await clock.advance(100);
  expect(speaker.heard()?.text.trim()).toBe("Good morning to");
  await cancel();
  line.close();
});
