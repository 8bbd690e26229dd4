import type { Takeover } from "../model/takeover.ts";
import type { BargeIn, TurnRecord } from "../model/turn-record.ts";
import type { Draft } from "./draft.ts";
import type { ReplySource } from "./effects.ts";
import { writeHeard } from "./heard.ts";
import { dropSpeculation, takeSpeculation } from "./speculation.ts";
import type { ReplyState } from "./state.ts";
import { commitTurn } from "./tentative-turn.ts";

/** A model that has said nothing by now will not save the turn, in milliseconds. */
const MODEL_DEADLINE_MS = 8000;

/**
 * The agent takes the floor. `answers` are the caller's words that it answers, when it answers any. `unheard` is the reply that it goes
 * on after, where nobody heard that one: the caller has been waiting since.
 */
export const startReply = (
  draft: Draft,
  source: ReplySource,
  why: TurnRecord["endReason"],
  answers?: string,
  unheard?: ReplyState,
): void => {
  const begun = takeSpeculation(draft, source.type === "dialogue" ? answers : undefined);
  const { nextReply, caller, turns } = draft.state;
  const id = begun?.id ?? nextReply;
  const waiting = unheard?.turn.endpointMs === undefined ? undefined : unheard;
  const beganMs =
    answers === undefined || caller.utterances.length === 0 ? draft.at : Math.min(caller.lastVoicedMs, draft.at);
  const zeroMs = waiting?.zeroMs ?? beganMs;
  const turn = turnOf(draft, why, { zeroMs, answers, waiting, speculative: begun !== undefined });
  if (source.type === "dialogue") draft.set({ lateAnswer: false });
  draft.set({
    nextReply: Math.max(nextReply, id + 1),
    turns: turns + 1,
    paused: false,
    unsaid: undefined,
    takeovers: [],
    reply: {
      id,
      answers,
      said: "",
      audible: false,
      startMs: 0,
      complete: false,
      drained: false,
      interruptible: true,
      pendingCalls: 0,
      counts: false,
      moves: [],
      asked: [],
      calls: [],
      pressed: [],
      results: [],
      entry: undefined,
      written: undefined,
      turn,
      zeroMs,
    },
  });
  draft.cancelTimers("idle");
  if (source.type !== "text") draft.setTimer("model", MODEL_DEADLINE_MS);
  if (begun === undefined) draft.emit({ type: "start-reply", reply: id, source });
  else {
    draft.emit({ type: "resume-playback" });
    draft.release(begun.held);
  }
};

type TurnBegin = Readonly<{
  zeroMs: number;
  answers: string | undefined;
  /** The reply that nobody heard and that this one goes on after. */
  waiting: ReplyState | undefined;
  speculative: boolean;
}>;

/** What is known of a turn when the agent takes the floor. */
const turnOf = (draft: Draft, why: TurnRecord["endReason"], begin: TurnBegin): TurnRecord => {
  const { caller, turns, takeovers } = draft.state;
  const { zeroMs, answers, waiting, speculative } = begin;
  return {
    index: turns,
    startMs: Math.round(draft.at),
    endReason: why,
    interrupted: false,
    ...(speculative ? { speculative: true } : {}),
    ...(takeovers.length === 0 ? {} : { fallbacks: [...takeovers] }),
    ...(waiting === undefined ? {} : endOf(waiting.turn)),
    ...(answers === undefined
      ? {}
      : {
          endpointMs: draft.at - zeroMs,
          ...(caller.ruling === undefined || why === "complete" ? {} : { endpoint: caller.ruling }),
          ...(caller.flushedAtMs === undefined ? {} : { transcriptMs: Math.max(0, caller.flushedAtMs - zeroMs) }),
        }),
  };
};

/** How the caller's turn ended. */
const endOf = ({ endpointMs, endpoint, transcriptMs }: TurnRecord): Partial<TurnRecord> => ({
  ...(endpointMs === undefined ? {} : { endpointMs }),
  ...(endpoint === undefined ? {} : { endpoint }),
  ...(transcriptMs === undefined ? {} : { transcriptMs }),
});

/** Speech over the agent: stand still, and let its length or its words decide. */
export const pauseForCaller = (draft: Draft): void => {
  if (!draft.state.paused) {
    draft.set({ paused: true });
    draft.emit({ type: "pause-playback" });
  }
  draft.setTimer("barge-in", draft.state.caller.onsetMs + draft.rules.bargeInMs - draft.at);
};

