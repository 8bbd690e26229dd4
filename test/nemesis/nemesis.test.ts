import { expect, test } from "vitest";
import { BRIEF_DOUBT, runNemesis } from "./nemesis.ts";

/** Of its faults there is each of the three. */
const SEED = 130;
/** Whatever is slow here is the machine; a dial that is not over by then is stuck. */
const QUIET_MS = 240_000;

test("processes that die and stores that go away call nobody twice, and every dial has one true end that is told once", async () => {
  const { verdict, rung, faults } = await runNemesis({
    seed: SEED,
    forMs: 8_000,
    dialsPerSecond: 2,
    faultEveryMs: 2_500,
    ambiguity: BRIEF_DOUBT,
    faults: ["restart PostgreSQL", "flush Redis", "kill a worker"],
    quietMs: QUIET_MS,
  });
  expect(verdict).toEqual({ twice: [], stuck: [], untrue: [], alive: [], webhooks: [], lost: [] });
  expect(rung).toBeGreaterThan(0);
  expect(Object.keys(faults).length).toBeGreaterThan(0);
}, 600_000);
