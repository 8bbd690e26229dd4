import { callEnd, type EndReason, type EndedBy } from "../model/call-end.ts";
import type { LineEnd } from "../ports/transport.ts";
import { wordsNow } from "./call-language.ts";
import type { Draft } from "./draft.ts";
import { closeReply, startReply } from "./reply-life.ts";
import { recordLeftTakeovers } from "./takeovers.ts";
import { writeTurn } from "./tentative-turn.ts";

/** A goodbye that is not heard to its end by now is cut; the longest sentence of the local voice takes about 20 s. */
const GOODBYE_MS = 30_000;

/** How long saying goodbye may take when it is we who have to go, in milliseconds; the words alone take three seconds. */
export const FAREWELL_MS = 7_000;

/** How long the transcriber may take over the last words of somebody who hung up, in milliseconds. */
const LAST_WORDS_MS = 1500;

/** Ends the call now. Only the first ending counts: whoever hung up while their last words are awaited has ended it. */
export const finish = (draft: Draft, reason: EndReason, endedBy: EndedBy): void => {
  const { phase, ending } = draft.state;
  if (phase === "ended") return;
  closeReply(draft);
  writeTurn(draft);
  recordLeftTakeovers(draft);
  const end = phase === "last-words" && ending !== undefined ? ending : callEnd(reason, endedBy);
  draft.set({ phase: "ended", ending: end });
  draft.emit({ type: "end", end });
};

/** Ends the call once what is being said has been heard. */
export const finishAfterGoodbye = (draft: Draft, reason: EndReason, endedBy: EndedBy, withinMs = GOODBYE_MS): void => {
  draft.set({ phase: "goodbye", ending: callEnd(reason, endedBy), paused: false });
  draft.setReply({ interruptible: false });
  draft.cancelTimers("idle", "endpoint", "transcript", "barge-in", "false-alarm", "suspicion", "digits", "voicemail");
  draft.emit({ type: "resume-playback" });
  draft.setTimer("goodbye", withinMs);
};

/** We have to go, which is said to whoever is still talked with. A goodbye that is under way is one already. */
export const takeLeave = (draft: Draft, reason: EndReason, endedBy: EndedBy): void => {
  const { phase, transfer } = draft.state;
  if (phase === "goodbye") return;
  // Who has hung up hears nothing, nor does who is being connected elsewhere.
  if (phase !== "live" || transfer?.asked === true) {
    finish(draft, reason, endedBy);
    return;
  }
  closeReply(draft);
  startReply(draft, { type: "text", text: wordsNow(draft).mustEnd }, "function");
  finishAfterGoodbye(draft, reason, endedBy, FAREWELL_MS);
};

/** Nothing can be thought of any more, but it can still be said that it cannot. */
export const apologize = (draft: Draft, reason: EndReason): void => {
  closeReply(draft);
  if (connectInstead(draft, reason)) return;
  startReply(draft, { type: "text", text: wordsNow(draft).trouble }, "function");
  finishAfterGoodbye(draft, reason, "system");
};

/** Connects the other party with whom the agent names for this, once; false where it names nobody, or that has failed. */
const connectInstead = (draft: Draft, reason: EndReason): boolean => {
  const { phase, transfer, gaveUp, nextReply } = draft.state;
  const to = draft.rules.fallbackTransfer;
  if (to === undefined || phase !== "live" || transfer !== undefined || gaveUp !== undefined) return false;
  startReply(draft, { type: "text", text: wordsNow(draft).troubleConnecting }, "function");
  const call = { by: "function", callId: "fallback", name: "fallback" } as const;
  draft.set({ gaveUp: reason, transfer: { reply: nextReply, ...call, to, asked: false, lineGone: undefined } });
  draft.setReply({ interruptible: false, pendingCalls: 1 });
  return true;
};

export const goodbyeOverdue = (draft: Draft): void => {
  const { ending } = draft.state;
  if (ending !== undefined) finish(draft, ending.reason, ending.endedBy);
};

/** The other side is no longer there. Words that are still being recognized are waited for briefly. */
export const lineGone = (draft: Draft, why: LineEnd): void => {
  const { phase, ending, caller, transfer } = draft.state;
  if (phase === "last-words") return;
  if (transfer?.asked === true) {
    // This is how a transfer looks from here when it succeeds; its outcome follows.
    draft.set({ transfer: { ...transfer, lineGone: why } });
    return;
  }
  // Somebody who hangs up during our goodbye ended the call; during our apology, what we apologized for did. A voicemail that has
  // recorded enough is still one.
  const said = phase === "goodbye" && (ending?.endedBy === "system" || ending?.reason === "voicemail");
  const end = said ? ending : lostLine(why);
  closeReply(draft);
  if (caller.flushed && !caller.speaking) {
    finish(draft, end.reason, end.endedBy);
    return;
  }
  draft.set({ phase: "last-words", ending: end });
  draft.emit({ type: "finalize" });
  draft.setTimer("last-words", LAST_WORDS_MS);
};

const lostLine = (why: LineEnd) =>
  why === "hung-up" ? callEnd("counterparty_hangup", "remote") : callEnd("media_lost", "carrier");
