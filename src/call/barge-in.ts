import { callerIntent, isGreeting, type CallerIntent } from "../endpointing/caller-intent.ts";
import type { BargeIn } from "../model/turn-record.ts";
import type { Draft } from "./draft.ts";
import { scheduleEndpoint } from "./endpoint.ts";
import { interruptReply, noteBargeIn, startReply, unheardWords } from "./reply-life.ts";
import { turnText } from "./state.ts";
import { closeTurn, writeTurn } from "./tentative-turn.ts";

/** A backchannel that goes on is given this much more before its length alone makes it an interruption, in milliseconds. */
const BACKCHANNEL_PATIENCE_MS = 300;

/** People say hello within this long of picking up, over whatever the agent is saying; in milliseconds. */
const GREETING_MS = 800;

/** The detector's step; voice that is going on now may be known up to this much later, in milliseconds. */
const VAD_WINDOW_MS = 32;

/** The caller has spoken over the agent for as long as the sensitivity asks, or has fallen silent meanwhile. */
export const considerBargeIn = (draft: Draft): void => {
  const { caller, reply } = draft.state;
  if (!draft.state.paused || !caller.speaking || reply === undefined) return;
  const voicedMs = draft.voicedUntilMs - caller.onsetMs;
  if (voicedMs < draft.rules.bargeInMs - VAD_WINDOW_MS) {
    draft.setTimer("barge-in", VAD_WINDOW_MS);
    return;
  }
  const patient = voicedMs < draft.rules.bargeInMs + BACKCHANNEL_PATIENCE_MS;
  if (patient && mayBeSmall(draft)) draft.setTimer("barge-in", VAD_WINDOW_MS);
  else commitByLength(draft);
};

/** A voice without words may still turn out to be music or a machine; then the agent says what it was about to. */
const commitByLength = (draft: Draft): void => {
  const unsaid = turnText(draft.state.caller) === "" ? unheardText(draft) : undefined;
  interruptReply(draft, "length");
  draft.set({ unsaid });
};

const unheardText = (draft: Draft): string | undefined => {
  const { reply } = draft.state;
  if (reply === undefined || draft.heard?.reply !== reply.id || !reply.said.startsWith(draft.heard.text))
    return undefined;
  const rest = reply.said.slice(draft.heard.text.length).trim();
  return rest === "" ? undefined : rest;
};

/** Nobody took the floor: what had paused goes on, or the rest of what was cut off is said. Answers whether there was any. */
export const sayUnsaid = (draft: Draft): boolean => {
  const { unsaid, reply, phase } = draft.state;
  if (unsaid === undefined || reply !== undefined || phase !== "live") return false;
  startReply(draft, { type: "text", text: unsaid }, "resumed");
  return true;
};

/**
 * What was taken for an interruption by its length, before its words were known, was no more than a sign of life: it is noted, and the
 * rest is said. Answers whether that is so.
 */
export const goOnAfterBackchannel = (draft: Draft): boolean => {
  const { unsaid, reply, phase, caller } = draft.state;
  if (unsaid === undefined || reply !== undefined || phase !== "live") return false;
  if (intentOver(draft, turnText(caller)) !== "backchannel") return false;
  draft.cancelTimers("endpoint", "transcript");
  draft.setCaller({ due: false });
  noteBackchannel(draft);
  return sayUnsaid(draft);
};

/** Speech that is, or by its moment is likely to be, no more than a sign of life; its words may not be known yet. */
const mayBeSmall = (draft: Draft): boolean => {
  const { caller, reply } = draft.state;
  const intent = intentOver(draft, turnText(caller));
  const answering = reply?.turn.endReason === "opening" && caller.onsetMs < reply.startMs + GREETING_MS;
  return intent === "backchannel" || (intent === "nothing" && answering);
};

/** The caller stopped before the interruption was committed; the words that came, or did not come, decide. */
export const considerFalseAlarm = (draft: Draft): void => {
  const { caller, paused } = draft.state;
  if (!paused || caller.speaking) return;
  const intent = intentOver(draft, turnText(caller));
  if (intent === "stop" || intent === "turn") {
    interruptReply(draft, intent === "stop" ? "stop-word" : "words");
    scheduleEndpoint(draft);
    return;
  }
  resume(draft, intent === "backchannel" ? "backchannel" : "no-words");
};

/**
 * What words mean that were spoken over the agent. A greeting over its opening is no more than a sign of life. When the agent has
 * come to its end, small words are an answer: people do not wait for the last word of a question.
 */
export const intentOver = (draft: Draft, text: string): CallerIntent => {
  const { reply } = draft.state;
  const { language } = draft.rules;
  const greets = reply?.turn.endReason === "opening" && isGreeting(text, language);
  const intent = greets ? "backchannel" : callerIntent(text, language);
  return intent === "backchannel" && reply?.calls.length === 0 && unheardWords(draft) <= 1 ? "turn" : intent;
};

/** Nobody spoke after all. What was said before that waits for its end as it did. */
export const suspicionOver = (draft: Draft): void => {
  const { caller, paused } = draft.state;
  if (!paused || caller.speaking) return;
  draft.set({ paused: false });
  draft.emit({ type: "resume-playback" });
  noteBargeIn(draft, "resumed", "no-words");
  if (turnText(caller) !== "") scheduleEndpoint(draft);
};

const resume = (draft: Draft, why: BargeIn["why"]): void => {
  draft.set({ paused: false });
  draft.cancelTimers("false-alarm", "endpoint", "transcript");
  draft.emit({ type: "resume-playback" });
  noteBargeIn(draft, "resumed", why);
  noteBackchannel(draft);
};

/** A backchannel belongs in the transcript and is answered by nobody. */
export const noteBackchannel = (draft: Draft): void => {
  writeTurn(draft);
  closeTurn(draft);
};
