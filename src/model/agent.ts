import { Type, type Static, type TNull, type TOptional, type TProperties, type TUnion } from "typebox";
import { CallingWindowSchema } from "./calling-window.ts";
import { Nullable } from "./nullable.ts";

/** How readily the caller's speech interrupts the agent. */
export const SensitivitySchema = Type.Enum(["ULTRA_FAST", "FAST", "MEDIUM", "SLOW"]);
export type Sensitivity = Static<typeof SensitivitySchema>;

export const EndpointTypeSchema = Type.Enum(["SIMPLE", "SEMANTIC"]);
export type EndpointType = Static<typeof EndpointTypeSchema>;

export const EndpointModeSchema = Type.Enum(["CONSERVATIVE", "DEFAULT", "AGGRESSIVE"]);
export type EndpointMode = Static<typeof EndpointModeSchema>;

/** The longest call of an agent that does not say, in seconds. */
export const DEFAULT_MAX_DURATION_SECONDS = 10_800;

const strict = { additionalProperties: false } as const;
const Text = Type.String({ maxLength: 2000 });
const Id = Type.String({ maxLength: 200 });

export const LifecycleMessagesSchema = Type.Object(
  {
    started: Type.Optional(
      Type.Array(Text, { maxItems: 20, description: "One is picked at random and spoken while the function runs." }),
    ),
  },
  strict,
);

export const TranscriberParamsSchema = Type.Object(
  {
    type: Type.Optional(Type.String({ maxLength: 100, description: "Identifier of a transcriber, such as `local`." })),
    keywords: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 500 })),
  },
  strict,
);

export const IdleMessageConfigSchema = Type.Object(
  {
    enabled: Type.Optional(Type.Boolean()),
    messages: Type.Optional(Type.Array(Text, { maxItems: 20 })),
    idleDurationMilliseconds: Type.Optional(
      Type.Integer({
        minimum: 1000,
        maximum: 600_000,
        description: "Silence of both sides before a message, in milliseconds.",
      }),
    ),
    maxIdleMessages: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        description: "After this many unanswered messages the agent hangs up.",
      }),
    ),
  },
  strict,
);

export const FallbacksSchema = Type.Object(
  {
    models: Type.Optional(
      Type.Array(Id, {
        maxItems: 5,
        description: "Models that take over, in this order, when the prompt's fails or does not begin in time.",
      }),
    ),
    transcribers: Type.Optional(
      Type.Array(Id, {
        maxItems: 5,
        description:
          "Transcribers that take over, in this order, when the agent's fails or says nothing after speech; those that are not here, " +
          "or do not hear the language, are passed over.",
      }),
    ),
    voices: Type.Optional(
      Type.Array(Id, {
        maxItems: 5,
        description:
          "Voices that take over, in this order, when the call's fails or is silent for too long; those that are not here, or do not " +
          "speak the language, are passed over.",
      }),
    ),
    transferNumber: Type.Optional(
      Type.String({
        pattern: "^\\+[1-9][0-9]{6,14}$",
        description: "Whom the other party is connected with when no model answers, or nothing hears, any more. E.164.",
      }),
    ),
  },
  strict,
);

export const VoicemailConfigSchema = Type.Object(
  {
    action: Type.Enum(["hangup", "leave_message", "continue"], {
      description:
        "What the agent does when a voicemail picks up its call: end the call, leave `message` after the beep, or talk to it as to anybody.",
    }),
    message: Type.Optional(Type.String({ maxLength: 2000, description: "A template; what `leave_message` leaves." })),
    carrierDetection: Type.Optional(
      Type.Boolean({
        description:
          "The carrier listens for machines too, and its word is evidence beside words and sound. Off unless switched on, since carriers charge for it.",
      }),
    ),
  },
  strict,
);

export const FillerConfigSchema = Type.Object(
  {
    enabled: Type.Optional(
      Type.Boolean({ description: "On unless it is switched off, in languages that have words here." }),
    ),
    messages: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        maxItems: 20,
        description: "Said in turn while an answer takes long, such as `One moment.`",
      }),
    ),
    afterMilliseconds: Type.Optional(
      Type.Integer({
        minimum: 500,
        maximum: 8000,
        description: "Silence before the first of them; 1500 unless given.",
      }),
    ),
  },
  strict,
);

export const BackgroundSoundSchema = Type.Object(
  {
    type: Type.Enum(["none", "office", "custom"], {
      description: "What is heard behind the agent, also while it is silent: nothing, an office, or `audioId`.",
    }),
    audioId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: "An uploaded sound (`/audio`); with `custom` only." }),
    ),
    volumeLevel: Type.Optional(
      Type.Integer({
        minimum: -300,
        maximum: 300,
        description: "Tenths of a decibel; 0 lies some 20 dB below the voice, however loud the sound was uploaded.",
      }),
    ),
  },
  strict,
);

export const RecordingFormatSchema = Type.Enum(["wav", "ogg"], {
  description: "Uncompressed, or Ogg with Opus in a fifth of the space; as the deployment says if absent.",
});
export type RecordingFormat = Static<typeof RecordingFormatSchema>;

