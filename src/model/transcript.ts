import { Type, type Static } from "typebox";

export const TranscriptEntrySchema = Type.Object(
  {
    text: Type.String({ description: "What was said; for the agent, what the caller heard of it." }),
    speaker: Type.Enum(["HUMAN", "AI", "IVR"]),
    detailType: Type.Union([Type.Enum(["function", "node_transition"]), Type.Null()]),
    functionCallId: Type.Optional(Type.String()),
    startTimeMs: Type.Integer({ description: "Milliseconds since the call was answered." }),
    endTimeMs: Type.Integer(),
    words: Type.Optional(
      Type.Array(Type.Object({ text: Type.String(), startTimeMs: Type.Integer(), endTimeMs: Type.Integer() }), {
        description: "When each word of the caller was said, where the transcriber tells that of the whole entry.",
      }),
    ),
    functionCalls: Type.Optional(
      Type.Array(Type.Object({ functionCallId: Type.String(), name: Type.String(), args: Type.String() })),
    ),
    nodeTransition: Type.Optional(
      Type.Object({
        toNodeId: Type.String(),
        transitionData: Type.Record(Type.String(), Type.Unknown()),
        fromNodeId: Type.Optional(Type.String()),
        ruleIndex: Type.Optional(Type.Integer()),
      }),
    ),
  },
  { $id: "TranscriptEntry" },
);
export type TranscriptEntry = Static<typeof TranscriptEntrySchema>;
