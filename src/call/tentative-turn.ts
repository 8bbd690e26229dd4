import type { TranscriptEntry } from "../model/transcript.ts";
import { isMachineGreeting } from "./machine-greeting.ts";
import type { Draft } from "./draft.ts";
import { writeHeard } from "./heard.ts";
import { turnText, type Utterance } from "./state.ts";

/** Writes the tentative turn into the transcript, again under the same index when it has grown. */
export const writeTurn = (draft: Draft): void => {
  const { caller } = draft.state;
  const text = turnText(caller);
  if (text === "") return;
  // What the agent was saying meanwhile began earlier, so its entry comes first.
  if (caller.entry === undefined) writeHeard(draft);
  const first = caller.utterances[0];
  const last = caller.utterances.at(-1);
  const farEnd = draft.rules.farEnd([...draft.state.history, { speaker: "caller", text }]);
  const start = first?.startMs ?? draft.at;
  const entry = draft.write(
    {
      text,
      speaker: farEnd === "ivr" || isMachineGreeting(draft, text) ? "IVR" : "HUMAN",
      detailType: null,
      startTimeMs: Math.round(Math.max(0, start)),
      endTimeMs: Math.round(Math.max(start, last?.endMs ?? draft.at)),
      ...timesOf(caller.utterances),
    },
    caller.entry,
  );
  draft.setCaller({ entry });
};

/** When each word of a turn was said; only where that is known of every one. */
const timesOf = (utterances: readonly Utterance[]): Pick<TranscriptEntry, "words"> => {
  const spoken = utterances.filter(({ text }) => text !== "");
  const words = spoken.flatMap(({ words: told = [] }) => told);
  if (words.length === 0 || spoken.some(({ words: told = [] }) => told.length === 0)) return {};
  return {
    words: words.map(({ text, startMs, endMs }) => ({
      text,
      startTimeMs: Math.round(Math.max(0, startMs)),
      endTimeMs: Math.round(Math.max(0, startMs, endMs)),
    })),
  };
};

/** The answer is being heard, so the turn that it answers is history. */
export const commitTurn = (draft: Draft, text: string): void => {
  draft.remember({ speaker: "caller", text });
  draft.set({ idleMessages: 0, callsInARow: 0 });
  closeTurn(draft);
};

/** What the caller says next is a new turn. */
export const closeTurn = (draft: Draft): void => {
  const { utterances, committedUtterance } = draft.state.caller;
  draft.emit({ type: "end-turn" });
  draft.setCaller({
    utterances: [],
    digits: "",
    speculations: 0,
    entry: undefined,
    committedUtterance: Math.max(committedUtterance, ...utterances.map((utterance) => utterance.number)),
  });
};