export const RecordingConfigSchema = Type.Object(
  {
    enabled: Type.Optional(Type.Boolean({ description: "False: calls of this agent are not recorded." })),
    requireConsent: Type.Optional(
      Type.Boolean({
        description:
          "Nothing is recorded until it is allowed: by the agent's action `allow_recording`, or over the API.",
      }),
    ),
    format: Type.Optional(RecordingFormatSchema),
  },
  strict,
);

/** What `PUT` and `POST` accept: every field of the agent but its id. */
const agentFields = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  language: Type.String({
    pattern: "^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$",
    description: "BCP 47 tag such as `en` or `en-US`.",
  }),
  additionalLanguages: Type.Optional(
    Type.Array(Type.String({ pattern: "^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$" }), {
      maxItems: 20,
      description:
        "Languages (BCP 47) that the agent may change to in a call, where something here hears and speaks them.",
    }),
  ),
  transcriberParams: Type.Optional(TranscriberParamsSchema),
  metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: "Free-form." })),
  utteranceDetectorConfig: Type.Optional(Type.Object({ sensitivity: Type.Optional(SensitivitySchema) }, strict)),
  endpointDetectorConfig: Type.Optional(
    Type.Object({ type: Type.Optional(EndpointTypeSchema), mode: Type.Optional(EndpointModeSchema) }, strict),
  ),
  idleMessageConfig: Type.Optional(IdleMessageConfigSchema),
  maxDurationSeconds: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 86_400,
      // Not as `default`: generated clients would send it with every change.
      description: `Counted from answer; ${DEFAULT_MAX_DURATION_SECONDS} where a new agent does not say.`,
    }),
  ),
  defaultVoiceId: Type.Optional(Id),
  defaultVersionedPromptId: Type.Optional(Id),
  defaultExtractorId: Type.Optional(Nullable(Id)),
  linkedFunctionDefinitions: Type.Optional(
    Type.Array(
      Type.Object(
        {
          functionDefinitionId: Id,
          lifecycleMessagesOverride: Type.Optional(LifecycleMessagesSchema),
        },
        strict,
      ),
      { maxItems: 100 },
    ),
  ),
  fillEmptyStringVariables: Type.Optional(
    Type.Boolean({
      description: "Variables that are not supplied become empty strings; otherwise they stay as placeholders.",
    }),
  ),
  ivrNavigationEnabled: Type.Optional(
    Type.Boolean({
      description: "While an automated menu is on the line, the dial's `ivrVersionedPromptId` decides what is pressed.",
    }),
  ),
  openingLine: Type.Optional(Type.String({ maxLength: 2000, description: "A template; the agent's first words." })),
  voicemailConfig: Type.Optional(VoicemailConfigSchema),
  callingWindow: Type.Optional(CallingWindowSchema),
  backgroundSound: Type.Optional(BackgroundSoundSchema),
  fallbacks: Type.Optional(FallbacksSchema),
  fillerConfig: Type.Optional(FillerConfigSchema),
  recordingConfig: Type.Optional(RecordingConfigSchema),
  retentionDays: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 3650,
      description: "So many days after its end all that a dial tells of the person is erased; kept if absent.",
    }),
  ),
};

const EXAMPLE = {
  name: "Front desk",
  language: "en-US",
  openingLine: "Hello {{customerName}}, this is Robin.",
  idleMessageConfig: { enabled: true, messages: ["Are you still there?"], idleDurationMilliseconds: 10_000 },
  maxDurationSeconds: 600,
} as const;

export const AgentSchema = Type.Object(
  { id: Type.String(), ...agentFields },
  {
    $id: "Agent",
    description: "An AI voice agent: everything that shapes its calls.",
    examples: [{ id: "01988f5e-7c1a-7d02-9f7a-4cbb1d1f3a55", ...EXAMPLE }],
  },
);
export type Agent = Static<typeof AgentSchema>;

export const CreateAgentSchema = Type.Object(agentFields, { ...strict, $id: "CreateAgent", examples: [EXAMPLE] });
export type CreateAgent = Static<typeof CreateAgentSchema>;

type Clearable<Fields extends TProperties> = {
  [Name in keyof Fields]: TOptional<TUnion<[Fields[Name], TNull]>>;
};

/** Null as well as what each field takes. */
const clearable = <Fields extends TProperties>(fields: Fields): Clearable<Fields> => {
  const nullable = Object.entries(fields).map(([field, schema]) => [field, Type.Optional(Nullable(schema))]);
  return Object.fromEntries(nullable) as Clearable<Fields>;
};

const { name, language, defaultExtractorId, ...optionalFields } = agentFields;

/** Null takes away what an agent may be without; `defaultExtractorId` has it as a value. */
export const UpdateAgentSchema = Type.Object(
  {
    name: Type.Optional(name),
    language: Type.Optional(language),
    ...clearable(optionalFields),
    defaultExtractorId,
  },
  { ...strict, $id: "UpdateAgent", examples: [{ language: "en-GB", defaultVoiceId: null }] },
);
export type UpdateAgent = Static<typeof UpdateAgentSchema>;
