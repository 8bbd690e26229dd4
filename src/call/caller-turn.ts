import { wordsIn } from "../endpointing/languages/word-lists.ts";
import type { TurnRecord } from "../model/turn-record.ts";
import type { TranscriptEvent } from "../ports/transcriber.ts";
import { considerMachine, turnOfGreeting } from "./answering.ts";
import { considerFalseAlarm, goOnAfterBackchannel, intentOver, noteBackchannel, sayUnsaid } from "./barge-in.ts";
import { collectingInterrupted, keyCollected } from "./collect-digits.ts";
import type { Draft } from "./draft.ts";
import { finish } from "./ending.ts";
import { scheduleEndpoint } from "./endpoint.ts";
import { delayLimitMs, expectedDelay, learnDelay } from "./final-delay.ts";
import { considerIdle } from "./idle.ts";
import { keepUnanswered } from "./operator.ts";
import { abandonReply, interruptReply, startReply } from "./reply-life.ts";
import { dropSpeculation } from "./speculation.ts";
import { turnText, type CallerState, type Utterance } from "./state.ts";
import { writeTurn } from "./tentative-turn.ts";

/** Keys pressed within this long of each other belong together, in milliseconds. */
const DIGIT_GAP_MS = 2000;

/** At most this many keys are kept of one turn; more is a stuck key or noise. */
const MAX_DIGITS = 64;

/** Text of what the caller says, as far as it is known. */
export const transcribed = (draft: Draft, event: TranscriptEvent): void => {
  const { caller } = draft.state;
  if (event.utterance <= caller.committedUtterance) return;
  const utterance: Utterance = {
    number: event.utterance,
    text: event.text,
    final: event.final,
    startMs: event.startMs,
    endMs: event.endMs,
    words: event.words,
  };
  const others = caller.utterances.filter((known) => known.number !== utterance.number);
  draft.setCaller({ utterances: [...others, utterance].toSorted((a, b) => a.number - b.number) });
  // A soft voice may be heard by the transcriber alone; its words are waited after like any others.
  if (!caller.speaking && event.startMs > caller.lastVoicedMs)
    draft.setCaller({ lastVoicedMs: Math.min(draft.at, event.endMs) });
  const text = turnText(draft.state.caller);
  if (text !== "" && intentOver(draft, text) !== "backchannel") draft.set({ unsaid: undefined });
  draft.emit({ type: "show-interim", text });
  if (draft.state.phase !== "live" || (event.final && considerMachine(draft))) return;
  if (event.final) considerCorrection(draft, text);
  if (draft.state.paused) weighWords(draft, text);
  else if (!draft.state.caller.speaking) scheduleEndpoint(draft);
};

/** The final words came after the turn was taken with what was known, and are others: nobody has heard an answer yet, so they get their own. */
const considerCorrection = (draft: Draft, text: string): void => {
  const { caller, reply } = draft.state;
  if (caller.speaking || reply?.answers === undefined || reply.audible) return;
  if (wordsIn(text).join(" ") !== wordsIn(reply.answers).join(" ")) abandonReply(draft);
};

/** The transcriber has no more to say about what was spoken so far. */
export const flushed = (draft: Draft): void => {
  if (draft.state.phase === "last-words") {
    const { ending } = draft.state;
    if (ending !== undefined) finish(draft, ending.reason, ending.endedBy);
    return;
  }
  if (draft.state.caller.speaking) return;
  noteDelay(draft);
  draft.setCaller({ flushed: true, flushedAtMs: draft.at });
  if (draft.state.phase !== "live") return;
  if (draft.state.paused) {
    considerFalseAlarm(draft);
    return;
  }
  if (turnText(draft.state.caller) === "") {
    // Sound without words: a cough, a door. Nobody took the floor.
    draft.cancelTimers("endpoint", "transcript");
    draft.setCaller({ due: false });
    if (!sayUnsaid(draft)) considerIdle(draft);
    return;
  }
  if (goOnAfterBackchannel(draft)) return;
  if (draft.state.caller.due) takeTurn(draft, "transcript");
  else scheduleEndpoint(draft);
};

