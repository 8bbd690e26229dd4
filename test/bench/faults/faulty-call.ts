import { FallbackTranscriber } from "../../../src/call/fallback-transcriber.ts";
import { FallbackVoice } from "../../../src/call/fallback-voice.ts";
import { Pacer } from "../../../src/call/pacer.ts";
import { compileRules } from "../../../src/call/rules.ts";
import { prepareCall } from "../../../src/call/run-call.ts";
import { Takeovers } from "../../../src/call/takeovers.ts";
import { AnnouncedDialogue } from "../../../src/dialogue/announced-dialogue.ts";
import { createDialogue } from "../../../src/dialogue/create-dialogue.ts";
import { FallbackModel } from "../../../src/dialogue/fallback-model.ts";
import { ownWords } from "../../../src/dialogue/own-words.ts";
import { announceFunctions } from "../../../src/dials/announce-function.ts";
import { Breakers } from "../../../src/kit/breakers.ts";
import type { CallEnd } from "../../../src/model/call-end.ts";
import type { CallPlan } from "../../../src/model/call-plan.ts";
import type { TurnRecord } from "../../../src/model/turn-record.ts";
import { noMetrics, silentLogger, testPlan } from "../../kit/call-rig.ts";
import { ScriptedVad } from "../../kit/scripted-engines.ts";
import { ScriptedLine } from "../../kit/scripted-line.ts";
import { SeededRandom } from "../../kit/seeded-random.ts";
import { VirtualClock } from "../../kit/virtual-clock.ts";
import { Caller } from "./caller.ts";
import type { Fault, Luck, Stage } from "./faults-there-are.ts";
import { FaultyModel } from "./faulty-model.ts";
import { FaultyTranscriber } from "./faulty-transcriber.ts";
import { FaultyVoice } from "./faulty-voice.ts";
import { LINE_FORMAT } from "./line-format.ts";
import { judge, type Verdict } from "./judge.ts";
import { BOOK, OPENING } from "./spoken-lines.ts";

const LONGEST_CALL_MS = 120_000;
const RING_MS = 2000;

const PLAN: CallPlan = {
  ...testPlan,
  openingLine: OPENING,
  functions: [
    {
      id: "f-1",
      name: BOOK,
      description: "Books a visit.",
      type: "api",
      allowedNumbers: [],
      apiPath: "https://a.test",
    },
  ],
  filler: { afterMs: 1500, messages: ownWords("en").fillers },
};

/**
 * One call in virtual time whose first provider of one stage has a fault: every time in half of the calls, now and then in the others.
 * A good one stands behind it.
 */
export const faultyCall = async (stage: Stage, fault: Fault, seed: number): Promise<Verdict> => {
  const clock = new VirtualClock();
  const random = new SeededRandom(seed);
  const share = random.fraction() < 0.5 ? 1 : 0.5;
  const never: Luck = () => undefined;
  const luckOf = (of: Stage): Luck => (of === stage ? () => (random.fraction() < share ? fault : undefined) : never);
  const takeovers = new Takeovers();
  const breakers = new Breakers({ clock, logger: silentLogger });
  let counted = 0;
  const metrics = {
    ...noMetrics,
    fallback: () => {
      counted += 1;
    },
  };
  const parts = { clock, logger: silentLogger, metrics, tookOver: takeovers.note };
  const models = [new FaultyModel("first", clock, luckOf("model")), new FaultyModel("second", clock, never)];
  const model = new FallbackModel({
    ...parts,
    candidates: models.map((one) => ({ model: one, modelId: one.name })),
    breakerOf: ({ modelId }) => breakers.of("model", modelId),
  });
  const line = new ScriptedLine(clock, { format: LINE_FORMAT });
  const caller = new Caller(clock, line, random);
  const turns: TurnRecord[] = [];
  const booked: string[] = [];
  const call = prepareCall({
    clock,
    logger: silentLogger,
    metrics: noMetrics,
    pacer: new Pacer(clock),
    rules: compileRules(PLAN, { speculates: true, finalMs: 120 }),
    journal: {
      transcript: () => undefined,
      interim: () => undefined,
      turn: (turn) => {
        turns.push(turn);
        caller.turnOver(turn);
      },
    },
    dialogue: new AnnouncedDialogue(
      createDialogue(PLAN, { models: () => ({ model, modelId: "first" }), clock, logger: silentLogger }),
      announceFunctions(PLAN, random),
      () => Promise.resolve(undefined),
    ),
    transcriber: new FallbackTranscriber({
      ...parts,
      candidates: [
        new FaultyTranscriber("first", clock, luckOf("transcriber")),
        new FaultyTranscriber("second", clock, never),
      ],
      breakerOf: ({ name }) => breakers.of("transcriber", name),
    }),
    keywords: [],
    vad: new ScriptedVad(),
    synthesizer: new FallbackVoice({
      ...parts,
      preferred: new FaultyVoice("first", clock, luckOf("synthesizer")),
      standIn: new FaultyVoice("second", clock, never),
      standInVoiceId: "second",
      breaker: breakers.of("synthesizer", "first"),
    }),
    voice: { voiceId: "first", language: "en", options: {} },
    volumeDb: 0,
    leadMs: 400,
    expectedFormat: LINE_FORMAT,
    invoke: ({ name }) => {
      booked.push(name);
      return Promise.resolve({ type: "result", result: '{"booked":true}' });
    },
    transfer: () => Promise.resolve("failed"),
    takeovers,
  });
  await clock.advance(RING_MS);
  const answeredMs = clock.monotonic();
  const handle = call.answer(line);
  let end: CallEnd | undefined;
  void handle.finished.then((ended) => (end = ended));
  caller.begin();
  await clock.until(() => end !== undefined, LONGEST_CALL_MS).catch(() => undefined);
  const endedMs = clock.monotonic();
  line.close();
  await call.discard();
  caller.close();
  await clock.settle();
  return judge({
    end,
    answeredMs,
    endedMs,
    heard: line.heard,
    spoken: caller.spoken,
    booked,
    turns,
    counted,
    left: clock.pending,
  });
};
