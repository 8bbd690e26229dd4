import { toError } from "../kit/errors.ts";
import { withDeadline, type Clock } from "../ports/clock.ts";
import type { DueErasure, Erasures } from "../ports/erasures.ts";
import type { LiveState } from "../ports/live.ts";
import type { Logger } from "../ports/logger.ts";
import type { Random } from "../ports/random.ts";
import type { Recorder } from "../ports/recorder.ts";
import { dialNotFound } from "./read-dial.ts";
import { Refusal } from "./refusal.ts";

export type EraseDeps = Readonly<{
  clock: Clock;
  random: Random;
  logger: Logger;
  erasures: Erasures;
  recorder: Pick<Recorder, "remove">;
  live: Pick<LiveState, "forget">;
}>;

/** How long one dial may take; what was not done by then is tried again. */
const ERASE_MS = 20_000;

/** Dials that a request erases itself; those beyond are left to the next round of housekeeping. */
const AT_ONCE = 50;

/**
 * Erases what a dial tells of the person: sound first, the live stream, then the records, which note it. A part that fails leaves
 * the dial marked, so that all of it is done again.
 *
 * @throws the error of the part that failed, or `DeadlineExceeded`.
 */
export const eraseNow = async (deps: EraseDeps, due: DueErasure): Promise<void> => {
  const { clock, erasures, live, recorder, random } = deps;
  const work = async () => {
    await recorder.remove(due.dialId);
    await live.forget(due.dialId);
    await erasures.erase(due, random.id());
  };
  await withDeadline(clock, ERASE_MS, "erasing a dial", work());
};

/**
 * Erases a dial for a customer. False: a store did not answer, and it is done later, without being asked again.
 *
 * @throws {Refusal} `dial_not_found`, also for a dial of another workspace; `dial_not_over`.
 */
export const eraseDial = async (deps: EraseDeps, workspaceId: string, dialId: string): Promise<boolean> => {
  const marked = await deps.erasures.markDial(workspaceId, dialId);
  if (marked === "unknown") throw dialNotFound();
  if (marked === "open")
    throw new Refusal("dial_not_over", "A call that goes on cannot be erased. Hang up first, and ask again.");
  return tryErasing(deps, { dialId, workspaceId, cause: "dial" });
};

/** Erases the dials of a workspace that were marked a moment ago, as many as a request has time for. */
export const eraseMarked = async (deps: EraseDeps, workspaceId: string): Promise<void> => {
  for (const due of await deps.erasures.findMarked(AT_ONCE, workspaceId)) if (!(await tryErasing(deps, due))) return;
};

/** False, with a line in the log, when it did not work. */
export const tryErasing = async (deps: EraseDeps, due: DueErasure): Promise<boolean> => {
  try {
    await eraseNow(deps, due);
    return true;
  } catch (error) {
    deps.logger.warn("a dial could not be erased yet", { dialId: due.dialId, error: toError(error) });
    return false;
  }
};
