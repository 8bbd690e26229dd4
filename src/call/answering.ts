import type { AnsweredBy } from "../ports/carrier.ts";
import { MACHINE_TURNS } from "./answering-state.ts";
import type { Draft } from "./draft.ts";
import { finish, finishAfterGoodbye } from "./ending.ts";
import { closeReply, startReply } from "./reply-life.ts";
import { turnText } from "./state.ts";
import { commitTurn, writeTurn } from "./tentative-turn.ts";

/** Speech goes on over pauses shorter than this, in milliseconds. */
const STRETCH_GAP_MS = 500;

/** So long into a call a machine that picked up is known. */
const LATEST_MS = 120_000;

/** From the end of a beep to the message: recorders open a little later, and some beep twice. In milliseconds. */
const AFTER_BEEP_MS = 300;

/** A greeting that is followed by this much silence ends without a beep. */
const NO_BEEP_MS = 4000;

/** A greeting that goes on and on is spoken over after this long. */
const LONGEST_GREETING_MS = 60_000;

/** Longest message: 2000 characters take about two and a half minutes. */
const LONGEST_MESSAGE_MS = 180_000;

/** Somebody speaks: a new stretch, unless it goes on after a breath. Called before the caller's state is changed. */
export const stretchBegan = (draft: Draft, onsetMs: number): void => {
  const { answering, caller } = draft.state;
  if (onsetMs - caller.lastVoicedMs > STRETCH_GAP_MS || answering.stretchFromMs === 0)
    draft.set({ answering: { ...answering, stretchFromMs: onsetMs } });
  if (answering.stage === "greeting") waitForBeep(draft, LONGEST_GREETING_MS);
};

/** Somebody stopped speaking. */
export const stretchEnded = (draft: Draft, lastVoicedMs: number): void => {
  const { answering } = draft.state;
  const speechMs = Math.max(answering.speechMs, lastVoicedMs - answering.stretchFromMs);
  draft.set({ answering: { ...answering, speechMs } });
  if (answering.stage === "greeting" && answering.beepMs === undefined) waitForBeep(draft, NO_BEEP_MS);
};

/** A signal of a machine was heard. */
export const toneHeard = (draft: Draft, tone: "beep" | "fax", endMs: number): void => {
  const { answering, phase } = draft.state;
  if (phase !== "live" || draft.rules.voicemail === undefined || answering.stage === "settled") return;
  if (tone === "fax") {
    const ms = Math.round(endMs);
    draft.write({ text: "(fax tones)", speaker: "IVR", detailType: null, startTimeMs: ms, endTimeMs: ms });
    finish(draft, "voicemail", "agent");
    return;
  }
  draft.set({ answering: { ...answering, beepMs: endMs } });
  if (answering.stage === "greeting") waitForBeep(draft, AFTER_BEEP_MS);
  else considerMachine(draft);
};

/** The carrier says who picked up. Its word is evidence beside the others; a person who was heard by their words stays one. */
export const carrierDetected = (draft: Draft, by: AnsweredBy): void => {
  const { answering, phase, caller } = draft.state;
  const { voicemail } = draft.rules;
  if (phase !== "live" || voicemail === undefined || answering.stage !== "open") return;
  draft.set({ answering: { ...answering, carrier: by } });
  if (by !== "fax") considerMachine(draft);
  else if (voicemail.party({ text: saidSoFar(draft, turnText(caller)).join(" ") }) !== "human")
    finish(draft, "voicemail", "agent");
};

/**
 * Looks whether what was said so far comes from a voicemail, and does what the agent does then. True: it has been dealt with, and
 * is no turn of a person.
 */
export const considerMachine = (draft: Draft): boolean => {
  const { answering, phase, caller } = draft.state;
  const { voicemail } = draft.rules;
  if (voicemail === undefined || phase !== "live" || answering.stage !== "open") return false;
  const text = turnText(caller);
  const said = saidSoFar(draft, text);
  if (said.length > MACHINE_TURNS || draft.at > LATEST_MS) {
    settle(draft);
    return false;
  }
  const speechMs = Math.max(answering.speechMs, caller.speaking ? draft.voicedUntilMs - answering.stretchFromMs : 0);
  const beep = answering.beepMs !== undefined;
  // The carrier's word is about who picked up, not about who speaks three turns later.
  const { carrier } = answering;
  const found = [text, said.join(" ")].some(
    (words) => voicemail.party({ text: words, speechMs, beep, carrier }) === "voicemail",
  );
  if (!found) return false;
  if (voicemail.action === "continue") {
    settle(draft);
    return false;
  }
  if (voicemail.action === "hangup") finish(draft, "voicemail", "agent");
  else awaitGreeting(draft);
  return true;
};

/** A turn while the greeting is waited for. True: it is part of the greeting. A person who picks up after all is answered. */
export const turnOfGreeting = (draft: Draft): boolean => {
  const { answering, caller } = draft.state;
  const { voicemail } = draft.rules;
  if (answering.stage !== "greeting" || voicemail === undefined) return false;
  const text = turnText(caller);
  if (voicemail.party({ text }) === "human" && text.split(/\s+/u).length <= PICK_UP_WORDS) {
    settle(draft);
    draft.cancelTimers("voicemail");
    return false;
  }
  writeTurn(draft);
  commitTurn(draft, text);
  return true;
};

/** "Hello? Sorry, I'm here, I was in the garden." */
const PICK_UP_WORDS = 10;

/** The beep was heard, or none is to be expected any more: the message is said to its end, and the call is over. */
export const leaveMessage = (draft: Draft): void => {
  const { answering, caller, phase } = draft.state;
  const { voicemail } = draft.rules;
  if (phase !== "live" || answering.stage !== "greeting" || voicemail === undefined) return;
  closeReply(draft);
  const text = turnText(caller);
  if (text !== "") {
    writeTurn(draft);
    commitTurn(draft, text);
  }
  settle(draft);
  startReply(draft, { type: "text", text: voicemail.message }, "complete");
  finishAfterGoodbye(draft, "voicemail", "agent", LONGEST_MESSAGE_MS);
};

/** The far end's turns, with the one under way as the last. */
const saidSoFar = (draft: Draft, text: string): readonly string[] => [
  ...draft.state.history.flatMap((exchange) => (exchange.speaker === "caller" ? [exchange.text] : [])),
  text,
];

const settle = (draft: Draft): void => {
  draft.set({ answering: { ...draft.state.answering, stage: "settled" } });
};

const awaitGreeting = (draft: Draft): void => {
  closeReply(draft);
  writeTurn(draft);
  draft.cancelTimers("idle", "barge-in", "false-alarm", "suspicion");
  const { answering, caller } = draft.state;
  draft.set({ answering: { ...answering, stage: "greeting", knownMs: draft.at } });
  // A detector of voices may have taken the beep for one.
  const beepIsLast = answering.beepMs !== undefined && answering.beepMs >= caller.lastVoicedMs - STRETCH_GAP_MS;
  if (beepIsLast) waitForBeep(draft, AFTER_BEEP_MS);
  else {
    draft.set({ answering: { ...draft.state.answering, beepMs: undefined } });
    if (caller.speaking) waitForBeep(draft, LONGEST_GREETING_MS);
    else waitForBeep(draft, NO_BEEP_MS - (draft.at - caller.lastVoicedMs));
  }
};

const waitForBeep = (draft: Draft, ms: number): void => {
  const { knownMs } = draft.state.answering;
  draft.setTimer("voicemail", Math.min(ms, knownMs + LONGEST_GREETING_MS - draft.at));
};
