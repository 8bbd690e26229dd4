import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { check, History, type Story } from "./history.ts";
import type { Fault } from "./sim-process.ts";

const USUAL: Story["script"] = {
  answers: ["accepted"],
  answerMs: 200,
  person: "answers",
  ringMs: 3_000,
  callbackMs: 200,
  listMs: 1_000,
};

/** Ways through a dial that together await everything that is awaited on its way. */
const STORIES: Readonly<Record<string, Story>> = {
  "the agent hangs up": { script: USUAL, agentHangsUpMs: 8_000, calledOffAt: undefined },
  "the carrier's answer is lost, and so are its callbacks": {
    script: { ...USUAL, answers: ["lost-after"], callbacks: false, ringMs: 9_000, talkMs: 7_000 },
    agentHangsUpMs: undefined,
    calledOffAt: undefined,
  },
  "the dial is called off while it rings": {
    script: { ...USUAL, ringMs: 20_000 },
    agentHangsUpMs: undefined,
    calledOffAt: 6_000,
  },
};

/** Of the ports that a dial goes through; whatever the code awaits of them stands here, and a test below holds it to that. */
const AWAITED = [
  "carrier.hangUp",
  "carrier.lookUp",
  "carrier.place",
  "dials.advance",
  "dials.attachCall",
  "dials.beat",
  "dials.claim",
  "dials.end",
  "dials.endClientless",
  "dials.expireQueued",
  "dials.findUnconfirmed",
  "dials.findUnqueued",
  "dials.findWeaklyEnded",
  "dials.intendHangUp",
  "dials.peek",
  "dials.saveRecording",
  "dials.saveTranscript",
  "dials.takeOverLapsed",
  "dials.transcriptComplete",
  "live.issueTicket",
  "live.onCommand",
  "queue.consume",
] as const;

/** Awaited only on other ways: by calls that are transferred or whose turns are counted, and when a drain or the reaper makes jobs. */
const ELSEWHERE = ["carrier.transfer", "dials.enqueued", "dials.saveTurns", "queue.add"] as const;

/** What may befall the process at a step: it dies, stands still for three to 300 s, or its statement fails before or after its effect. */
const faultsAt = (step: number): readonly Fault[] => [
  { step, type: "kill" },
  { step, type: "pause", ms: 3_000 },
  { step, type: "pause", ms: 3_000 + ((step * 7_919) % 297_000) },
  { step, type: "statement-fails", effect: step % 2 === 0 },
];

const play = async (story: Story, faults: readonly Fault[]): Promise<History> => {
  const history = new History(1, { story, faults: () => faults });
  await history.run();
  return history;
};

test.for(Object.entries(STORIES))(
  "whatever befalls a worker at any await, nobody is called twice and the end is true: %s",
  { timeout: 120_000 },
  async ([, story]) => {
    const { stepsToTheEnd } = await play(story, []);
    expect(stepsToTheEnd.length).toBeGreaterThan(40);
    for (const [step, what] of stepsToTheEnd.entries())
      for (const fault of faultsAt(step)) {
        if (fault.type === "statement-fails" && !what.startsWith("dials.")) continue;
        check(await play(story, [fault]), step);
      }
  },
);

test("the awaits that are tried are those of the code, all of them", async () => {
  const tried = new Set<string>();
  for (const story of Object.values(STORIES)) for (const what of (await play(story, [])).stepsToTheEnd) tried.add(what);
  expect([...tried].toSorted()).toEqual(AWAITED);
  expect([...new Set(awaitedBySource())].toSorted()).toEqual([...AWAITED, ...ELSEWHERE].toSorted());
});

/** Calls of the four ports in the code of dials and workers that answer with promises. */
const awaitedBySource = (): readonly string[] => {
  const root = join(import.meta.dirname, "../../src");
  const files = [
    ...readdirSync(join(root, "worker")).map((name) => join(root, "worker", name)),
    ...["end-dial.ts", "journal.ts"].map((name) => join(root, "dials", name)),
  ].filter((path) => path.endsWith(".ts") && !NOT_ON_THE_WAY.some((name) => path.endsWith(name)));
  return files.flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(/\b(dials|live|queue|carrier)\s*\.(\w+)\(/gu)].flatMap(([, port, method]) =>
      method === "publish" ? [] : [`${port}.${method}`],
    ),
  );
};

/** Sockets of carriers and browsers, which go through other ports, and what looks after recordings and old dials. */
const NOT_ON_THE_WAY = [
  // The queue in a worker's memory, whose parts have these names too.
  "admission.ts",
  "media-gateway.ts",
  "browser-gateway.ts",
  "carrier-host.ts",
  "forward-media.ts",
  "visit.ts",
  "housekeeper.ts",
  "recording-keeper.ts",
];
