import { toError } from "../kit/errors.ts";
import type { AnsweredBy, CarrierReport } from "../ports/carrier.ts";
import type { LiveState } from "../ports/live.ts";
import type { Logger } from "../ports/logger.ts";
import type { DialStore } from "../ports/store.ts";
import type { OpenDial } from "../ports/unattended-dials.ts";
import { endDial, type EndDialDeps } from "./end-dial.ts";

export type ReportDeps = Readonly<{
  dials: Pick<DialStore, "peek" | "advance" | "end">;
  live: Pick<LiveState, "publish" | "command" | "isHeard">;
  metrics: EndDialDeps["metrics"];
  logger: Logger;
}>;

/**
 * Takes a carrier's word on a call. Reports may come twice, late and in any order: a dial only moves forward, and an ending by
 * the carrier outweighs what we observed ourselves.
 */
export const report = async (deps: ReportDeps, { dialId, call, answeredBy }: CarrierReport): Promise<void> => {
  const dial = await deps.dials.peek(dialId);
  if (dial === undefined) return;
  if (dial.carrierCallId !== null && dial.carrierCallId !== call.callId) {
    deps.logger.warn("a carrier reported on another call of a dial; the report is ignored", { dialId });
    return;
  }
  if (answeredBy !== undefined) await tell(deps, dialId, answeredBy);
  if (call.state === "ended") {
    if (call.end.cause === "completed" && call.end.endedBy === undefined && !(await isDecidable(deps, dial))) return;
    await endDial(deps, dialId, { evidence: 3, type: "carrier", end: call.end });
    return;
  }
  const state = call.state === "ringing" ? "RINGING" : "IN_PROGRESS";
  if (await deps.dials.advance(dialId, state))
    deps.live.publish(dialId, { type: "status", status: call.state, systemResultType: null });
};

/**
 * "Completed" without a word of who hung up is said of every call that was connected, also of one whose sound broke off because its worker
 * died. The end of such a call is left to the reaper, for which the worker is lost once its lease has lapsed; and while nobody can say
 * whether the worker lives, to whoever of both comes first.
 */
const isDecidable = async ({ live, logger }: ReportDeps, dial: OpenDial): Promise<boolean> => {
  if (dial.state === "ENDED" || dial.state === "QUEUED" || dial.hangupIntent !== null) return true;
  try {
    return await live.isHeard(dial.dialId);
  } catch (error) {
    logger.warn("whether a call's worker lives is not known; its end is left to it or to the reaper", {
      dialId: dial.dialId,
      error: toError(error),
    });
    return false;
  }
};

/** Evidence for whoever holds the call; without it the call goes by words and sound alone. */
const tell = async ({ live, logger }: ReportDeps, dialId: string, by: AnsweredBy): Promise<void> => {
  try {
    await live.command(dialId, { type: "answered-by", by });
  } catch (error) {
    logger.warn("who has answered could not be told to the call", { dialId, error: toError(error) });
  }
};
