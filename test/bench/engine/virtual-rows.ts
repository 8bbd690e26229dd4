import { medianOf } from "./quantiles.ts";
import { ratioOf, type Row } from "./row.ts";
import { engineCalls, floorCalls } from "./virtual-calls.ts";

const CALLS = 10;
const MS = 10_000;

/** With less of a core than this, what was interrupted has to fetch its memory again and again, which the bigger program pays for. */
const LEAST_SHARE = 0.7;

/** A machine that is too busy for an answer is not asked for longer than this, in milliseconds. */
const MOST_MS = 15_000;

/**
 * What a call costs beside sockets and store, in virtual time: this thread's processor time only, engine and floor in turns, so that the
 * ratio hardly knows what else the machine does.
 */
export const virtualRows = async (rounds: number): Promise<readonly Row[]> => {
  const late = patience();
  for (let warm = 0; warm < 4 && !late(); warm += 1) {
    await floorCalls(CALLS, MS);
    await engineCalls(CALLS, MS);
  }
  const engine: number[] = [];
  const floor: number[] = [];
  const ratios: number[] = [];
  const before = process.threadCpuUsage();
  const began = performance.now();
  for (let round = 0; round === 0 || (round < rounds && !late()); round += 1) {
    const least = await floorCalls(CALLS, MS);
    const ours = await engineCalls(CALLS, MS);
    if (least.clears === 0 || ours.clears < least.clears || ours.media < 0.9 * least.media)
      throw new Error("the calls in virtual time did not go as they should");
    floor.push(least.cpuMs);
    engine.push(ours.cpuMs);
    ratios.push(ratioOf(ours.cpuMs, least.cpuMs) ?? Number.NaN);
  }
  const { user, system } = process.threadCpuUsage(before);
  const share = (user + system) / 1000 / (performance.now() - began);
  return [
    {
      id: "call.path",
      definition:
        "processor time of a scripted call from a carrier's message to the message to it, without socket and store, a call-second",
      unit: "ms",
      engine: medianOf(engine),
      floor: medianOf(floor),
      ratio: medianOf(ratios),
      target: "≤ 2 × floor",
      met: medianOf(ratios) <= 2,
      gated: true,
      void: share < LEAST_SHARE ? `this thread had ${Math.round(100 * share)} % of a core` : undefined,
    },
  ];
};

const patience = (): (() => boolean) => {
  const until = performance.now() + MOST_MS;
  return () => performance.now() > until;
};
