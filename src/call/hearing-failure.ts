import { considerFalseAlarm } from "./barge-in.ts";
import type { Draft } from "./draft.ts";
import { scheduleEndpoint } from "./endpoint.ts";
import { apologize, finish } from "./ending.ts";
import { considerIdle } from "./idle.ts";
import { turnText } from "./state.ts";

/** The transcriber or detector is opened anew this often before the call is given up. */
const MAX_HEARING_FAILURES = 2;

/** The transcriber or the voice activity detector failed: open both anew, or give up with a word. */
export const hearingFailed = (draft: Draft): void => {
  const { hearingFailures, phase, ending } = draft.state;
  if (phase === "last-words" && ending !== undefined) {
    finish(draft, ending.reason, ending.endedBy);
    return;
  }
  draft.set({ hearingFailures: hearingFailures + 1 });
  if (phase !== "live") return;
  if (hearingFailures < MAX_HEARING_FAILURES) {
    speechLost(draft);
    draft.emit({ type: "reopen-hearing" });
    return;
  }
  apologize(draft, "transcriber_failed");
};

/** Nobody will tell any more when the caller stopped, nor what they said last: what is known by now decides. */
const speechLost = (draft: Draft): void => {
  const { caller } = draft.state;
  const lastVoicedMs = caller.speaking
    ? Math.min(draft.at, Math.max(caller.lastVoicedMs, draft.voicedUntilMs))
    : caller.lastVoicedMs;
  draft.setCaller({ speaking: false, lastVoicedMs, flushed: true, due: false });
  draft.cancelTimers("barge-in");
  if (draft.state.paused) considerFalseAlarm(draft);
  else if (turnText(caller) === "") considerIdle(draft);
  else scheduleEndpoint(draft);
};
