import { expect, test } from "vitest";
import { SystemClock } from "../../../src/adapters/clock/system.ts";

test("timers fire in order of their due time and time goes on meanwhile", async () => {
  const clock = new SystemClock();
  const before = clock.monotonic();
  const order: string[] = [];
  await new Promise<void>((resolve) => {
    clock.setTimer(12, () => {
      order.push("late");
      resolve();
    });
    clock.setTimer(-5, () => order.push("at once"));
  });
  expect(order).toEqual(["at once", "late"]);
  expect(clock.monotonic() - before).toBeGreaterThanOrEqual(11);
});

test("a cancelled timer does not fire, and cancelling twice does nothing", async () => {
  const clock = new SystemClock();
  let fired = false;
  const timer = clock.setTimer(1, () => {
    fired = true;
  });
  timer.cancel();
  timer.cancel();
  await new Promise<void>((resolve) => {
    clock.setTimer(10, resolve);
  });
  expect(fired).toBe(false);
});

test("a wait beyond the longest timer of Node does not fire at once", async () => {
  const clock = new SystemClock();
  let fired = false;
  const timer = clock.setTimer(2 ** 40, () => {
    fired = true;
  });
  await new Promise<void>((resolve) => {
    clock.setTimer(10, resolve);
  });
  timer.cancel();
  expect(fired).toBe(false);
});
