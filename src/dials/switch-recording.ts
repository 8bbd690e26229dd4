import { toError } from "../kit/errors.ts";
import type { RecordingAction } from "../model/recording-switch.ts";
import { withDeadline, type Clock } from "../ports/clock.ts";
import type { LiveState } from "../ports/live.ts";
import type { Logger } from "../ports/logger.ts";
import type { DialStore } from "../ports/store.ts";
import { failure } from "./function-answer.ts";
import { dialNotFound } from "./read-dial.ts";
import { Refusal } from "./refusal.ts";

/** What changing the recording of a call takes; `live` is absent where calls are only rehearsed. */
export type SwitchDeps = Readonly<{ clock: Clock; logger: Logger; live?: Pick<LiveState, "command"> }>;

/** The worker that holds the call may take so long to hear of it. */
const COMMAND_MS = 3000;

/**
 * Allows, pauses or resumes the recording of a call that goes on.
 *
 * @throws {Refusal} `dial_not_found`, also for a dial of another workspace; `call_not_live` when nobody is on the line, or nobody who holds
 * the call has heard of it, so that nothing has changed.
 */
export const switchRecording = async (
  deps: SwitchDeps & Readonly<{ dials: Pick<DialStore, "peek"> }>,
  { workspaceId, dialId, action }: Readonly<{ workspaceId: string; dialId: string; action: RecordingAction }>,
): Promise<void> => {
  const dial = await deps.dials.peek(dialId);
  if (dial?.workspaceId !== workspaceId) throw dialNotFound();
  if (dial.state !== "IN_PROGRESS" || !(await tell(deps, dialId, action)))
    throw new Refusal("call_not_live", "Nothing was changed: nobody who holds this call was reached. Is it going on?");
};

/** The person has said that the call may be recorded; answers what the model is told. Never rejects. */
export const allowRecording = async (deps: SwitchDeps, dialId: string): Promise<string> => {
  if (deps.live === undefined || (await tell(deps, dialId, "start")))
    return JSON.stringify({ ok: true, message: "The call is recorded from now on." });
  return failure("not_recorded", "The recording could not be begun. Go on without it.");
};

const tell = async (deps: SwitchDeps, dialId: string, action: RecordingAction): Promise<boolean> => {
  const telling = deps.live?.command(dialId, { type: "recording", action }) ?? Promise.resolve(false);
  try {
    return await withDeadline(deps.clock, COMMAND_MS, "changing a recording", telling);
  } catch (error) {
    deps.logger.warn("a recording was not changed", { dialId, error: toError(error) });
    return false;
  }
};
