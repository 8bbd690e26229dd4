import { functionAnswered, lateFunctionAnswer } from "./agent-reply.ts";
import type { Draft } from "./draft.ts";
import type { CallHappening } from "./events.ts";
import { interruptReply } from "./reply-life.ts";

type Wanted = Extract<CallHappening, { type: "digits-wanted" }>;

/** A function waits for keys. The time for the first one runs from when the agent has finished asking for it. */
export const digitsWanted = (draft: Draft, { reply, callId, name, wanted }: Wanted): void => {
  const { phase, collecting } = draft.state;
  if (phase !== "live" || collecting !== undefined) {
    answer(draft, { reply, callId, name }, { error: "not_collected", message: "Other keys are awaited already." });
    return;
  }
  // The caller spoke first; what they said decides what is asked next.
  if (draft.state.reply !== undefined && draft.state.reply.id !== reply) {
    answer(draft, { reply, callId, name }, { digits: "", complete: false, why: "spoke" });
    return;
  }
  draft.set({ collecting: { reply, callId, name, wanted, digits: "" } });
  draft.cancelTimers("idle");
  if (draft.state.reply?.drained !== false) draft.setTimer("collect", wanted.timeoutMs);
};

/** The agent has said all that it had: now the caller has the time that the function gives. */
export const waitForKeys = (draft: Draft): void => {
  const { collecting, reply } = draft.state;
  if (collecting !== undefined && collecting.reply === reply?.id && collecting.digits === "")
    draft.setTimer("collect", collecting.wanted.timeoutMs);
};

/** A key was pressed. False: no function waits for it. */
export const keyCollected = (draft: Draft, digit: string): boolean => {
  const { collecting } = draft.state;
  if (collecting === undefined) return false;
  const { wanted } = collecting;
  const { reply } = draft.state;
  // Whoever knows what to press need not hear the question to its end.
  if (reply?.interruptible === true && !reply.drained) interruptReply(draft, "key");
  if (digit === wanted.finishKey) {
    finishCollecting(draft, "complete");
    return true;
  }
  const digits = collecting.digits + digit;
  draft.set({ collecting: { ...collecting, digits } });
  if (digits.length >= wanted.maxDigits) finishCollecting(draft, "complete");
  else draft.setTimer("collect", wanted.timeoutMs);
  return true;
};

/** No key came for too long. */
export const collectingOver = (draft: Draft): void => {
  finishCollecting(draft, "timeout");
};

/** The caller answered in words: the function has what was pressed until then. Called when the agent's reply is over. */
export const collectingInterrupted = (draft: Draft): void => {
  const { collecting } = draft.state;
  if (collecting === undefined) return;
  const result = JSON.stringify({ digits: collecting.digits, complete: false, why: "spoke" });
  writeKeys(draft);
  draft.remember({ speaker: "function", callId: collecting.callId, name: collecting.name, result });
  draft.set({ collecting: undefined });
  draft.cancelTimers("collect");
};

const finishCollecting = (draft: Draft, why: "complete" | "timeout"): void => {
  const { collecting } = draft.state;
  if (collecting === undefined) return;
  writeKeys(draft);
  draft.set({ collecting: undefined, callsInARow: collecting.digits === "" ? draft.state.callsInARow : 0 });
  draft.cancelTimers("collect");
  const { digits } = collecting;
  answer(draft, collecting, why === "complete" ? { digits, complete: true } : { digits, complete: false, why });
};

const writeKeys = (draft: Draft): void => {
  const { collecting } = draft.state;
  if (collecting === undefined || collecting.digits === "") return;
  const { digits, wanted } = collecting;
  const keys = wanted.sensitive ? `${digits.length} keys` : digits.split("").join(" ");
  const ms = Math.round(draft.at);
  draft.write({ text: `(pressed ${keys})`, speaker: "HUMAN", detailType: null, startTimeMs: ms, endTimeMs: ms });
};

const answer = (
  draft: Draft,
  { reply, callId, name }: Readonly<{ reply: number; callId: string; name: string }>,
  result: Readonly<Record<string, unknown>>,
): void => {
  const told = { callId, name, result: JSON.stringify(result) };
  if (draft.state.reply?.id === reply) functionAnswered(draft, told);
  else lateFunctionAnswer(draft, told);
};
