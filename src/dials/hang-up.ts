import { callEnd } from "../model/call-end.ts";
import { toError } from "../kit/errors.ts";
import type { LiveState } from "../ports/live.ts";
import type { Logger } from "../ports/logger.ts";
import type { DialStore } from "../ports/store.ts";
import { endDial, type EndDialDeps } from "./end-dial.ts";
import { dialNotFound } from "./read-dial.ts";

export type HangUpDeps = Readonly<{
  dials: Pick<DialStore, "peek" | "intendHangUp" | "end">;
  live: Pick<LiveState, "publish" | "command">;
  metrics: EndDialDeps["metrics"];
  logger: Logger;
}>;

/**
 * Ends a dial for a customer: at once when nobody was rung for it yet, else by asking the worker that holds the call. The reason
 * is noted before anything happens, so that whoever ends the call in the end knows it. A dial that is over stays as it is.
 *
 * @throws {Refusal} `dial_not_found`, also for a dial of another workspace.
 */
export const hangUp = async (deps: HangUpDeps, workspaceId: string, dialId: string): Promise<void> => {
  const dial = await deps.dials.peek(dialId);
  if (dial?.workspaceId !== workspaceId) throw dialNotFound();
  if (dial.state === "ENDED") return;
  const endReason = dial.state === "IN_PROGRESS" ? "operator_hangup" : "canceled";
  await deps.dials.intendHangUp(dialId, endReason, "api");
  if (dial.state === "QUEUED") {
    // A worker may have claimed it meanwhile: its next fenced write fails, and it lets go of the call.
    await endDial(deps, dialId, { evidence: 2, type: "observed", end: callEnd("canceled", "api") });
  }
  await command(deps, dialId, endReason);
};

const command = async (deps: HangUpDeps, dialId: string, endReason: "operator_hangup" | "canceled"): Promise<void> => {
  try {
    await deps.live.command(dialId, { type: "hang-up", endReason });
  } catch (error) {
    deps.logger.warn("a hang-up did not reach the call's worker; the noted intent will end it", {
      dialId,
      error: toError(error),
    });
  }
};