/** The caller goes on before anything was heard: the reply never was. The turn stays open and keeps its words. */
export const abandonReply = (draft: Draft): void => {
  const { reply, turns } = draft.state;
  if (reply === undefined) return;
  draft.cancelTimers("model");
  draft.emit({ type: "cancel-reply", reply: reply.id });
  draft.set({ reply: undefined, paused: false, turns: turns - 1, takeovers: leftOf(reply) });
};

/** An interruption was decided upon; the turn remembers how and why. */
export const noteBargeIn = (draft: Draft, decision: BargeIn["decision"], why: BargeIn["why"]): void => {
  draft.emit({ type: "count-barge-in", decision });
  const { reply } = draft.state;
  const earlier = reply?.turn.bargeIns ?? [];
  if (reply === undefined || earlier.length >= MAX_BARGE_INS) return;
  draft.setReply({ turn: { ...reply.turn, bargeIns: [...earlier, { atMs: Math.round(draft.at), decision, why }] } });
};

/** Of one turn; a caller with a cough could fill the record of a long reply. */
const MAX_BARGE_INS = 50;

/** The caller takes the floor: everything of the reply stops, and only what was heard of it remains. */
export const interruptReply = (draft: Draft, why: BargeIn["why"]): void => {
  if (draft.state.reply?.audible === true && unheardWords(draft) > 0) noteBargeIn(draft, "committed", why);
  closeReply(draft);
};

/** Stops the reply and keeps what was heard of it. */
export const closeReply = (draft: Draft): void => {
  dropSpeculation(draft);
  const { reply } = draft.state;
  if (reply === undefined) return;
  draft.cancelTimers("model", "barge-in", "false-alarm", "suspicion");
  draft.emit({ type: "cancel-reply", reply: reply.id });
  settleReply(draft, true);
};

/** The reply becomes history: what was heard of it, its functions and their results, and what it took. */
export const settleReply = (draft: Draft, cut: boolean): void => {
  writeHeard(draft);
  const { reply } = draft.state;
  if (reply === undefined) return;
  const text = draft.heard?.reply === reply.id ? draft.heard.text.trim() : "";
  const interrupted = cut && reply.audible && unheardWords(draft) > 0;
  if (text !== "" || reply.calls.length > 0) {
    draft.remember({
      speaker: "agent",
      text,
      interrupted,
      ...(reply.calls.length === 0 ? {} : { calls: reply.calls }),
    });
  }
  for (const { id: callId, name } of reply.pressed)
    draft.remember({ speaker: "function", callId, name, result: PRESSED });
  for (const result of reply.results) draft.remember({ speaker: "function", ...result });
  if (reply.audible) draft.emit({ type: "record-turn", turn: rounded({ ...reply.turn, interrupted }) });
  const { turns } = draft.state;
  draft.set({ reply: undefined, paused: false });
  if (!reply.audible) draft.set({ turns: turns - 1, takeovers: leftOf(reply) });
};

/** What a model is told of keys that it pressed. */
const PRESSED = '{"ok":true}';

/** How many words of the reply the caller has not heard; without end while the dialogue still goes on. */
export const unheardWords = ({ state: { reply }, heard }: Draft): number => {
  if (reply === undefined || !reply.complete) return Infinity;
  return countWords(reply.said) - (heard?.reply === reply.id ? countWords(heard.text) : 0);
};

const countWords = (text: string): number => text.match(/\S+/gu)?.length ?? 0;

/** The caller's words that the reply answers become history, once. */
export const commitAnswered = (draft: Draft): void => {
  const { reply } = draft.state;
  if (reply?.answers === undefined) return;
  commitTurn(draft, reply.answers);
  draft.setReply({ answers: undefined });
};

/** Whole milliseconds; no stage of a turn is known better, and nothing is heard before it was sent. */
const rounded = (turn: TurnRecord): TurnRecord => {
  const heardMs = turn.heardMs === undefined ? {} : { heardMs: Math.max(turn.heardMs, turn.audioSentMs ?? 0) };
  const entries = Object.entries({ ...turn, ...heardMs });
  return Object.fromEntries(
    entries.map(([field, value]) => [field, typeof value === "number" ? Math.round(value) : value]),
  ) as TurnRecord;
};

/** Who took over in a reply that no record tells of, because nobody heard it; the next record does. */
const leftOf = ({ turn: { fallbacks = [] } }: ReplyState): readonly Takeover[] => fallbacks;
