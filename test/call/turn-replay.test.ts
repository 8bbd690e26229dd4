import { expect, test } from "vitest";
import { TurnReplay } from "../../src/call/turn-replay.ts";

const FORMAT = { encoding: "mulaw", sampleRate: 8000 } as const;

/** A replay as a list: how many milliseconds were pushed, and what was said in between. */
const replayed = (replay: TurnReplay): readonly (string | number)[] => {
  const list: (string | number)[] = [];
  replay.into({ speech: (change, atMs) => list.push(`${change} ${atMs}`) }, (payload) => {
    const last = list.at(-1);
    if (typeof last === "number") list.splice(-1, 1, last + payload.length / 8);
    else list.push(payload.length / 8);
  });
  return list;
};

const push = (replay: TurnReplay, ms: number) => {
  for (let at = 0; at < ms; at += 20) replay.push(new Uint8Array(160));
};

test("a turn begins half a second before its first speech", () => {
  const replay = new TurnReplay(FORMAT);
  push(replay, 3000);
  replay.speech("started", 2880);
  push(replay, 1000);
  replay.speech("ended", 3800);
  push(replay, 100);
  expect(replay.fromMs).toBe(2380);
  expect(replayed(replay)).toEqual([620, "started 500", 1000, "ended 1420", 100]);
});

test("the next turn begins when one was taken, or with the speech that is under way", () => {
  const replay = new TurnReplay(FORMAT);
  push(replay, 1000);
  replay.speech("started", 900);
  push(replay, 500);
  replay.speech("ended", 1400);
  replay.turnTaken();
  expect(replayed(replay)).toEqual([]);
  push(replay, 1500);
  replay.speech("started", 2900);
  push(replay, 200);
  replay.turnTaken();
  expect(replayed(replay)).toEqual([600, "started 500", 200]);
});

test("sound that a final text tells already is left out, and whoever was speaking there still is", () => {
  const replay = new TurnReplay(FORMAT);
  push(replay, 1000);
  replay.speech("started", 900);
  push(replay, 2000);
  replay.startAt(2500);
  push(replay, 100);
  replay.speech("ended", 3000);
  expect(replayed(replay)).toEqual(["started 0", 600, "ended 500"]);
});

test("of a turn without an end the last half minute is kept", () => {
  const replay = new TurnReplay(FORMAT);
  replay.speech("started", 0);
  push(replay, 40_000);
  expect(replay.fromMs).toBe(10_000);
  expect(replayed(replay)).toEqual(["started 0", 30_000]);
});
