import { expect, test } from "vitest";
import type { LineageLook, MarkKeeper, StoreMark } from "../../src/ports/lineage.ts";
import { LineageWatch } from "../../src/worker/lineage-watch.ts";
import { silentLogger } from "../kit/silent-logger.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

const mark = (position: string): StoreMark => ({ generation: "g", position });

const keeper = (kept: StoreMark | undefined): MarkKeeper & Readonly<{ marks: StoreMark[] }> => {
  const marks: StoreMark[] = [];
  return {
    marks,
    read: () => Promise.resolve(kept),
    keep: (one) => {
      marks.push(one);
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
};

/** A place that never answers. */
const silent: MarkKeeper = {
  read: () => new Promise(() => undefined),
  keep: () => new Promise(() => undefined),
  close: () => Promise.resolve(),
};

const rig = (answers: readonly (LineageLook | Error)[], keepers: readonly MarkKeeper[]) => {
  const clock = new VirtualClock();
  const seen: (readonly StoreMark[])[] = [];
  const errors: unknown[] = [];
  const warnings: unknown[] = [];
  const logger = {
    ...silentLogger(),
    error: (...words: unknown[]) => void errors.push(words),
    warn: (...words: unknown[]) => void warnings.push(words),
  };
  const look = (marks: readonly StoreMark[]): Promise<LineageLook> => {
    const answer = answers[Math.min(seen.length, answers.length - 1)] as LineageLook | Error;
    seen.push(marks);
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  return { clock, seen, errors, warnings, watch: new LineageWatch({ clock, logger, lineage: { look }, keepers }) };
};

test("the first look has every mark that was kept, and each look is kept for the next start", async () => {
  const file = keeper(mark("0/1"));
  const redis = keeper(mark("0/2"));
  const { clock, seen, watch } = rig([{ mark: mark("0/3") }, { mark: mark("0/4") }], [file, redis, keeper(undefined)]);
  await watch.start();
  await clock.advance(2_000);
  expect(seen).toEqual([[mark("0/1"), mark("0/2")], []]);
  expect(file.marks).toEqual([mark("0/3"), mark("0/4")]);
  expect(redis.marks).toEqual([mark("0/3"), mark("0/4")]);
  await watch.stop();
  expect(clock.pending).toBe(0);
});

test("a place that does not answer is done without", async () => {
  const file = keeper(mark("0/1"));
  const { clock, seen, watch } = rig([{ mark: mark("0/3") }], [silent, file]);
  let started = false;
  const starting = watch.start().then(() => (started = true));
  await clock.advance(2_500);
  await starting;
  expect(started).toBe(true);
  expect(seen).toEqual([[mark("0/1")]]);
  await clock.advance(10_000);
  expect(seen.length).toBeGreaterThan(2);
  const stopping = watch.stop();
  await clock.advance(3_000);
  await stopping;
  expect(clock.pending).toBe(0);
});

test("a loss is told once, and a database that is away tells nothing and is asked again", async () => {
  const file = keeper(undefined);
  const away = new Error("away");
  const { clock, errors, warnings, watch } = rig(
    [{ mark: mark("0/9") }, away, away, { mark: mark("0/1"), quarantined: 7 }, { mark: mark("0/2") }],
    [file],
  );
  await watch.start();
  await clock.advance(10_000);
  expect(warnings).toHaveLength(1);
  expect(errors).toEqual([[expect.stringContaining("quarantine release"), { count: 7 }]]);
  expect(file.marks.slice(0, 3)).toEqual([mark("0/9"), mark("0/1"), mark("0/2")]);
  await watch.stop();
  expect(clock.pending).toBe(0);
});

test("a start on a database that cannot be looked at fails", async () => {
  const { watch } = rig([new Error("away")], [keeper(undefined)]);
  await expect(watch.start()).rejects.toThrow("away");
});
