import type { Draft } from "./draft.ts";
import { considerIdle } from "./idle.ts";
import type { OperatorOrder } from "./operator-order.ts";
import { closeReply, startReply } from "./reply-life.ts";
import { turnText } from "./state.ts";
import { commitTurn, writeTurn } from "./tentative-turn.ts";

/** Carries out an order, while the call is neither ending nor being connected elsewhere. */
export const operatorOrdered = (draft: Draft, order: OperatorOrder): void => {
  const { phase, transfer, agentPaused } = draft.state;
  if (phase !== "live" || transfer !== undefined) return;
  if (order.type === "say") {
    closeReply(draft);
    takeNote(draft);
    startReply(draft, { type: "text", text: order.text }, "operator");
  } else if (order.type === "transfer") {
    closeReply(draft);
    takeNote(draft);
    draft.set({ transfer: { by: "operator", to: order.to, asked: true, lineGone: undefined } });
    draft.cancelTimers("idle", "endpoint", "transcript", "digits");
    draft.emit({ type: "transfer", to: order.to });
  } else if (order.paused !== agentPaused) {
    draft.set({ agentPaused: order.paused });
    if (order.paused) pause(draft);
    else resume(draft);
  }
};

/** The caller's turn is over and the agent may not answer it: it becomes history, for whoever answers next. */
export const keepUnanswered = (draft: Draft): void => {
  writeTurn(draft);
  takeNote(draft);
};

/** Nobody could be reached by an operator's transfer: the agent is told, and goes on. */
export const operatorTransferFailed = (draft: Draft): void => {
  draft.remember({ speaker: "event", text: NOT_REACHED });
  if (draft.state.reply !== undefined) return;
  if (draft.state.agentPaused) considerIdle(draft);
  else startReply(draft, { type: "dialogue", history: draft.state.history }, "operator");
};

const NOT_REACHED =
  "A colleague tried to connect the other party to somebody else; nobody could be reached there. They are still with you.";

const pause = (draft: Draft): void => {
  closeReply(draft);
  draft.cancelTimers("idle");
};

/** What was said last is answered if nobody has. */
const resume = (draft: Draft): void => {
  const { reply, history, caller } = draft.state;
  if (reply !== undefined || caller.speaking || turnText(caller) !== "") return;
  if (history.at(-1)?.speaker === "caller") startReply(draft, { type: "dialogue", history }, "operator");
  else considerIdle(draft);
};

const takeNote = (draft: Draft): void => {
  const text = turnText(draft.state.caller);
  if (text !== "" && !draft.state.caller.speaking) commitTurn(draft, text);
};
