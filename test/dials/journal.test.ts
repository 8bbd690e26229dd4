import { expect, test } from "vitest";
import { Journal, SPOOL_BYTES } from "../../src/dials/journal.ts";
import type { TranscriptEntry } from "../../src/model/transcript.ts";
import type { TurnRecord } from "../../src/model/turn-record.ts";
import type { LiveEvent } from "../../src/model/live-event.ts";
import { SeededRandom } from "../kit/seeded-random.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

const entry = (text: string): TranscriptEntry => ({
  text,
  speaker: "AI",
  detailType: null,
  startTimeMs: 0,
  endTimeMs: 1,
});
const turn = (index: number): TurnRecord => ({ index, startMs: 0, endReason: "opening", interrupted: false });

const setUp = () => {
  const clock = new VirtualClock();
  const events: LiveEvent[] = [];
  const saves: { at: number; texts: string[] }[] = [];
  const rows: string[] = [];
  const turns: number[] = [];
  const completed: string[] = [];
  const logged: string[] = [];
  const state = { away: false, hangs: false };
  const log = (message: string) => void logged.push(message);
  const answer = async (write: () => void) => {
    if (state.hangs) await new Promise(() => undefined);
    if (state.away) throw new Error("away");
    write();
  };
  const journal = new Journal(
    {
      clock,
      random: new SeededRandom(1),
      logger: { debug: log, info: log, warn: log, error: log, child: () => expect.unreachable() },
      live: { publish: (_dialId, event) => void events.push(event) },
      dials: {
        saveTranscript: (_dialId, entries) =>
          answer(() => {
            saves.push({ at: clock.monotonic(), texts: entries.map((one) => one.entry.text) });
            for (const one of entries) rows[one.index] = one.entry.text;
          }),
        saveTurns: (_dialId, records) => answer(() => void turns.push(...records.map((record) => record.index))),
        transcriptComplete: (dialId) => answer(() => void completed.push(dialId)),
      },
    },
    "d1",
  );
  return { clock, events, saves, rows, turns, completed, logged, state, journal };
};

test("followers learn at once, the store within a quarter of a second, in one statement", async () => {
  const { clock, events, saves, turns, journal } = setUp();
  journal.transcript(0, entry("one"));
  journal.interim("tw");
  journal.turn(turn(0));
  expect(events.map((event) => event.type)).toEqual(["transcript", "interim", "turn"]);
  await clock.advance(100);
  journal.transcript(1, entry("two"));
  journal.transcript(1, entry("two, longer"));
  await clock.advance(149);
  expect(saves).toEqual([]);
  await clock.advance(1);
  expect(saves).toEqual([{ at: 250, texts: ["one", "two, longer"] }]);
  expect(turns).toEqual([0]);
  await clock.advance(1_000);
  expect(saves).toHaveLength(1);
  expect(clock.pending).toBe(0);
});

test("what changes while it is being written is written again", async () => {
  const { clock, rows, journal } = setUp();
  journal.transcript(0, entry("one"));
  await clock.advance(249);
  const flushing = journal.flush(1_000);
  journal.transcript(0, entry("one, longer"));
  expect(await flushing).toBe(true);
  expect(rows).toEqual(["one, longer"]);
});

test("a flush writes at once and says whether everything is in the store", async () => {
  const { clock, saves, state, journal } = setUp();
  journal.transcript(0, entry("one"));
  expect(await journal.flush(1_000)).toBe(true);
  expect(saves).toEqual([{ at: 0, texts: ["one"] }]);
  state.away = true;
  journal.transcript(1, entry("two"));
  let flushed: boolean | undefined;
  void journal.flush(1_000).then((all) => {
    flushed = all;
  });
  await clock.advance(999);
  expect(flushed).toBe(undefined);
  await clock.advance(1);
  expect(flushed).toBe(false);
  state.away = false;
  expect(await journal.flush(1_000)).toBe(true);
  await journal.close();
  expect(clock.pending).toBe(0);
});

test("a store that is away for half a minute loses nothing, and one that hangs does not hang the call", async () => {
  const { clock, rows, state, logged, journal } = setUp();
  state.away = true;
  for (let index = 0; index < 60; index++) {
    journal.transcript(index, entry(`entry ${index}`));
    await clock.advance(500);
  }
  expect(rows).toEqual([]);
  state.away = false;
  await clock.advance(2_500);
  expect(rows).toEqual(Array.from({ length: 60 }, (_, index) => `entry ${index}`));
  expect(logged).toEqual(["a call's journal waits in memory"]);
  state.hangs = true;
  journal.transcript(60, entry("last"));
  await clock.advance(5_250);
  state.hangs = false;
  await clock.advance(2_500);
  expect(rows[60]).toBe("last");
});

test("beyond its bound the journal keeps the oldest and counts the rest", async () => {
  const { clock, rows, state, logged, journal } = setUp();
  state.away = true;
  const text = "x".repeat(999_900);
  for (let index = 0; index < 8; index++) journal.transcript(index, entry(text));
  expect(SPOOL_BYTES).toBe(5_000_000);
  expect(journal.dropped).toBe(3);
  journal.transcript(8, entry("short enough"));
  state.away = false;
  await clock.advance(2_500);
  expect([...rows].map((row: string | undefined) => row?.length)).toEqual([
    ...Array.from({ length: 5 }, () => 999_900),
    undefined,
    undefined,
    undefined,
    12,
  ]);
  await journal.close();
  expect(logged.at(-1)).toBe("part of a call was not written down");
});

test("an abandoned journal writes nothing more", async () => {
  const { clock, events, saves, journal } = setUp();
  journal.transcript(0, entry("one"));
  journal.abandon();
  journal.transcript(1, entry("two"));
  expect(await journal.flush(1_000)).toBe(true);
  await clock.advance(10_000);
  expect(saves).toEqual([]);
  expect(events).toHaveLength(1);
  expect(clock.pending).toBe(0);
});

test("the store is told that a transcript is whole, and is not when part of it was lost or it is somebody else's", async () => {
  const whole = setUp();
  whole.journal.transcript(0, entry("one"));
  await whole.journal.flush(1_000);
  await Promise.all([whole.journal.close(), whole.journal.close()]);
  expect(whole.completed).toEqual(["d1"]);
  const lost = setUp();
  lost.state.away = true;
  lost.journal.transcript(0, entry("one"));
  await lost.journal.close();
  const abandoned = setUp();
  abandoned.journal.abandon();
  await abandoned.journal.close();
  expect([...lost.completed, ...abandoned.completed]).toEqual([]);
});

test("a store that does not hear that a transcript is whole holds nothing up for long", async () => {
  const { clock, journal, state, logged } = setUp();
  state.hangs = true;
  const closing = journal.close();
  await clock.advance(5_000);
  await closing;
  expect(logged).toHaveLength(1);
  expect(clock.pending).toBe(0);
});
