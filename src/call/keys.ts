import type { ToolCall } from "../ports/language-model.ts";
import { withOwnId } from "./agent-reply.ts";
import type { Draft } from "./draft.ts";
import { commitMoves } from "./flow-moves.ts";
import { commitAnswered } from "./reply-life.ts";

/**
 * The agent presses keys. Half a number is worse than none, so from here on the reply is heard to its end; and what the other side
 * said counts, whether it goes on or not, because menus talk on while keys are pressed.
 */
export const keysPressed = (draft: Draft, pressed: ToolCall): void => {
  const { reply } = draft.state;
  if (reply === undefined) return;
  draft.cancelTimers("model", "barge-in", "false-alarm", "suspicion");
  commitAnswered(draft);
  commitMoves(draft);
  const call = withOwnId(draft, pressed);
  draft.setReply({ interruptible: false, calls: [...reply.calls, call], pressed: [...reply.pressed, call] });
  if (draft.state.paused) {
    draft.set({ paused: false });
    draft.emit({ type: "resume-playback" });
  }
  draft.write({
    text: "",
    speaker: "AI",
    detailType: "function",
    functionCallId: call.id,
    startTimeMs: Math.round(draft.at),
    endTimeMs: Math.round(draft.at),
    functionCalls: [{ functionCallId: call.id, name: call.name, args: call.args }],
  });
};
