import { beforeEach, expect, test } from "vitest";
import type { CallPlan } from "../../src/model/call-plan.ts";
import type { LiveEvent } from "../../src/model/live-event.ts";
import { afterAction } from "../../src/model/recording-switch.ts";
import type { NewRecording } from "../../src/ports/recorder.ts";
import type { KeptRecording } from "../../src/ports/recording-records.ts";
import { Tape } from "../../src/worker/tape.ts";
import { testPlan } from "../kit/dial-plans.ts";
import { SeededRandom } from "../kit/seeded-random.ts";
import { silentLogger } from "../kit/silent-logger.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

let clock: VirtualClock;
let rows: KeptRecording[];
let opened: NewRecording[];
let written: { side: string; atMs: number }[];
let events: LiveEvent[];

beforeEach(() => {
  clock = new VirtualClock();
  rows = [];
  opened = [];
  written = [];
  events = [];
});

const tapeOf = (parts: Partial<CallPlan> = {}): Tape =>
  new Tape(
    {
      clock,
      random: new SeededRandom(1),
      logger: silentLogger(),
      live: { publish: (_, event) => void events.push(event) },
      dials: { saveRecording: async (_, row) => void rows.push(row) },
      recorder: {
        open: async (recording) => {
          opened.push(recording);
          return {
            write: (side, _, atMs) => void written.push({ side, atMs }),
            close: async () => ({ durationMs: 2000.4 }),
          };
        },
      },
    },
    testPlan({ dialId: "d1", ...parts }),
  );

/** Both sides speak at a moment of the call. */
const speak = (stream: Awaited<ReturnType<Tape["start"]>>, atMs: number) => {
  for (const side of ["caller", "agent"] as const) stream?.write(side, new Int16Array(160), atMs);
};

const times = () => [...new Set(written.map(({ atMs }) => atMs))];

test("a recording has its row from its beginning, and its length when it is whole", async () => {
  const tape = tapeOf({ recording: { format: "ogg" } });
  const stream = await tape.start(8000);
  expect(opened).toMatchObject([{ dialId: "d1", sampleRate: 8000, format: "ogg" }]);
  expect(rows).toMatchObject([{ id: opened[0]?.recordingId, durationMs: 0, incomplete: true }]);
  speak(stream, 0);
  expect(await tape.keep()).toBe(true);
  expect(rows).toMatchObject([{}, { id: opened[0]?.recordingId, durationMs: 2000 }]);
  expect(rows[1]?.incomplete).toBeUndefined();
  expect(rows[1]?.allowedAt).toBeUndefined();
});

test("where it must be asked for, nothing is recorded until it is allowed, and the times stay those of the call", async () => {
  const tape = tapeOf({ recording: { requireConsent: true } });
  const startedAt = new Date(clock.now()).toISOString();
  const stream = await tape.start(8000);
  speak(stream, 0);
  tape.change("resume");
  tape.change("pause");
  speak(stream, 20);
  expect([opened, written, rows, events]).toEqual([[], [], [], []]);
  await clock.advance(5000);
  tape.change("start");
  await clock.settle();
  speak(stream, 5000);
  expect(opened).toHaveLength(1);
  expect(times()).toEqual([5000]);
  expect(events).toEqual([{ type: "recording", state: "on" }]);
  await tape.keep();
  const allowedAt = new Date(clock.now()).toISOString();
  expect(rows.at(-1)).toMatchObject({ startedAt, allowedAt });
});

test("what was never allowed leaves nothing", async () => {
  const tape = tapeOf({ recording: { requireConsent: true } });
  speak(await tape.start(8000), 0);
  expect(await tape.keep()).toBe(true);
  tape.change("start");
  await clock.settle();
  expect([opened, rows]).toEqual([[], []]);
});

test("what is allowed before somebody answers is recorded from the answer on", async () => {
  const tape = tapeOf({ recording: { requireConsent: true } });
  tape.change("start");
  expect(opened).toEqual([]);
  speak(await tape.start(8000), 0);
  expect(times()).toEqual([0]);
});

test("a pause silences both sides at once, and time goes on", async () => {
  const tape = tapeOf();
  const stream = await tape.start(8000);
  speak(stream, 0);
  tape.change("pause");
  speak(stream, 20);
  tape.change("pause");
  tape.change("start");
  speak(stream, 40);
  tape.change("resume");
  speak(stream, 60);
  expect(written).toEqual([0, 60].flatMap((atMs) => ["caller", "agent"].map((side) => ({ side, atMs }))));
  expect(events.map((event) => (event.type === "recording" ? event.state : event.type))).toEqual(["paused", "on"]);
});

test("a call that is not to be recorded is not recorded by any action", async () => {
  const tape = tapeOf({ unrecorded: true });
  for (const action of ["start", "resume"] as const) tape.change(action);
  expect(await tape.start(8000)).toBeUndefined();
  tape.change("start");
  expect([opened, events]).toEqual([[], []]);
});

test("no action but the permission begins a recording", () => {
  expect((["start", "pause", "resume"] as const).map((action) => afterAction("off", action))).toEqual([
    "on",
    "off",
    "off",
  ]);
});
