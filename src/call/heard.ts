import type { Draft } from "./draft.ts";
import { commitMoves } from "./flow-moves.ts";

/** The transcript shows what was heard so far, so that a call that breaks off keeps it. */
export const writeHeard = (draft: Draft): void => {
  const { heard } = draft;
  const { reply } = draft.state;
  if (reply === undefined || heard === undefined || heard.reply !== reply.id || heard.text.trim() === "") return;
  // A word of the answer was heard, so where it came from is where the caller is led. Before, the caller's own words are missing.
  if (reply.answers === undefined) commitMoves(draft);
  const text = heard.text.trim();
  const endTimeMs = Math.round(Math.max(reply.startMs, heard.endMs));
  // The end of a piece and the end of the reply often tell the same.
  if (reply.written?.text === text && reply.written.endTimeMs === endTimeMs) return;
  const startTimeMs = Math.round(reply.startMs);
  const entry = draft.write({ text, speaker: "AI", detailType: null, startTimeMs, endTimeMs }, reply.entry);
  draft.setReply({ entry, written: { text, endTimeMs } });
};
