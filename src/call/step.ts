import {
  functionAnswered,
  lateFunctionAnswer,
  replyCalled,
  replyCompleted,
  replyDrained,
  replyFailed,
  replyHangsUp,
  replyMoved,
  replyReached,
  replySaid,
  replyStarted,
} from "./agent-reply.ts";
import { carrierDetected, leaveMessage, toneHeard } from "./answering.ts";
import { collectingOver, digitsWanted, waitForKeys } from "./collect-digits.ts";
import { considerBargeIn, considerFalseAlarm, suspicionOver } from "./barge-in.ts";
import { speechEnded, speechStarted, speechSuspected, turnJudged, voiceOverdue } from "./caller-speech.ts";
import { digitPressed, endpointReached, flushed, takeTurn, transcribed } from "./caller-turn.ts";
import { Draft } from "./draft.ts";
import type { Effect } from "./effects.ts";
import { finish, goodbyeOverdue, lineGone, takeLeave } from "./ending.ts";
import type { CallEvent, HeldEvent, TimerName } from "./events.ts";
import { writeHeard } from "./heard.ts";
import { keysPressed } from "./keys.ts";
import { hearingFailed } from "./hearing-failure.ts";
import { idleElapsed } from "./idle.ts";
import { operatorOrdered } from "./operator.ts";
import { startReply } from "./reply-life.ts";
import type { CallRules } from "./rules.ts";
import { holdBack } from "./speculation.ts";
import type { CallState } from "./state.ts";
import { languageWanted } from "./switch-language.ts";
import { tookOver } from "./takeovers.ts";
import { transferEnded, transferWanted } from "./transfer.ts";

/**
 * Every decision of a call. Pure: no clock, no input or output, no waiting; the same events give the same state and the same
 * effects, which is what makes a kept log of events a replay of the call.
 *
 *  answered ─► opening ─► listening ◄──────────────────────────────────────────────┐
 *                            │ speech                                              │
 *                            ▼                                                     │
 *                      caller speaks ──endpoint──► turn taken ──► thinking ──► speaking ──drained──┤
 *                            ▲                        │ caller goes on   │ caller speaks           │
 *                            └────────────────────────┘  (not yet heard) ▼                        │
 *                            ▲                                        paused ──false alarm──► speaking
 *                            └──────────────── committed ────────────────┘
 */
export const step = (
  rules: CallRules,
  state: CallState,
  event: CallEvent,
): Readonly<{ state: CallState; effects: readonly Effect[] }> => {
  const draft = new Draft(rules, state, event);
  if (state.phase !== "ended") decide(draft, event);
  for (const held of draft.released) if (draft.state.phase !== "ended") speak(draft, held);
  return { state: draft.state, effects: draft.effects };
};

const decide = (draft: Draft, event: CallEvent): void => {
  switch (event.type) {
    case "answered":
      draft.setTimer("max-duration", draft.rules.maxDurationMs);
      startReply(draft, { type: "opening" }, "opening");
      break;
    case "line-gone":
      lineGone(draft, event.why);
      break;
    case "hang-up":
      if (event.politely === true) takeLeave(draft, event.reason, event.endedBy);
      else finish(draft, event.reason, event.endedBy);
      break;
    case "operator":
      operatorOrdered(draft, event.order);
      break;
    case "hearing-failed":
      hearingFailed(draft);
      break;
    case "took-over":
      tookOver(draft, event.takeover);
      break;
    case "timer":
      timerFired(draft, event.name);
      break;
    case "transfer-wanted":
      transferWanted(draft, event);
      break;
    case "digits-wanted":
      digitsWanted(draft, event);
      break;
    case "language-wanted":
      languageWanted(draft, event);
      break;
    case "transfer-ended":
      transferEnded(draft, event.transferred);
      break;
    case "answered-by":
      carrierDetected(draft, event.by);
      break;
    case "digit":
    case "speech-suspected":
    case "speech-started":
    case "speech-ended":
    case "transcript":
    case "turn-judged":
    case "tone":
    case "flushed":
      hear(draft, event);
      break;
    default:
      speak(draft, event);
  }
};

type CallerEvent = Extract<
  CallEvent,
  {
    type:
      | "digit"
      | "speech-suspected"
      | "speech-started"
      | "speech-ended"
      | "transcript"
      | "turn-judged"
      | "tone"
      | "flushed";
  }
>;

const hear = (draft: Draft, event: CallerEvent): void => {
  switch (event.type) {
    case "digit":
      digitPressed(draft, event.digit);
      break;
    case "speech-suspected":
      speechSuspected(draft);
      break;
    case "speech-started":
      speechStarted(draft, event.onsetMs);
      break;
    case "speech-ended":
      speechEnded(draft, event.lastVoicedMs, event.prosody);
      break;
    case "transcript":
      transcribed(draft, event);
      break;
    case "turn-judged":
      turnJudged(draft, event.probability);
      break;
    case "tone":
      toneHeard(draft, event.tone, event.endMs);
      break;
    case "flushed":
      flushed(draft);
      break;
  }
};

const speak = (draft: Draft, event: HeldEvent): void => {
  if (draft.state.speculation?.id === event.reply) {
    holdBack(draft, event);
    return;
  }
  if (event.type === "function-result" && draft.state.reply?.id !== event.reply) {
    lateFunctionAnswer(draft, event);
    return;
  }
  // A late word of a reply that was cancelled or has ended says nothing about the present one.
  if (draft.state.reply?.id !== event.reply) return;
  switch (event.type) {
    case "reply-stage":
      replyReached(draft, event.stage, event.atMs ?? event.at);
      break;
    case "reply-said":
      replySaid(draft, event.text);
      break;
    case "reply-called":
      replyCalled(draft, event.call);
      break;
    case "reply-pressed":
      keysPressed(draft, event.call);
      break;
    case "reply-moved":
      replyMoved(draft, event);
      break;
    case "reply-hangs-up":
      replyHangsUp(draft, event.reason);
      break;
    case "reply-complete":
      replyCompleted(draft);
      break;
    case "reply-failed":
      replyFailed(draft, event.part);
      break;
    case "playback-started":
      replyStarted(draft, event.startMs);
      break;
    case "playback-progress":
      writeHeard(draft);
      break;
    case "playback-drained":
      replyDrained(draft);
      waitForKeys(draft);
      break;
    case "function-result":
      functionAnswered(draft, event);
      break;
  }
};

const timerFired = (draft: Draft, name: TimerName): void => {
  switch (name) {
    case "max-duration":
      finish(draft, "max_duration", "system");
      break;
    case "endpoint":
      endpointReached(draft);
      break;
    case "transcript":
    case "digits":
      takeTurn(draft, name === "digits" ? "complete" : "timeout");
      break;
    case "voice":
      voiceOverdue(draft);
      break;
    case "barge-in":
      considerBargeIn(draft);
      break;
    case "false-alarm":
      considerFalseAlarm(draft);
      break;
    case "suspicion":
      suspicionOver(draft);
      break;
    case "idle":
      idleElapsed(draft);
      break;
    case "model":
      replyFailed(draft, "model");
      break;
    case "collect":
      collectingOver(draft);
      break;
    case "voicemail":
      leaveMessage(draft);
      break;
    case "goodbye":
    case "last-words":
      goodbyeOverdue(draft);
      break;
  }
};
