import { Type, type Static } from "typebox";

export const RecordingActionSchema = Type.Enum(["start", "pause", "resume"], {
  description:
    "`start`: the person allows it, where the agent must ask. `pause`: both sides become silence, and time goes on. `resume`: no longer.",
});
export type RecordingAction = Static<typeof RecordingActionSchema>;

export const RecordingStateSchema = Type.Enum(["off", "on", "paused"]);
export type RecordingState = Static<typeof RecordingStateSchema>;

/** What a recording becomes by an action: what was not allowed is neither paused nor resumed. */
export const afterAction = (state: RecordingState, action: RecordingAction): RecordingState => {
  if (state === "off") return action === "start" ? "on" : "off";
  if (action === "start") return state;
  return action === "pause" ? "paused" : "on";
};
