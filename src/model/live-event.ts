import { Type, type Static } from "typebox";
import { DialStatusSchema, SystemResultTypeSchema } from "./call-end.ts";
import { Nullable } from "./nullable.ts";
import { RecordingStateSchema } from "./recording-switch.ts";
import { TranscriptEntrySchema } from "./transcript.ts";
import { TurnRecordSchema } from "./turn-record.ts";

const StatusEventSchema = Type.Object(
  {
    type: Type.Enum(["status"]),
    status: DialStatusSchema,
    systemResultType: Nullable(SystemResultTypeSchema),
  },
  { $id: "StatusEvent", description: "The dial has moved on; the stream ends after a terminal status." },
);

const TranscriptEventSchema = Type.Object(
  { type: Type.Enum(["transcript"]), entry: TranscriptEntrySchema },
  { $id: "TranscriptEvent", description: "An entry of the transcript, told again when it grows or is cut." },
);

const InterimEventSchema = Type.Object(
  { type: Type.Enum(["interim"]), text: Type.String() },
  { $id: "InterimEvent", description: "What the transcriber believes so far that the caller says." },
);

const TurnEventSchema = Type.Object(
  { type: Type.Enum(["turn"]), turn: TurnRecordSchema },
  { $id: "TurnEvent", description: "What a turn of the agent cost, stage by stage." },
);

const RecordingEventSchema = Type.Object(
  { type: Type.Enum(["recording"]), state: RecordingStateSchema },
  { $id: "RecordingEvent", description: "The recording was allowed, paused or resumed." },
);

export const LiveEventSchema = Type.Union(
  [StatusEventSchema, TranscriptEventSchema, InterimEventSchema, TurnEventSchema, RecordingEventSchema],
  { $id: "LiveEvent", description: "What happens in a call while it happens; the data of one server-sent event." },
);
export type LiveEvent = Readonly<Static<typeof LiveEventSchema>>;
