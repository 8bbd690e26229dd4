import type { NodeMove } from "../dialogue/dialogue.ts";
import type { Draft } from "./draft.ts";

/** The flow moved. Until the reply counts, the caller may still go on and the flow decide anew. */
export const noteMove = (draft: Draft, move: NodeMove): void => {
  const { reply } = draft.state;
  if (reply === undefined) return;
  if (reply.counts) commitMove(draft, move);
  else draft.setReply({ moves: [...reply.moves, move] });
};

/** The reply counts from here on, once: a word of it was heard, it called a function, or it has ended. Its moves become history. */
export const commitMoves = (draft: Draft): void => {
  const { reply } = draft.state;
  if (reply === undefined || reply.counts) return;
  draft.setReply({ counts: true, moves: [] });
  for (const move of reply.moves) commitMove(draft, move);
};

const commitMove = (draft: Draft, move: NodeMove): void => {
  const { toNodeId, fromNodeId, ruleIndex, data } = move;
  draft.remember({ speaker: "flow", ...move });
  draft.write({
    text: "",
    speaker: "AI",
    detailType: "node_transition",
    startTimeMs: Math.round(draft.at),
    endTimeMs: Math.round(draft.at),
    nodeTransition: {
      toNodeId,
      transitionData: { ...data },
      ...(fromNodeId === undefined ? {} : { fromNodeId }),
      ...(ruleIndex === undefined ? {} : { ruleIndex }),
    },
  });
};
