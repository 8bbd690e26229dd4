import type { EndReason } from "../model/call-end.ts";
import type { TurnRecord } from "../model/turn-record.ts";
import type { ToolCall } from "../ports/language-model.ts";
import { wordsNow } from "./call-language.ts";
import type { Draft } from "./draft.ts";
import { scheduleEndpoint } from "./endpoint.ts";
import { apologize, finish, finishAfterGoodbye } from "./ending.ts";
import type { CallHappening, ReplyStage } from "./events.ts";
import { commitMoves, noteMove } from "./flow-moves.ts";
import { considerIdle } from "./idle.ts";
import { commitAnswered, pauseForCaller, settleReply, startReply } from "./reply-life.ts";
import { turnText } from "./state.ts";

/** Functions in a row without a word from the caller; more is a model going round in circles. */
const MAX_CALLS_IN_A_ROW = 8;

/** The reply reached a stage; its time goes into the turn's record. */
export const replyReached = (draft: Draft, stage: ReplyStage, atMs: number): void => {
  const { reply } = draft.state;
  if (reply === undefined) return;
  const ms = atMs - reply.zeroMs;
  const field = STAGE_FIELD[stage];
  if (reply.turn[field] === undefined) draft.setReply({ turn: { ...reply.turn, [field]: ms } });
};

const STAGE_FIELD = {
  "first-token": "modelFirstTokenMs",
  "first-sentence": "firstSentenceMs",
  "first-audio": "synthesizerFirstAudioMs",
  sent: "audioSentMs",
  acknowledged: "audioAcknowledgedMs",
} as const satisfies Record<ReplyStage, keyof TurnRecord>;

export const replySaid = (draft: Draft, text: string): void => {
  draft.cancelTimers("model");
  draft.setReply({ said: (draft.state.reply?.said ?? "") + text });
};

/** The dialogue wants a function. Running it has consequences, so the turn that asked for it counts from here on. */
export const replyCalled = (draft: Draft, asked: ToolCall): void => {
  const { reply } = draft.state;
  if (reply === undefined) return;
  draft.cancelTimers("model");
  if (reply.asked.some((known) => isSame(known, asked))) return;
  const call = withOwnId(draft, asked);
  commitAnswered(draft);
  commitMoves(draft);
  draft.set({ callsInARow: draft.state.callsInARow + 1 });
  draft.setReply({
    pendingCalls: reply.pendingCalls + 1,
    asked: [...reply.asked, asked],
    calls: [...reply.calls, call],
  });
  draft.write({
    text: "",
    speaker: "AI",
    detailType: "function",
    functionCallId: call.id,
    startTimeMs: Math.round(draft.at),
    endTimeMs: Math.round(draft.at),
    functionCalls: [{ functionCallId: call.id, name: call.name, args: call.args }],
  });
  draft.emit({ type: "invoke", reply: reply.id, call });
};

/** A model that repeats a call within one answer wants it once, under whatever ids. */
const isSame = (a: ToolCall, b: ToolCall): boolean => a.name === b.name && a.args === b.args;

/** Some servers count their calls anew in every answer; a result must find the one call that it belongs to. */
export const withOwnId = (draft: Draft, call: ToolCall): ToolCall => {
  const { history, reply } = draft.state;
  const earlier = history.flatMap((exchange) => (exchange.speaker === "agent" ? (exchange.calls ?? []) : []));
  const taken = new Set([...earlier, ...(reply?.calls ?? [])].map(({ id }) => id));
  let id = call.id;
  for (let count = 2; taken.has(id); count++) id = `${call.id}_${count}`;
  return { ...call, id };
};

export const functionAnswered = (draft: Draft, answer: FunctionAnswer): void => {
  const { reply } = draft.state;
  if (reply === undefined) return;
  draft.setReply({ pendingCalls: reply.pendingCalls - 1, results: [...reply.results, resultOf(answer)] });
  considerDone(draft);
};

