import { afterAll, beforeAll, expect, test } from "vitest";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import local from "../../src/adapters/transcriber/local/local.ts";
import silero from "../../src/adapters/vad/silero/silero.ts";
import { Pacer } from "../../src/call/pacer.ts";
import { compileRules } from "../../src/call/rules.ts";
import { prepareCall } from "../../src/call/run-call.ts";
import type { TranscriptEntry } from "../../src/model/transcript.ts";
import type { TurnRecord } from "../../src/model/turn-record.ts";
import type { Transcriber } from "../../src/ports/transcriber.ts";
import type { VoiceActivityDetector } from "../../src/ports/vad.ts";
import { networkRig, noMetrics, quiet } from "../adapters/carrier/twilio/network-rig.ts";
import { adapterDeps } from "../kit/adapter-deps.ts";
import { testPlan } from "../kit/call-rig.ts";
import { PULL_TIMEOUT_MS, pulledModels } from "../kit/pulled-models.ts";
import { ScriptedDialogue, says } from "../kit/scripted-dialogue.ts";
import { ScriptedVoice } from "../kit/scripted-engines.ts";
import { makeSpeaker, type Speak } from "../kit/spoken.ts";
import { envelope } from "../kit/tones.ts";

const clock = new SystemClock();
const OPENING =
  "There is a lot to say about our rooms, and about the lake, and about the breakfast, and about the garden. ".repeat(
    2,
  );
const ANSWER = "Yes, what is it?";

let speak: Speak;
let vad: VoiceActivityDetector;
let transcriber: Transcriber;

beforeAll(async () => {
  const deps = adapterDeps({ clock, modelFiles: await pulledModels("vad", "transcriber") });
  [speak, vad, transcriber] = await Promise.all([makeSpeaker(), silero.create({}, deps), local.create({}, deps)]);
}, PULL_TIMEOUT_MS);

afterAll(async () => {
  await Promise.all([vad.close(), transcriber.close()]);
});

type Stretch = Readonly<{ fromMs: number; untilMs: number }>;

/** Where a track of 8 kHz sounds; silences below 150 ms are within a word. */
const stretchesOf = (samples: Int16Array): readonly Stretch[] => {
  const stretches: { fromMs: number; untilMs: number }[] = [];
  for (const [index, level] of envelope(samples, 8000, 10).entries()) {
    if (level < 0.02) continue;
    const last = stretches.at(-1);
    if (last !== undefined && index * 10 - last.untilMs < 150) last.untilMs = index * 10 + 10;
    else stretches.push({ fromMs: index * 10, untilMs: index * 10 + 10 });
  }
  return stretches;
};

/** A person says a small word over the agent and later takes the floor, over real sockets, with real engines. */
const interrupted = async () => {
  const line = (text: string, interruptAfterMs: number) => ({
    samples: speak(text),
    sampleRate: 16_000,
    interruptAfterMs,
  });
  const rig = await networkRig({
    caller: () => ({
      lines: [line("Right.", 1300), line("Hold on a second.", 1900)],
      manner: { goodbyeQuietMs: 600, goodbyeUnansweredMs: 6000 },
    }),
  });
  const transcript: TranscriptEntry[] = [];
  const turns: TurnRecord[] = [];
  const call = prepareCall({
    clock,
    logger: quiet,
    metrics: noMetrics,
    pacer: new Pacer(clock),
    rules: compileRules({ ...testPlan, endpoint: { type: "SEMANTIC", mode: "DEFAULT" } }, { speculates: true }),
    journal: {
      transcript: (index, entry) => {
        transcript[index] = entry;
      },
      interim: () => undefined,
      turn: (turn) => {
        turns.push(turn);
      },
    },
    // An answer may be begun once more than it is given.
    dialogue: new ScriptedDialogue(
      clock,
      [says(OPENING)],
      Array.from({ length: 6 }, () => [says(ANSWER)]),
    ),
    transcriber,
    keywords: [],
    vad,
    synthesizer: new ScriptedVoice(clock, 40),
    voice: { voiceId: "scripted", language: "en", options: {} },
    volumeDb: 0,
    leadMs: 400,
    expectedFormat: { encoding: "mulaw", sampleRate: 8000 },
    invoke: () => Promise.resolve({ type: "result", result: "{}" }),
    transfer: () => Promise.resolve("failed"),
  });
  const request = rig.request("+12025550123");
  await rig.network.place(request, new AbortController().signal);
  const { finished } = call.answer(await rig.nextLine());
  await finished;
  const phone = rig.network.call(request.dialId)?.phone ?? expect.fail("no phone");
  const heard = stretchesOf(phone.heard.samples());
  const said = stretchesOf(phone.said.samples());
  await call.discard();
  await rig.close();
  return { heard, said, transcript, turns };
};

test("at the caller's ear: speech silences the agent, a small word lets it go on, and a stop is answered", async () => {
  const calls = await Promise.all([interrupted(), interrupted()]);
  const silencedMs: number[] = [];
  for (const { heard, said, transcript, turns } of calls) {
    const [yeah = expect.fail("nothing said"), wait = expect.fail("said once")] = said;
    const [before = expect.fail("no opening"), after = expect.fail("not resumed"), answer] = heard;
    silencedMs.push(before.untilMs - yeah.fromMs, after.untilMs - wait.fromMs);
    expect(after.fromMs - yeah.untilMs).toBeLessThan(2000);
    const decisions = turns.flatMap(({ bargeIns = [] }) => bargeIns.map(({ decision }) => decision));
    expect(decisions).toHaveLength(2);
    expect(decisions.at(-1)).toBe("committed");
    expect(transcript.filter(({ text }) => text === ANSWER)).toHaveLength(1);
    expect(heard).toHaveLength(3);
    expect(transcript.at(-1)?.text).toBe(ANSWER);
    // What is told of the latency is what the caller has waited.
    const waitedMs = (answer?.fromMs ?? Infinity) - (said.at(-1)?.untilMs ?? 0);
    expect(Math.abs((turns.at(-1)?.heardMs ?? 0) - waitedMs)).toBeLessThan(250);
  }
  expect(Math.min(...silencedMs)).toBeLessThanOrEqual(250);
  expect(Math.max(...silencedMs)).toBeLessThanOrEqual(500);
});
