import type { Draft } from "./draft.ts";
import { commitMoves } from "./flow-moves.ts";

/** The transcript shows what was heard so far, so that a call that breaks off keeps it. */
export const writeHeard = (draft: Draft): void => {
  const { heard } = draft;
  const { reply } = draft.state;
  if (reply === undefined || heard === undefined || heard.reply !== reply.id || heard.text.trim() === "") return;
  // A word of the answer was heard, so where it came from is where the caller is led. Before, the caller's own words are missing.
  if (reply.answers === undefined) commitMoves(draft);
  const entry = draft.write(
    {
      text: heard.text.trim(),
      speaker: "AI",
      detailType: null,
      startTimeMs: Math.round(reply.startMs),
      endTimeMs: Math.round(Math.max(reply.startMs, heard.endMs)),
    },
    reply.entry,
  );
  draft.setReply({ entry });
};
