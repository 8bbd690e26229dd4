import { DEMO_AGENT_ID, DEMO_NUMBER_ID } from "../../../src/app/demo-workspace.ts";
import { sleep, type Clock } from "../../../src/ports/clock.ts";
import type { RunningService } from "../../kit/service-process.ts";
import { quantilesOf } from "./quantiles.ts";
import type { Row } from "./row.ts";

/** Answers in the simulated network, and never says anything. */
const LISTENER = "+12025550126";
const CALLS = 20;
const APART_MS = 150;
const PATIENCE_MS = 60_000;

/**
 * How long somebody who answers waits for the greeting, whose sound was made while it rang: from the arrival of the carrier's `start` until
 * its first frame is on the line, as the dials tell.
 */
export const greetingRows = async (service: RunningService, clock: Clock): Promise<readonly Row[]> => {
  const under: Promise<number>[] = [];
  // The first one makes the sound, for all.
  await greeted(service);
  for (let count = 0; count < CALLS; count += 1) {
    under.push(greeted(service));
    await sleep(clock, APART_MS);
  }
  const waits = quantilesOf(await Promise.all(under));
  const row = (id: "p50" | "p99", ms: number): Row => ({
    id: `start.greeting.${id}`,
    definition:
      "from the carrier's start frame to the first frame of a greeting whose sound is kept, by the call's own clock",
    unit: "ms",
    engine: ms,
    target: "≤ 5 ms",
    met: ms <= 5,
  });
  return [row("p50", waits.p50), row("p99", waits.p99)];
};

const greeted = async ({ client, until }: RunningService): Promise<number> => {
  const body = { callAgentId: DEMO_AGENT_ID, fromNumberId: DEMO_NUMBER_ID, toNumber: LISTENER };
  const { dialId } = await client.createDial({ body });
  const greeting = ({ transcript = [] }: Awaited<ReturnType<typeof until>>) =>
    transcript.find(({ speaker }) => speaker === "AI");
  const dial = await until(dialId, (one) => greeting(one) !== undefined, PATIENCE_MS);
  await client.hangUpDial({ id: dialId });
  return Math.max(0, greeting(dial)?.startTimeMs ?? Number.NaN);
};