/** The function outlived the reply that called it; its result still counts for what is said next, and is told when nobody speaks. */
export const lateFunctionAnswer = (draft: Draft, answer: FunctionAnswer): void => {
  draft.remember({ speaker: "function", ...resultOf(answer) });
  draft.set({ lateAnswer: true });
  considerIdle(draft);
};

type FunctionAnswer = Readonly<{ callId: string; name: string; result: string }>;

const resultOf = ({ callId, name, result }: FunctionAnswer): FunctionAnswer => ({ callId, name, result });

export const replyMoved = (draft: Draft, event: Extract<CallHappening, { type: "reply-moved" }>): void => {
  draft.cancelTimers("model");
  const { toNodeId, fromNodeId, ruleIndex, data } = event;
  noteMove(draft, {
    toNodeId,
    data,
    ...(fromNodeId === undefined ? {} : { fromNodeId }),
    ...(ruleIndex === undefined ? {} : { ruleIndex }),
  });
};

export const replyHangsUp = (draft: Draft, reason: EndReason): void => {
  draft.cancelTimers("model");
  finishAfterGoodbye(draft, reason, "agent");
};

/** The dialogue has given all it had; what it said may still be on its way to the caller. */
export const replyCompleted = (draft: Draft): void => {
  draft.cancelTimers("model");
  draft.setReply({ complete: true });
  considerDone(draft);
};

export const replyFailed = (draft: Draft, part: "model" | "synthesizer"): void => {
  const { phase, reply, ending } = draft.state;
  if (reply === undefined) return;
  if (part === "synthesizer") finish(draft, "synthesizer_failed", "system");
  // An apology that fails too would be followed by another for ever.
  else if (phase === "goodbye" && ending?.reason === "model_failed") finish(draft, "model_failed", "system");
  else apologize(draft, "model_failed");
};

/** The first sound of the reply is heard: the turn it answers is over for good. */
export const replyStarted = (draft: Draft, startMs: number): void => {
  const { reply, caller } = draft.state;
  if (reply === undefined || reply.audible) return;
  commitAnswered(draft);
  draft.setReply({ audible: true, startMs, turn: { ...reply.turn, heardMs: startMs - reply.zeroMs } });
  if (caller.speaking && reply.interruptible) pauseForCaller(draft);
};

export const replyDrained = (draft: Draft): void => {
  draft.setReply({ drained: true });
  considerDone(draft);
};

/**
 * Ends the reply when everything in it has ended: the dialogue, its functions and the playback. Functions that answered make
 * the dialogue go on; otherwise it is the caller's turn.
 */
const considerDone = (draft: Draft): void => {
  const { reply, phase, ending, transfer } = draft.state;
  if (reply === undefined || !reply.complete || !reply.drained) return;
  if (transfer?.by === "function" && transfer.reply === reply.id && !transfer.asked && reply.pendingCalls === 1) {
    draft.set({ transfer: { ...transfer, asked: true } });
    const { to, summary } = transfer;
    draft.emit({ type: "transfer", to, ...(summary === undefined ? {} : { summary }) });
  }
  if (reply.pendingCalls > 0) return;
  commitAnswered(draft);
  commitMoves(draft);
  const unheard = reply.audible ? undefined : reply;
  settleReply(draft, false);
  if (phase === "goodbye" && ending !== undefined) {
    finish(draft, ending.reason, ending.endedBy);
    return;
  }
  if (reply.results.length > 0 && draft.state.callsInARow <= MAX_CALLS_IN_A_ROW)
    startReply(draft, { type: "dialogue", history: draft.state.history }, "function", undefined, unheard);
  // Words that came while the agent could not be interrupted have waited for this.
  else if (turnText(draft.state.caller) !== "") scheduleEndpoint(draft);
  // Silence would leave the caller waiting for an answer that does not come.
  else if (reply.results.length > 0)
    startReply(draft, { type: "text", text: wordsNow(draft).gaveUp }, "function", undefined, unheard);
  else considerIdle(draft);
};
