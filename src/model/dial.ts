import { Type, type Static } from "typebox";
import { AgentSchema } from "./agent.ts";
import { DialStatusSchema, EndedBySchema, EndReasonSchema, SystemResultTypeSchema } from "./call-end.ts";
import { Nullable } from "./nullable.ts";
import { TranscriptEntrySchema } from "./transcript.ts";
import { TurnRecordSchema } from "./turn-record.ts";
import { OptionValueSchema } from "./versioned-prompt.ts";

/**
 * A dial is the API's record of one call session.
 *
 *   QUEUED ──claim──► PLACING ──► RINGING ──► IN_PROGRESS ──► ENDED
 *     │                  │           │             │            ▲
 *     └── cancel, expiry ┴───────────┴─────────────┴────────────┘
 *
 * A dial never goes back: PLACING → QUEUED does not exist, because the claim is the only permit to ring a person and it is
 * spent by claiming. ENDED → ENDED happens at most once, from weaker to stronger carrier evidence.
 */
export const DIAL_STATES = ["QUEUED", "PLACING", "RINGING", "IN_PROGRESS", "ENDED"] as const;
export type DialState = (typeof DIAL_STATES)[number];

const NEXT: Record<DialState, readonly DialState[]> = {
  QUEUED: ["PLACING", "RINGING", "ENDED"],
  PLACING: ["RINGING", "IN_PROGRESS", "ENDED"],
  RINGING: ["IN_PROGRESS", "ENDED"],
  IN_PROGRESS: ["ENDED"],
  ENDED: ["ENDED"],
};

/** Whether the transition table allows a move; the database holds the same table in a trigger. */
export const mayMove = (from: DialState, to: DialState): boolean => NEXT[from].includes(to);

/**
 * How sure we are of an ending: 1 absence (the carrier does not know the call), 2 our own observation, 3 the carrier's word, 4 the word
 * of who ended a call and could not note before why, which a carrier's "completed" does not tell. Equal or weaker evidence never
 * overwrites.
 */
export type Evidence = 1 | 2 | 3 | 4;

export const DirectionSchema = Type.Enum(["outbound", "inbound", "browser"]);
export type Direction = Static<typeof DirectionSchema>;

export const RecordingSchema = Type.Object(
  {
    url: Type.String({ description: "A stable API path that needs Authorization." }),
    id: Type.String(),
    channels: Type.Integer({ description: "Channel 1 is the caller, channel 2 the agent." }),
    durationMs: Type.Integer({ description: "0 while the call goes on." }),
    startedAt: Type.String({
      format: "date-time",
      description: "Where it begins: with the answer, so that its times are those of the transcript.",
    }),
    allowedAt: Type.Optional(
      Type.String({
        format: "date-time",
        description: "When it was allowed, if the agent must ask; what was said before is silence.",
      }),
    ),
  },
  { $id: "Recording" },
);
export type Recording = Static<typeof RecordingSchema>;

const Timestamp = Type.String({ format: "date-time" });

export const DialSchema = Type.Object(
  {
    id: Type.String(),
    toNumber: Type.Optional(Type.String()),
    agent: Type.Optional(AgentSchema),
    recordings: Type.Optional(Type.Array(RecordingSchema)),
    transcript: Type.Optional(Type.Array(TranscriptEntrySchema)),
    durationSeconds: Type.Optional(Type.Integer({ description: "From answer to end." })),
    aiResult: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    aiResultEvidence: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.Integer()), {
        description: "By field of `aiResult`: indexes of the transcript entries that its value rests on.",
      }),
    ),
    inputs: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    status: Type.Optional(DialStatusSchema),
    dialTaskId: Type.Optional(Type.String()),
    fromNumberId: Type.Optional(Nullable(Type.String())),
    startedAt: Type.Optional(Timestamp),
    endedAt: Type.Optional(Timestamp),
    createdAt: Type.Optional(Timestamp),
    updatedAt: Type.Optional(Timestamp),
    systemResultType: Type.Optional(Nullable(SystemResultTypeSchema)),
    voiceId: Type.Optional(Type.String()),
    versionedPromptId: Type.Optional(Type.String()),
    direction: Type.Optional(DirectionSchema),
    fromNumber: Type.Optional(Type.String()),
    endReason: Type.Optional(Nullable(EndReasonSchema)),
    endedBy: Type.Optional(Nullable(EndedBySchema)),
    warnings: Type.Optional(Type.Array(Type.String())),
    turns: Type.Optional(Type.Array(TurnRecordSchema)),
    erasedAt: Type.Optional(
      Type.String({ format: "date-time", description: "When all that told of the person was erased." }),
    ),
  },
  { $id: "Dial", description: "One call session, as `GET /dials/{id}` returns it." },
);
export type Dial = Static<typeof DialSchema>;

export const DialSummarySchema = Type.Omit(DialSchema, ["transcript", "turns", "recordings"], {
  $id: "DialSummary",
  description: "A dial as lists show it: without transcript, turns and recordings.",
});
export type DialSummary = Static<typeof DialSummarySchema>;

/** Longest value of a macro as it is written into a text, in UTF-16 units; values that are no strings count as JSON text. */
export const MAX_INPUT_LENGTH = 10_000;

export const CreateDialSchema = Type.Object(
  {
    callAgentId: Type.String({ maxLength: 200 }),
    webhookUrl: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
    browserCall: Type.Optional(Nullable(Type.Boolean())),
    toNumber: Type.Optional(Nullable(Type.String({ maxLength: 200, description: "E.164." }))),
    fromNumberId: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
    aiVoiceId: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
    voiceOptionValues: Type.Optional(Type.Array(OptionValueSchema, { maxItems: 100 })),
    voiceVolumeLevel: Type.Optional(Type.Integer({ minimum: -300, maximum: 300, description: "Tenths of a decibel." })),
    versionedModelId: Type.Optional(Type.String({ maxLength: 200, description: "The versioned prompt to use." })),
    ivrVersionedPromptId: Type.Optional(Type.String({ maxLength: 200 })),
    overrideTranscriberFinalDurationMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 60_000 })),
    timeoutMinutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 525_600,
        description: "Counted from answer; the agent's own limit holds too.",
      }),
    ),
    callAgentExtractorId: Type.Optional(Type.String({ maxLength: 200 })),
    callAgentInput: Type.Optional(
      Nullable(
        Type.Record(Type.String(), Type.Unknown(), {
          description: `Values of macros, each of at most ${MAX_INPUT_LENGTH} characters as text.`,
        }),
      ),
    ),
    keywords: Type.Optional(Nullable(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 500 }))),
  },
  {
    $id: "CreateDial",
    additionalProperties: false,
    examples: [
      {
        callAgentId: "01988f5e-7c1a-7d02-9f7a-4cbb1d1f3a55",
        toNumber: "+12025550123",
        fromNumberId: "01988f5e-7c1b-7203-8a31-0d2f9b7e6c10",
        callAgentInput: { customerName: "Ada" },
      },
    ],
  },
);
export type CreateDial = Static<typeof CreateDialSchema>;

export const CreatedDialSchema = Type.Object(
  {
    dialToken: Type.String({ description: "Authorizes requests for this dial only; may be given to a client." }),
    sessionId: Type.String(),
    dialId: Type.String(),
  },
  { $id: "CreatedDial", description: "Names the new dial, and what a client may follow it with." },
);
