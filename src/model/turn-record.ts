import { Type, type Static } from "typebox";

const Milliseconds = Type.Optional(Type.Number());

/**
 * What one exchange cost, stage by stage. Every figure is a duration in milliseconds from the caller's last voiced sample,
 * so that the stages of one turn can be compared; a stage that did not happen is absent.
 */
export const TurnRecordSchema = Type.Object(
  {
    index: Type.Integer({ description: "0 is the opening line." }),
    startMs: Type.Number({ description: "When the turn was decided, in milliseconds since the call was answered." }),
    endReason: Type.Enum(["opening", "silence", "complete", "timeout", "transcript", "idle", "function"], {
      description: "Why the agent took the floor.",
    }),
    endpointMs: Milliseconds,
    transcriptMs: Milliseconds,
    modelFirstTokenMs: Milliseconds,
    firstSentenceMs: Milliseconds,
    synthesizerFirstAudioMs: Milliseconds,
    audioSentMs: Milliseconds,
    heardMs: Milliseconds,
    interrupted: Type.Boolean(),
  },
  { $id: "Turn" },
);
export type TurnRecord = Static<typeof TurnRecordSchema>;
