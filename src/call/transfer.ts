import { functionAnswered, lateFunctionAnswer } from "./agent-reply.ts";
import type { Draft } from "./draft.ts";
import { apologize, finish, lineGone } from "./ending.ts";
import type { CallHappening } from "./events.ts";
import { operatorTransferFailed } from "./operator.ts";

type Wanted = Extract<CallHappening, { type: "transfer-wanted" }>;

/**
 * The other party is to be connected elsewhere. What the agent says of it is heard to its end and not interrupted; then the carrier
 * is asked (`agent-reply.ts` sees when the reply is done).
 */
export const transferWanted = (draft: Draft, { reply, callId, name, to, summary }: Wanted): void => {
  const wish = { to, ...(summary === undefined ? {} : { summary }) };
  const { phase, transfer } = draft.state;
  if (draft.state.reply?.id !== reply) {
    lateFunctionAnswer(draft, { callId, name, result: INTERRUPTED });
    return;
  }
  if (phase !== "live" || transfer !== undefined) {
    functionAnswered(draft, { callId, name, result: ANOTHER });
    return;
  }
  draft.set({
    transfer: { by: "function", reply, callId, name, ...wish, asked: false, lineGone: undefined },
    paused: false,
  });
  draft.setReply({ interruptible: false });
  draft.cancelTimers("barge-in", "false-alarm", "suspicion");
  draft.emit({ type: "resume-playback" });
};

/** The carrier has connected them, or could not: then they hear why, and the conversation goes on. */
export const transferEnded = (draft: Draft, transferred: boolean): void => {
  const { transfer } = draft.state;
  if (transfer === undefined) return;
  draft.set({ transfer: undefined });
  if (transferred) {
    finish(draft, "transferred", transfer.by === "operator" ? "api" : "agent");
    return;
  }
  if (transfer.lineGone !== undefined) {
    lineGone(draft, transfer.lineGone);
    return;
  }
  if (transfer.by === "operator") {
    operatorTransferFailed(draft);
    return;
  }
  if (draft.state.gaveUp !== undefined) {
    apologize(draft, draft.state.gaveUp);
    return;
  }
  const answer = { callId: transfer.callId, name: transfer.name, result: FAILED };
  draft.setReply({ interruptible: draft.state.phase === "live" });
  if (draft.state.reply?.id === transfer.reply) functionAnswered(draft, answer);
  else lateFunctionAnswer(draft, answer);
};

const result = (error: string, message: string): string => JSON.stringify({ error, message });

const INTERRUPTED = result(
  "interrupted",
  "Not connected: the other party spoke first. Answer them, and ask whether they still want to be connected.",
);
const ANOTHER = result("not_connected", "Not connected: the call is being connected or ended already.");
const FAILED = result(
  "transfer_failed",
  "Nobody could be reached there. The other party is still with you: say so, and ask how else you can help.",
);