/** The caller has been silent for as long as the turn deserves. */
export const endpointReached = (draft: Draft): void => {
  const { caller } = draft.state;
  if (caller.speaking || draft.state.paused) return;
  if (caller.flushed || mayActOnInterim(draft, caller)) {
    takeTurn(draft, caller.flushed ? "silence" : lateReason(draft));
    return;
  }
  draft.setCaller({ due: true });
  if (turnText(caller) !== "") draft.setTimer("endpoint", interimFromMs(draft, caller) - draft.at);
};

const mayActOnInterim = (draft: Draft, caller: CallerState): boolean =>
  turnText(caller) !== "" && draft.at >= interimFromMs(draft, caller);

/** The agent may be set not to wait for the final text any longer; else that text is overdue. */
const lateReason = ({ at, rules: { overrideFinalMs }, state: { caller } }: Draft): TurnRecord["endReason"] =>
  overrideFinalMs !== undefined && at >= caller.lastVoicedMs + overrideFinalMs ? "transcript" : "timeout";

/** From when on the words so far are acted upon: when their final text is later than this transcriber's are, or as the agent says. */
const interimFromMs = (draft: Draft, { lastVoicedMs, finalizedAtMs, finalDelay }: CallerState): number => {
  const { overrideFinalMs = Infinity, finalMs } = draft.rules;
  const limitMs = delayLimitMs(finalDelay ?? expectedDelay(finalMs));
  return Math.min(lastVoicedMs + overrideFinalMs, (finalizedAtMs ?? lastVoicedMs) + limitMs);
};

const noteDelay = (draft: Draft): void => {
  const { finalizedAtMs, finalDelay } = draft.state.caller;
  if (finalizedAtMs === undefined) return;
  const delay = learnDelay(finalDelay ?? expectedDelay(draft.rules.finalMs), draft.at - finalizedAtMs);
  draft.setCaller({ finalDelay: delay, finalizedAtMs: undefined });
};

/** The turn is over: write it down and answer it. It stays tentative until the answer is heard. */
export const takeTurn = (draft: Draft, why: TurnRecord["endReason"]): void => {
  const { caller, reply } = draft.state;
  const text = turnText(caller);
  if (draft.state.phase !== "live" || caller.speaking) return;
  draft.cancelTimers("endpoint", "transcript", "digits", "idle");
  draft.setCaller({ due: false });
  if (text === "") {
    if (!sayUnsaid(draft)) considerIdle(draft);
    return;
  }
  if (draft.state.agentPaused && reply === undefined) {
    keepUnanswered(draft);
    return;
  }
  if (draft.state.transfer?.by === "operator") return;
  if (considerMachine(draft) || turnOfGreeting(draft)) return;
  if (goOnAfterBackchannel(draft)) return;
  if (reply !== undefined) {
    // The words came too late to pause for, or the agent may not be interrupted: small ones are noted, others wait their turn.
    if (intentOver(draft, text) === "backchannel") noteBackchannel(draft);
    else if (reply.interruptible) interruptReply(draft, "words");
    if (draft.state.reply !== undefined) return;
  }
  if (draft.state.agentPaused) {
    keepUnanswered(draft);
    return;
  }
  collectingInterrupted(draft);
  writeTurn(draft);
  startReply(draft, { type: "dialogue", history: [...draft.state.history, { speaker: "caller", text }] }, why, text);
};

/** A key was pressed: it counts as the caller's word, and may cut in at once. */
export const digitPressed = (draft: Draft, digit: string): void => {
  const { caller, reply, phase } = draft.state;
  if (phase !== "live" || keyCollected(draft, digit) || caller.digits.length >= MAX_DIGITS) return;
  if (reply?.interruptible === true) interruptReply(draft, "key");
  draft.setCaller({ digits: draft.state.caller.digits + digit });
  draft.cancelTimers("idle");
  dropSpeculation(draft);
  // Whoever has typed a number and presses # is done.
  draft.setTimer("digits", digit === "#" && caller.digits !== "" ? 0 : DIGIT_GAP_MS);
};

/** Words that come while playback is paused may decide at once. */
const weighWords = (draft: Draft, text: string): void => {
  const intent = intentOver(draft, text);
  if (intent === "stop") interruptReply(draft, "stop-word");
  else if (intent === "turn" && !draft.state.caller.speaking) interruptReply(draft, "words");
  if (!draft.state.paused && !draft.state.caller.speaking) scheduleEndpoint(draft);
};
