import { learnPause } from "../endpointing/caller-pauses.ts";
import type { Prosody } from "../endpointing/prosody.ts";
import { stretchBegan, stretchEnded } from "./answering.ts";
import { scheduleEndpoint } from "./endpoint.ts";
import type { Draft } from "./draft.ts";
import { abandonReply, pauseForCaller } from "./reply-life.ts";
import { dropSpeculation } from "./speculation.ts";
import { turnText } from "./state.ts";

/** How long playback stands still for the words of a caller who has already stopped, in milliseconds. */
const FALSE_ALARM_MS = 600;

/** A voice of which nothing was heard for this long has ended, though nobody tells; in milliseconds. */
const VOICE_LOST_MS = 2000;

/** How long playback stands still for a voice that is not certain yet, in milliseconds; an s and the vowel behind it take 200. */
const SUSPICION_MS = 250;

/** The caller may be about to speak: what the agent is saying pauses, and soon goes on if nothing comes of it. */
export const speechSuspected = (draft: Draft): void => {
  const { caller, reply, phase, paused } = draft.state;
  if (phase !== "live" || caller.speaking || paused || reply?.audible !== true || !reply.interruptible) return;
  draft.set({ paused: true });
  draft.emit({ type: "pause-playback" });
  draft.setTimer("suspicion", SUSPICION_MS);
};

/** The caller began to speak: what the agent was about to say waits, what it is saying pauses. */
export const speechStarted = (draft: Draft, onsetMs: number): void => {
  const { caller } = draft.state;
  stretchBegan(draft, onsetMs);
  // The turn was not over: so long does this caller pause.
  const pauses = turnText(caller) === "" ? caller.pauses : learnPause(caller.pauses, onsetMs - caller.lastVoicedMs);
  draft.setCaller({
    speaking: true,
    onsetMs,
    flushed: false,
    due: false,
    flushedAtMs: undefined,
    finalizedAtMs: undefined,
    judged: undefined,
    pauses,
  });
  draft.setTimer("voice", VOICE_LOST_MS);
  draft.cancelTimers("idle", "endpoint", "transcript", "digits", "false-alarm", "suspicion");
  dropSpeculation(draft);
  const { reply, phase } = draft.state;
  if (reply === undefined || phase !== "live") return;
  if (!reply.audible && reply.answers !== undefined) {
    // The caller goes on before the answer was heard: the turn was not over. It grows, and is answered anew.
    abandonReply(draft);
    return;
  }
  if (!reply.audible || !reply.interruptible) return;
  pauseForCaller(draft);
};

/** Where the line has gone silent in the middle of a word, nothing will ever tell that it ended. */
export const voiceOverdue = (draft: Draft): void => {
  const { caller } = draft.state;
  if (!caller.speaking) return;
  const heardUntilMs = Math.max(caller.onsetMs, draft.voicedUntilMs);
  const leftMs = heardUntilMs + VOICE_LOST_MS - draft.at;
  if (leftMs > 0) draft.setTimer("voice", leftMs);
  else speechEnded(draft, Math.min(draft.at, heardUntilMs));
};

/** An audio model has heard whether the turn is over; late words of it, when the caller speaks again, count for nothing. */
export const turnJudged = (draft: Draft, probability: number): void => {
  const { caller, paused } = draft.state;
  if (caller.speaking || paused || turnText(caller) === "") return;
  draft.setCaller({ judged: probability });
  scheduleEndpoint(draft);
};

/** The caller stopped: ask for the words, and start to wait for the end of the turn. */
export const speechEnded = (draft: Draft, lastVoicedMs: number, prosody?: Prosody): void => {
  draft.setCaller({ speaking: false, lastVoicedMs, prosody, finalizedAtMs: draft.at });
  stretchEnded(draft, lastVoicedMs);
  draft.cancelTimers("barge-in", "voice");
  draft.emit({ type: "finalize" });
  if (draft.state.phase !== "live") return;
  if (draft.state.paused) draft.setTimer("false-alarm", FALSE_ALARM_MS);
  scheduleEndpoint(draft);
};
