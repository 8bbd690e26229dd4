import type { Client } from "../../client/client.ts";
import { sleep, type Clock } from "../../ports/clock.ts";
import type { Outcome } from "./report.ts";

export type LoadOrder = Readonly<{
  /** When each call begins, in milliseconds from now and in order. */
  arrivalsMs: readonly number[];
  callAgentId: string;
  fromNumberId: string;
  toNumber: string;
  /** How long one call may take from its creation, in milliseconds. */
  longestMs: number;
}>;

export type LoadDeps = Readonly<{
  client: Pick<Client, "createDial" | "getDial" | "hangUpDial">;
  clock: Clock;
  /** Told of every call that is over. */
  progress?: (done: number) => void;
}>;

/** Each dial is looked at this often, in milliseconds: what is measured stands in the dial, and is no finer for asking more. */
const LOOK_MS = 2_000;

/**
 * Places all calls at their times, whatever became of those before, and waits until each is over. What is not when its time is, and
 * all that is under way when `signal` aborts, is hung up and counts as unfinished. Never rejects.
 */
export const runLoad = async (deps: LoadDeps, order: LoadOrder, signal: AbortSignal): Promise<readonly Outcome[]> => {
  const startMs = deps.clock.monotonic();
  let done = 0;
  const place = async (atMs: number): Promise<Outcome | undefined> => {
    try {
      await sleep(deps.clock, Math.max(0, startMs + atMs - deps.clock.monotonic()), signal);
    } catch {
      return undefined;
    }
    const outcome = await oneCall(deps, order, signal);
    done += 1;
    deps.progress?.(done);
    return outcome;
  };
  const outcomes = await Promise.all(order.arrivalsMs.map(place));
  return outcomes.filter((one) => one !== undefined);
};

const oneCall = async (
  { client, clock }: LoadDeps,
  { callAgentId, fromNumberId, toNumber, longestMs }: LoadOrder,
  signal: AbortSignal,
): Promise<Outcome> => {
  const beganMs = clock.monotonic();
  let id: string;
  try {
    ({ dialId: id } = await client.createDial({ body: { callAgentId, fromNumberId, toNumber } }));
  } catch {
    return { type: "refused" };
  }
  const createMs = clock.monotonic() - beganMs;
  while (clock.monotonic() < beganMs + longestMs && !signal.aborted) {
    // A deployment that does not answer for a moment is asked again; the time is what limits it.
    const dial = await client.getDial({ id }).catch(() => undefined);
    if (dial?.endedAt !== undefined) return { type: "ended", dial, createMs };
    await sleep(clock, LOOK_MS, signal).catch(() => undefined);
  }
  await client.hangUpDial({ id }).catch(() => undefined);
  return { type: "unfinished", createMs };
};
