// Made of docs/openapi.json by `npm run client`; changes belong into the schemas of src/model.

/** An AI voice agent: everything that shapes its calls. */
export type Agent = {
  id: string;
  name: string;
  /** BCP 47 tag such as `en` or `en-US`. */
  language: string;
  /** Languages (BCP 47) that the agent may change to in a call, where something here hears and speaks them. */
  additionalLanguages?: string[];
  transcriberParams?: {
    /** Identifier of a transcriber, such as `local`. */
    type?: string;
    keywords?: string[];
  };
  /** Free-form. */
  metadata?: Record<string, unknown>;
  utteranceDetectorConfig?: {
    sensitivity?: "ULTRA_FAST" | "FAST" | "MEDIUM" | "SLOW";
  };
  endpointDetectorConfig?: {
    type?: "SIMPLE" | "SEMANTIC";
    mode?: "CONSERVATIVE" | "DEFAULT" | "AGGRESSIVE";
  };
  idleMessageConfig?: {
    enabled?: boolean;
    messages?: string[];
    /** Silence of both sides before a message, in milliseconds. */
    idleDurationMilliseconds?: number;
    /** After this many unanswered messages the agent hangs up. */
    maxIdleMessages?: number;
  };
  /** Counted from answer; 10800 where a new agent does not say. */
  maxDurationSeconds?: number;
  defaultVoiceId?: string;
  defaultVersionedPromptId?: string;
  defaultExtractorId?: string | null;
  linkedFunctionDefinitions?: {
    functionDefinitionId: string;
    lifecycleMessagesOverride?: {
      /** One is picked at random and spoken while the function runs. */
      started?: string[];
    };
  }[];
  /** Variables that are not supplied become empty strings; otherwise they stay as placeholders. */
  fillEmptyStringVariables?: boolean;
  /** While an automated menu is on the line, the dial's `ivrVersionedPromptId` decides what is pressed. */
  ivrNavigationEnabled?: boolean;
  /** A template; the agent's first words. */
  openingLine?: string;
  voicemailConfig?: {
    /** What the agent does when a voicemail picks up its call: end the call, leave `message` after the beep, or talk to it as to anybody. */
    action: "hangup" | "leave_message" | "continue";
    /** A template; what `leave_message` leaves. */
    message?: string;
    /** The carrier listens for machines too, and its word is evidence beside words and sound. Off unless switched on, since carriers charge for it. */
    carrierDetection?: boolean;
  };
  callingWindow?: {
    /** Every day when absent. */
    days?: ("MON" | "TUE" | "WED" | "THU" | "FRI" | "SAT" | "SUN")[];
    /** Such as 09:00; the first minute at which calls are placed. */
    start: string;
    /** Such as 20:00; the first minute at which none are. */
    end: string;
  };
  backgroundSound?: {
    /** What is heard behind the agent, also while it is silent: nothing, an office, or `audioId`. */
    type: "none" | "office" | "custom";
    /** An uploaded sound (`/audio`); with `custom` only. */
    audioId?: string;
    /** Tenths of a decibel; 0 lies some 20 dB below the voice, however loud the sound was uploaded. */
    volumeLevel?: number;
  };
  fallbacks?: {
    /** Models that take over, in this order, when the prompt's fails or does not begin in time. */
    models?: string[];
    /** Transcribers that take over, in this order, when the agent's fails or says nothing after speech; those that are not here, or do not hear the language, are passed over. */
    transcribers?: string[];
    /** Voices that take over, in this order, when the call's fails or is silent for too long; those that are not here, or do not speak the language, are passed over. */
    voices?: string[];
    /** Whom the other party is connected with when no model answers, or nothing hears, any more. E.164. */
    transferNumber?: string;
  };
  fillerConfig?: {
    /** On unless it is switched off, in languages that have words here. */
    enabled?: boolean;
    /** Said in turn while an answer takes long, such as `One moment.` */
    messages?: string[];
    /** Silence before the first of them; 1500 unless given. */
    afterMilliseconds?: number;
  };
  recordingConfig?: {
    /** False: calls of this agent are not recorded. */
    enabled?: boolean;
    /** Nothing is recorded until it is allowed: by the agent's action `allow_recording`, or over the API. */
    requireConsent?: boolean;
    /** Uncompressed, or Ogg with Opus in a fifth of the space; as the deployment says if absent. */
    format?: "wav" | "ogg";
  };
  /** So many days after its end all that a dial tells of the person is erased; kept if absent. */
  retentionDays?: number;
};

/** A key, without its secret. */
export type ApiKey = {
  id: string;
  /** To tell keys apart. */
  name: string;
  /** `secret` may do everything; `public` may only create browser dials for its agents. */
  type: "secret" | "public";
  /** The agents that a public key may dial; public keys only. */
  allowedAgentIds?: string[];
  createdAt: string;
};

/** An uploaded sound. */
export type Audio = {
  id: string;
  name: string;
  durationMs: number;
  /** Samples a second, as uploaded; channels are mixed into one. */
  sampleRate: number;
  createdAt: string;
};

export type CreateAgent = {
  name: string;
  /** BCP 47 tag such as `en` or `en-US`. */
  language: string;
  /** Languages (BCP 47) that the agent may change to in a call, where something here hears and speaks them. */
  additionalLanguages?: string[];
  transcriberParams?: {
    /** Identifier of a transcriber, such as `local`. */
    type?: string;
    keywords?: string[];
  };
  /** Free-form. */
  metadata?: Record<string, unknown>;
  utteranceDetectorConfig?: {
    sensitivity?: "ULTRA_FAST" | "FAST" | "MEDIUM" | "SLOW";
  };
  endpointDetectorConfig?: {
    type?: "SIMPLE" | "SEMANTIC";
    mode?: "CONSERVATIVE" | "DEFAULT" | "AGGRESSIVE";
  };
  idleMessageConfig?: {
    enabled?: boolean;
    messages?: string[];
    /** Silence of both sides before a message, in milliseconds. */
    idleDurationMilliseconds?: number;
    /** After this many unanswered messages the agent hangs up. */
    maxIdleMessages?: number;
  };
  /** Counted from answer; 10800 where a new agent does not say. */
  maxDurationSeconds?: number;
  defaultVoiceId?: string;
  defaultVersionedPromptId?: string;
  defaultExtractorId?: string | null;
  linkedFunctionDefinitions?: {
    functionDefinitionId: string;
    lifecycleMessagesOverride?: {
      /** One is picked at random and spoken while the function runs. */
      started?: string[];
    };
  }[];
  /** Variables that are not supplied become empty strings; otherwise they stay as placeholders. */
  fillEmptyStringVariables?: boolean;
  /** While an automated menu is on the line, the dial's `ivrVersionedPromptId` decides what is pressed. */
  ivrNavigationEnabled?: boolean;
  /** A template; the agent's first words. */
  openingLine?: string;
  voicemailConfig?: {
    /** What the agent does when a voicemail picks up its call: end the call, leave `message` after the beep, or talk to it as to anybody. */
    action: "hangup" | "leave_message" | "continue";
    /** A template; what `leave_message` leaves. */
    message?: string;
    /** The carrier listens for machines too, and its word is evidence beside words and sound. Off unless switched on, since carriers charge for it. */
    carrierDetection?: boolean;
  };
  callingWindow?: {
    /** Every day when absent. */
    days?: ("MON" | "TUE" | "WED" | "THU" | "FRI" | "SAT" | "SUN")[];
    /** Such as 09:00; the first minute at which calls are placed. */
    start: string;
    /** Such as 20:00; the first minute at which none are. */
    end: string;
  };
  backgroundSound?: {
    /** What is heard behind the agent, also while it is silent: nothing, an office, or `audioId`. */
    type: "none" | "office" | "custom";
    /** An uploaded sound (`/audio`); with `custom` only. */
    audioId?: string;
    /** Tenths of a decibel; 0 lies some 20 dB below the voice, however loud the sound was uploaded. */
    volumeLevel?: number;
  };
  fallbacks?: {
    /** Models that take over, in this order, when the prompt's fails or does not begin in time. */
    models?: string[];
    /** Transcribers that take over, in this order, when the agent's fails or says nothing after speech; those that are not here, or do not hear the language, are passed over. */
    transcribers?: string[];
    /** Voices that take over, in this order, when the call's fails or is silent for too long; those that are not here, or do not speak the language, are passed over. */
    voices?: string[];
    /** Whom the other party is connected with when no model answers, or nothing hears, any more. E.164. */
    transferNumber?: string;
  };
  fillerConfig?: {
    /** On unless it is switched off, in languages that have words here. */
    enabled?: boolean;
    /** Said in turn while an answer takes long, such as `One moment.` */
    messages?: string[];
    /** Silence before the first of them; 1500 unless given. */
    afterMilliseconds?: number;
  };
  recordingConfig?: {
    /** False: calls of this agent are not recorded. */
    enabled?: boolean;
    /** Nothing is recorded until it is allowed: by the agent's action `allow_recording`, or over the API. */
    requireConsent?: boolean;
    /** Uncompressed, or Ogg with Opus in a fifth of the space; as the deployment says if absent. */
    format?: "wav" | "ogg";
  };
  /** So many days after its end all that a dial tells of the person is erased; kept if absent. */
  retentionDays?: number;
};

export type CreateApiKey = {
  /** To tell keys apart. */
  name: string;
  /** `secret` may do everything; `public` may only create browser dials for its agents. */
  type: "secret" | "public";
  /** The agents that a public key may dial; public keys only. */
  allowedAgentIds?: string[];
};

export type CreateDial = {
  callAgentId: string;
  webhookUrl?: string | null;
  browserCall?: boolean | null;
  toNumber?: string | null;
  fromNumberId?: string | null;
  aiVoiceId?: string | null;
  voiceOptionValues?: {
    optionId: string;
    value: string;
  }[];
  /** Tenths of a decibel. */
  voiceVolumeLevel?: number;
  /** The versioned prompt to use. */
  versionedModelId?: string;
  ivrVersionedPromptId?: string;
  overrideTranscriberFinalDurationMs?: number;
  /** Counted from answer; the agent's own limit holds too. */
  timeoutMinutes?: number;
  callAgentExtractorId?: string;
  callAgentInput?: Record<string, unknown> | null;
  keywords?: string[] | null;
};

export type CreateDoNotCall = {
  /** E.164, such as +12025550123; blanks, dashes, dots and brackets are left out. */
  number: string;
  /** Why, for people. */
  reason?: string;
};

export type CreateErasure = {
  /** E.164. */
  number: string;
};

export type CreateExtractor = {
  name: string;
  fields: {
    /** The name of the value in the dial's `aiResult`. */
    name: string;
    type: "text" | "int" | "float" | "bool" | "json";
    /** Whether the call may leave it open. */
    nullable?: boolean;
    /** What to look for, in plain words. */
    description?: string;
  }[];
};

export type CreateFunction = {
  /** What the model calls it by. */
  name: string;
  /** When to use it, for the model. */
  description: string;
  /** Tells the two variants apart. */
  type: "transfer" | "api";
  /** transfer: the only numbers that the agent may connect to. api: empty. */
  allowedNumbers?: {
    /** E.164. */
    number: string;
  }[];
  /** transfer: warm tells whoever picks up there what it is about, before they talk; where the carrier cannot, and by default, it is cold. */
  transferMode?: "cold" | "warm";
  lifecycleMessages?: {
    /** One is picked at random and spoken while the function runs. */
    started?: string[];
  };
  /** api: the https URL that is posted to. */
  apiPath?: string;
  /** api: sent with the request. */
  headers?: {
    key: string;
    /** Printable ASCII. */
    value: string;
  }[];
  /** api: JSON Schema of the parameters, as text. */
  inputJsonSchema?: string;
  /** api: what it answers. */
  outputs?: {
    name: string;
    type: "BOOLEAN" | "STRING" | "INTEGER" | "FLOAT" | "CUSTOM";
    nullable?: boolean;
    description?: string;
    /** For CUSTOM: a JSON Schema, as text. */
    customFieldJsonSchema?: string;
  }[];
};

export type CreatePhoneNumber = {
  /** E.164 for PSTN, the SIP user name for SIP_USERNAME. */
  number: string;
  type?: "PSTN" | "SIP_USERNAME";
  agentId?: string;
  /** The carrier that places this number's calls. */
  carrier?: string;
  /** Which of this deployment's accounts at that carrier places them; the one of the environment when absent. */
  carrierAccountId?: string;
  /** Is told when somebody rings this number (`dial.inbound`), and what becomes of the call. */
  webhookUrl?: string;
};

export type CreateVersionedPrompt = {
  name: string;
  agentType?: "STANDARD" | "CUSTOM_FLOW";
  prompt?: string | null;
  flowDefinition?: {
    nodes?: {
      id: string;
      name?: string;
      type: string;
      transitionRules?: {
        conditionType?: "always" | "equal" | "in" | "greater" | "less" | "language";
        arrayConditionType?: "any" | "all";
        field?: string;
        value?: string;
        values?: string[];
        transitionNodeId?: string;
      }[];
      nodeData?: Record<string, unknown>;
    }[];
    globalContext?: string;
    aiOpen?: boolean;
    openingLineType?: "INBOUND_ONLY" | "INBOUND_OUTBOUND" | "NONE";
  };
  aiModelId?: string;
  modelOptionValues?: {
    optionId: string;
    value: string;
  }[];
};

/** The new key. */
export type CreatedApiKey = {
  id: string;
  /** To tell keys apart. */
  name: string;
  /** `secret` may do everything; `public` may only create browser dials for its agents. */
  type: "secret" | "public";
  /** The agents that a public key may dial; public keys only. */
  allowedAgentIds?: string[];
  createdAt: string;
  /** The key itself. It is shown this once; only a hash is kept. */
  key: string;
};

/** Names the new dial, and what a client may follow it with. */
export type CreatedDial = {
  /** Authorizes requests for this dial only; may be given to a client. */
  dialToken: string;
  sessionId: string;
  dialId: string;
};

/** One call session, as `GET /dials/{id}` returns it. */
export type Dial = {
  id: string;
  toNumber?: string;
  agent?: Agent;
  recordings?: Recording[];
  transcript?: TranscriptEntry[];
  /** From answer to end. */
  durationSeconds?: number;
  aiResult?: Record<string, unknown>;
  /** By field of `aiResult`: indexes of the transcript entries that its value rests on. */
  aiResultEvidence?: Record<string, number[]>;
  inputs?: Record<string, unknown>;
  status?: "queued" | "ringing" | "in-progress" | "completed" | "failed" | "canceled" | "busy" | "no-answer";
  dialTaskId?: string;
  fromNumberId?: string | null;
  startedAt?: string;
  endedAt?: string;
  createdAt?: string;
  updatedAt?: string;
  systemResultType?:
    | "BUSY"
    | "FAILED"
    | "NO_ANSWER"
    | "CANCELLED"
    | "USER_HANGUP"
    | "COUNTERPARTY_HANGUP"
    | "TIMEOUT"
    | "RATE_LIMITED"
    | null;
  voiceId?: string;
  versionedPromptId?: string;
  direction?: "outbound" | "inbound" | "browser";
  fromNumber?: string;
  endReason?:
    | "agent_hangup"
    | "transferred"
    | "voicemail"
    | "idle"
    | "counterparty_hangup"
    | "operator_hangup"
    | "max_duration"
    | "busy"
    | "no_answer"
    | "no_client"
    | "canceled"
    | "rate_limited"
    | "expired"
    | "invalid_number"
    | "carrier_rejected"
    | "carrier_error"
    | "media_lost"
    | "transcriber_failed"
    | "model_failed"
    | "synthesizer_failed"
    | "worker_lost"
    | "compliance_blocked"
    | null;
  endedBy?: "remote" | "agent" | "api" | "transfer_target" | "carrier" | "system" | null;
  warnings?: string[];
  turns?: Turn[];
  /** When all that told of the person was erased. */
  erasedAt?: string;
};

/** A dial as lists show it: without transcript, turns and recordings. */
export type DialSummary = {
  id: string;
  toNumber?: string;
  agent?: Agent;
  /** From answer to end. */
  durationSeconds?: number;
  aiResult?: Record<string, unknown>;
  /** By field of `aiResult`: indexes of the transcript entries that its value rests on. */
  aiResultEvidence?: Record<string, number[]>;
  inputs?: Record<string, unknown>;
  status?: "queued" | "ringing" | "in-progress" | "completed" | "failed" | "canceled" | "busy" | "no-answer";
  dialTaskId?: string;
  fromNumberId?: string | null;
  startedAt?: string;
  endedAt?: string;
  createdAt?: string;
  updatedAt?: string;
  systemResultType?:
    | "BUSY"
    | "FAILED"
    | "NO_ANSWER"
    | "CANCELLED"
    | "USER_HANGUP"
    | "COUNTERPARTY_HANGUP"
    | "TIMEOUT"
    | "RATE_LIMITED"
    | null;
  voiceId?: string;
  versionedPromptId?: string;
  direction?: "outbound" | "inbound" | "browser";
  fromNumber?: string;
  endReason?:
    | "agent_hangup"
    | "transferred"
    | "voicemail"
    | "idle"
    | "counterparty_hangup"
    | "operator_hangup"
    | "max_duration"
    | "busy"
    | "no_answer"
    | "no_client"
    | "canceled"
    | "rate_limited"
    | "expired"
    | "invalid_number"
    | "carrier_rejected"
    | "carrier_error"
    | "media_lost"
    | "transcriber_failed"
    | "model_failed"
    | "synthesizer_failed"
    | "worker_lost"
    | "compliance_blocked"
    | null;
  endedBy?: "remote" | "agent" | "api" | "transfer_target" | "carrier" | "system" | null;
  warnings?: string[];
  /** When all that told of the person was erased. */
  erasedAt?: string;
};

/** A new token of the dial. */
export type DialToken = {
  dialToken: string;
};

/** A number that is not called. Dials to it are refused, and those that wait already are not placed. */
export type DoNotCall = {
  id: string;
  /** E.164, such as +12025550123; blanks, dashes, dots and brackets are left out. */
  number: string;
  /** Why, for people. */
  reason?: string;
  /** The call in which the person asked for it. */
  dialId?: string;
  createdAt: string;
};

/** That something was erased, and nothing of what it was. */
export type Erasure = {
  id: string;
  /** A dial was to be erased, everything of a number was, or the time to keep a dial had passed. */
  cause: "dial" | "number" | "retention";
  /** The dial; absent where a number was asked for. */
  dialId?: string;
  /** How many dials it concerns. Those whose calls go on are erased once they are over. */
  dials: number;
  createdAt: string;
};

/** Which values to take from a finished call. */
export type Extractor = {
  id: string;
  name: string;
  fields: {
    /** The name of the value in the dial's `aiResult`. */
    name: string;
    type: "text" | "int" | "float" | "bool" | "json";
    /** Whether the call may leave it open. */
    nullable?: boolean;
    /** What to look for, in plain words. */
    description?: string;
  }[];
};

/** A capability that an agent can invoke. */
export type FunctionDefinition = {
  id: string;
  /** What the model calls it by. */
  name: string;
  /** When to use it, for the model. */
  description: string;
  /** Tells the two variants apart. */
  type: "transfer" | "api";
  /** transfer: the only numbers that the agent may connect to. api: empty. */
  allowedNumbers: {
    /** E.164. */
    number: string;
  }[];
  /** transfer: warm tells whoever picks up there what it is about, before they talk; where the carrier cannot, and by default, it is cold. */
  transferMode?: "cold" | "warm";
  lifecycleMessages?: {
    /** One is picked at random and spoken while the function runs. */
    started?: string[];
  };
  /** api: the https URL that is posted to. */
  apiPath?: string;
  /** api: sent with the request. */
  headers?: {
    key: string;
    /** Printable ASCII. */
    value: string;
  }[];
  /** api: JSON Schema of the parameters, as text. */
  inputJsonSchema?: string;
  /** api: what it answers. */
  outputs?: {
    name: string;
    type: "BOOLEAN" | "STRING" | "INTEGER" | "FLOAT" | "CUSTOM";
    nullable?: boolean;
    description?: string;
    /** For CUSTOM: a JSON Schema, as text. */
    customFieldJsonSchema?: string;
  }[];
};

/** It is. */
export type Health = {
  status: "ok";
};

/** What the transcriber believes so far that the caller says. */
export type InterimEvent = {
  type: "interim";
  text: string;
};

/** What happens in a call while it happens; the data of one server-sent event. */
export type LiveEvent = StatusEvent | TranscriptEvent | InterimEvent | TurnEvent | RecordingEvent;

export type Model = {
  id: string;
  name: string;
  modelOptions: {
    id: string;
    name: string;
    valueType: "STRING" | "INT" | "FLOAT";
    default: string;
    /** Smallest value of a number. */
    minimum?: number;
    /** All values of a string, where only some are taken. */
    choices?: string[];
    /** Largest value of a number. */
    maximum?: number;
  }[];
};

/** A number that calls are placed from, and that its agent answers when somebody rings it. */
export type PhoneNumber = {
  id: string;
  /** E.164 for PSTN, the SIP user name for SIP_USERNAME. */
  number: string;
  type: "PSTN" | "SIP_USERNAME";
  agentId?: string;
  /** The carrier that places this number's calls. */
  carrier?: string;
  /** Which of this deployment's accounts at that carrier places them; the one of the environment when absent. */
  carrierAccountId?: string;
  /** Is told when somebody rings this number (`dial.inbound`), and what becomes of the call. */
  webhookUrl?: string;
};

/** Every error has this shape (RFC 9457). */
export type Problem = {
  /** A URI that names the problem; it need not lead anywhere. */
  type: string;
  title: string;
  status: number;
  /** What happened and what to do. */
  detail: string;
  /** Stable; decide on this. */
  code:
    | "invalid_json"
    | "bad_request"
    | "invalid_url"
    | "invalid_idempotency_key"
    | "unauthorized"
    | "forbidden"
    | "not_found"
    | "agent_not_found"
    | "dial_not_found"
    | "prompt_not_found"
    | "extractor_not_found"
    | "phone_number_not_found"
    | "function_not_found"
    | "api_key_not_found"
    | "audio_not_found"
    | "recording_not_found"
    | "webhook_delivery_not_found"
    | "method_not_allowed"
    | "request_timeout"
    | "number_exists"
    | "audio_limit_reached"
    | "key_in_use"
    | "call_not_live"
    | "dial_not_over"
    | "payload_too_large"
    | "unsupported_media_type"
    | "audio_not_convertible"
    | "range_not_satisfiable"
    | "validation_failed"
    | "invalid_audio"
    | "invalid_cursor"
    | "agent_has_no_prompt"
    | "unknown_agent"
    | "unknown_function"
    | "unknown_model"
    | "invalid_model_option"
    | "invalid_flow"
    | "api_path_not_allowed"
    | "unknown_prompt"
    | "unknown_extractor"
    | "no_language_model"
    | "nothing_said"
    | "unknown_from_number"
    | "account_not_configured"
    | "carrier_not_configured"
    | "number_required"
    | "invalid_number"
    | "do_not_call"
    | "do_not_call_entry_not_found"
    | "destination_not_allowed"
    | "webhook_url_not_allowed"
    | "unknown_transcriber"
    | "unknown_voice"
    | "invalid_voice_option"
    | "language_not_supported"
    | "voicemail_message_too_long"
    | "opening_line_too_long"
    | "idempotency_key_reused"
    | "rate_limited"
    | "headers_too_large"
    | "internal_error"
    | "extraction_failed"
    | "too_many_extractions"
    | "too_many_conversions"
    | "store_unavailable";
  errors: {
    /** JSON pointer to the field, or the name of a query parameter after a slash. */
    path: string;
    message: string;
  }[];
  requestId: string;
};

/** Whether it should, and why not. */
export type Readiness = {
  status: "ready" | "not-ready";
  reasons: string[];
};

export type Recording = {
  /** A stable API path that needs Authorization. */
  url: string;
  id: string;
  /** Channel 1 is the caller, channel 2 the agent. */
  channels: number;
  /** 0 while the call goes on. */
  durationMs: number;
  /** Where it begins: with the answer, so that its times are those of the transcript. */
  startedAt: string;
  /** When it was allowed, if the agent must ask; what was said before is silence. */
  allowedAt?: string;
};

/** The recording was allowed, paused or resumed. */
export type RecordingEvent = {
  type: "recording";
  state: "off" | "on" | "paused";
};

/** The dial has moved on; the stream ends after a terminal status. */
export type StatusEvent = {
  type: "status";
  status: "queued" | "ringing" | "in-progress" | "completed" | "failed" | "canceled" | "busy" | "no-answer";
  systemResultType:
    | "BUSY"
    | "FAILED"
    | "NO_ANSWER"
    | "CANCELLED"
    | "USER_HANGUP"
    | "COUNTERPARTY_HANGUP"
    | "TIMEOUT"
    | "RATE_LIMITED"
    | null;
};

export type TranscriptEntry = {
  /** What was said; for the agent, what the caller heard of it. */
  text: string;
  speaker: "HUMAN" | "AI" | "IVR";
  detailType: "function" | "node_transition" | null;
  functionCallId?: string;
  /** Milliseconds since the call was answered. */
  startTimeMs: number;
  endTimeMs: number;
  /** When each word of the caller was said, where the transcriber tells that of the whole entry. */
  words?: {
    text: string;
    startTimeMs: number;
    endTimeMs: number;
  }[];
  functionCalls?: {
    functionCallId: string;
    name: string;
    args: string;
  }[];
  nodeTransition?: {
    toNodeId: string;
    transitionData: Record<string, unknown>;
    fromNodeId?: string;
    ruleIndex?: number;
  };
};

/** An entry of the transcript, told again when it grows or is cut. */
export type TranscriptEvent = {
  type: "transcript";
  entry: TranscriptEntry;
};

export type Turn = {
  /** 0 is the opening line. */
  index: number;
  /** When the turn was decided, in milliseconds since the call was answered. */
  startMs: number;
  /** Why the agent took the floor. `opening`: it speaks first; `silence`: the caller was silent for as long as this turn deserved, and the words were there; `transcript`: the words came after that wait; `timeout`: they were overdue, or keys stopped coming, and it went by what there was; `complete`: all keys were there, or a voicemail could be spoken to; `idle`: nobody said anything; `function`: to tell a function's result or a failure; `resumed`: to say the rest of what a noise had cut off; `operator`: somebody who watches over calls wanted it; `ended`: it did not, and the call ended; the turn tells the `fallbacks` since the one before. */
  endReason:
    | "opening"
    | "silence"
    | "complete"
    | "timeout"
    | "transcript"
    | "idle"
    | "function"
    | "resumed"
    | "operator"
    | "ended";
  /** The end of the turn was decided. All stages count milliseconds from the caller's last voiced sample; those of a turn that the caller did not begin, from the turn's own beginning. */
  endpointMs?: number;
  /** The final words came. */
  transcriptMs?: number;
  /** The dialogue's first word came. */
  modelFirstTokenMs?: number;
  /** The first piece of text was whole and went to the voice. */
  firstSentenceMs?: number;
  /** The voice's first sound came. */
  synthesizerFirstAudioMs?: number;
  /** The first sound went to the line. */
  audioSentMs?: number;
  /** The first sound was heard, by the playback ledger. */
  heardMs?: number;
  /** When the answer's first sound was heard by the carrier's word; absent where the line confirms nothing. */
  audioAcknowledgedMs?: number;
  interrupted: boolean;
  /** The answer was begun while the wait for the end of the turn still ran, so its stages may come before it. */
  speculative?: boolean;
  /** What the end of the caller's turn was decided upon. */
  endpoint?: {
    /** Silence after which the turn was to end, from the last voiced sample. */
    waitMs: number;
    /** That the turn was over, 0 to 1, as it was judged. */
    probability?: number;
    /** What the caller's words looked like, such as `digits`. */
    form?: string;
    /** What the agent had asked for, such as `yes-no` or `open`. */
    expected?: string;
  };
  /** Providers that took over from others, in order, since the turn before; the first 20. */
  fallbacks?: {
    /** What the providers are there for. */
    part: "transcriber" | "model" | "synthesizer";
    /** The provider that failed, was late, or was known to be down. */
    from: string;
    /** The provider that went on. */
    to: string;
    /** `failed`: it gave an error or broke off. `late`: its deadline passed. `down`: it had kept failing, also in other calls, and was not asked. */
    why: "failed" | "late" | "down";
  }[];
  /** What the caller said over the agent, in order; the first 50. */
  bargeIns?: {
    /** Since the call was answered. */
    atMs: number;
    /** The caller took the floor, or the agent went on where it had paused. */
    decision: "committed" | "resumed";
    /** `length`: spoke for as long as the sensitivity asks. `stop-word`: said one such as `wait`. `words`: fell silent after words of a turn. `key`: pressed one. `backchannel`: no more than a sign of life. `no-words`: a cough, a noise. */
    why: "length" | "stop-word" | "words" | "key" | "backchannel" | "no-words";
  }[];
};

/** What a turn of the agent cost, stage by stage. */
export type TurnEvent = {
  type: "turn";
  turn: Turn;
};

export type UpdateAgent = {
  name?: string;
  /** BCP 47 tag such as `en` or `en-US`. */
  language?: string;
  additionalLanguages?: string[] | null;
  transcriberParams?: {
    /** Identifier of a transcriber, such as `local`. */
    type?: string;
    keywords?: string[];
  } | null;
  metadata?: Record<string, unknown> | null;
  utteranceDetectorConfig?: {
    sensitivity?: "ULTRA_FAST" | "FAST" | "MEDIUM" | "SLOW";
  } | null;
  endpointDetectorConfig?: {
    type?: "SIMPLE" | "SEMANTIC";
    mode?: "CONSERVATIVE" | "DEFAULT" | "AGGRESSIVE";
  } | null;
  idleMessageConfig?: {
    enabled?: boolean;
    messages?: string[];
    /** Silence of both sides before a message, in milliseconds. */
    idleDurationMilliseconds?: number;
    /** After this many unanswered messages the agent hangs up. */
    maxIdleMessages?: number;
  } | null;
  maxDurationSeconds?: number | null;
  defaultVoiceId?: string | null;
  defaultVersionedPromptId?: string | null;
  linkedFunctionDefinitions?:
    | {
        functionDefinitionId: string;
        lifecycleMessagesOverride?: {
          /** One is picked at random and spoken while the function runs. */
          started?: string[];
        };
      }[]
    | null;
  fillEmptyStringVariables?: boolean | null;
  ivrNavigationEnabled?: boolean | null;
  openingLine?: string | null;
  voicemailConfig?: {
    /** What the agent does when a voicemail picks up its call: end the call, leave `message` after the beep, or talk to it as to anybody. */
    action: "hangup" | "leave_message" | "continue";
    /** A template; what `leave_message` leaves. */
    message?: string;
    /** The carrier listens for machines too, and its word is evidence beside words and sound. Off unless switched on, since carriers charge for it. */
    carrierDetection?: boolean;
  } | null;
  callingWindow?: {
    /** Every day when absent. */
    days?: ("MON" | "TUE" | "WED" | "THU" | "FRI" | "SAT" | "SUN")[];
    /** Such as 09:00; the first minute at which calls are placed. */
    start: string;
    /** Such as 20:00; the first minute at which none are. */
    end: string;
  } | null;
  backgroundSound?: {
    /** What is heard behind the agent, also while it is silent: nothing, an office, or `audioId`. */
    type: "none" | "office" | "custom";
    /** An uploaded sound (`/audio`); with `custom` only. */
    audioId?: string;
    /** Tenths of a decibel; 0 lies some 20 dB below the voice, however loud the sound was uploaded. */
    volumeLevel?: number;
  } | null;
  fallbacks?: {
    /** Models that take over, in this order, when the prompt's fails or does not begin in time. */
    models?: string[];
    /** Transcribers that take over, in this order, when the agent's fails or says nothing after speech; those that are not here, or do not hear the language, are passed over. */
    transcribers?: string[];
    /** Voices that take over, in this order, when the call's fails or is silent for too long; those that are not here, or do not speak the language, are passed over. */
    voices?: string[];
    /** Whom the other party is connected with when no model answers, or nothing hears, any more. E.164. */
    transferNumber?: string;
  } | null;
  fillerConfig?: {
    /** On unless it is switched off, in languages that have words here. */
    enabled?: boolean;
    /** Said in turn while an answer takes long, such as `One moment.` */
    messages?: string[];
    /** Silence before the first of them; 1500 unless given. */
    afterMilliseconds?: number;
  } | null;
  recordingConfig?: {
    /** False: calls of this agent are not recorded. */
    enabled?: boolean;
    /** Nothing is recorded until it is allowed: by the agent's action `allow_recording`, or over the API. */
    requireConsent?: boolean;
    /** Uncompressed, or Ogg with Opus in a fifth of the space; as the deployment says if absent. */
    format?: "wav" | "ogg";
  } | null;
  retentionDays?: number | null;
  defaultExtractorId?: string | null;
};

export type UpdateExtractor = {
  name?: string;
  fields?: {
    /** The name of the value in the dial's `aiResult`. */
    name: string;
    type: "text" | "int" | "float" | "bool" | "json";
    /** Whether the call may leave it open. */
    nullable?: boolean;
    /** What to look for, in plain words. */
    description?: string;
  }[];
};

/** `allowedNumbers` is required for a transfer function. */
export type UpdateFunction = {
  /** What the model calls it by. */
  name?: string;
  /** When to use it, for the model. */
  description?: string;
  /** Tells the two variants apart. */
  type?: "transfer" | "api";
  /** transfer: the only numbers that the agent may connect to. api: empty. */
  allowedNumbers?: {
    /** E.164. */
    number: string;
  }[];
  /** transfer: warm tells whoever picks up there what it is about, before they talk; where the carrier cannot, and by default, it is cold. */
  transferMode?: "cold" | "warm";
  lifecycleMessages?: {
    /** One is picked at random and spoken while the function runs. */
    started?: string[];
  };
  /** api: the https URL that is posted to. */
  apiPath?: string;
  /** api: sent with the request. */
  headers?: {
    key: string;
    /** Printable ASCII. */
    value: string;
  }[];
  /** api: JSON Schema of the parameters, as text. */
  inputJsonSchema?: string;
  /** api: what it answers. */
  outputs?: {
    name: string;
    type: "BOOLEAN" | "STRING" | "INTEGER" | "FLOAT" | "CUSTOM";
    nullable?: boolean;
    description?: string;
    /** For CUSTOM: a JSON Schema, as text. */
    customFieldJsonSchema?: string;
  }[];
};

export type UpdatePhoneNumber = {
  agentId?: string | null;
  /** The carrier that places this number's calls. */
  carrier?: string;
  carrierAccountId?: string | null;
  webhookUrl?: string | null;
};

export type UpdateVersionedPrompt = {
  name?: string;
  agentType?: "STANDARD" | "CUSTOM_FLOW";
  prompt?: string | null;
  flowDefinition?: {
    nodes?: {
      id: string;
      name?: string;
      type: string;
      transitionRules?: {
        conditionType?: "always" | "equal" | "in" | "greater" | "less" | "language";
        arrayConditionType?: "any" | "all";
        field?: string;
        value?: string;
        values?: string[];
        transitionNodeId?: string;
      }[];
      nodeData?: Record<string, unknown>;
    }[];
    globalContext?: string;
    aiOpen?: boolean;
    openingLineType?: "INBOUND_ONLY" | "INBOUND_OUTBOUND" | "NONE";
  };
  aiModelId?: string | null;
  modelOptionValues?: {
    optionId: string;
    value: string;
  }[];
};

/** What an agent says and does: a prompt or a node flow, and the model that speaks it. */
export type VersionedPrompt = {
  id: string;
  name: string;
  agentType: "STANDARD" | "CUSTOM_FLOW";
  prompt: string | null;
  flowDefinition?: {
    nodes?: {
      id: string;
      name?: string;
      type: string;
      transitionRules?: {
        conditionType?: "always" | "equal" | "in" | "greater" | "less" | "language";
        arrayConditionType?: "any" | "all";
        field?: string;
        value?: string;
        values?: string[];
        transitionNodeId?: string;
      }[];
      nodeData?: Record<string, unknown>;
      /** JSON Schema as a string; responses only. */
      outputSchema?: string;
    }[];
    globalContext?: string;
    aiOpen?: boolean;
    openingLineType?: "INBOUND_ONLY" | "INBOUND_OUTBOUND" | "NONE";
  };
  aiModelId?: string;
  modelOptionValues?: {
    optionId: string;
    value: string;
  }[];
};

export type Voice = {
  id: string;
  name: string;
  /** The provider, or the model type of a hosted voice. */
  voiceType: string;
  voiceTier: "STANDARD" | "PREMIUM";
  description: string;
  /** What it speaks, as BCP 47 tags; a tag without a region stands for all of them. Absent: all that its provider speaks. */
  languages?: string[];
  voiceOptions?: {
    id: string;
    name: string;
    valueType: "STRING" | "INT" | "FLOAT";
    default: string;
    /** Smallest value of a number. */
    minimum?: number;
    /** All values of a string, where only some are taken. */
    choices?: string[];
    /** Largest value of a number. */
    maximum?: number;
  }[];
};

/** One event on its way to one webhook. What was sent and answered is not kept. */
export type WebhookDelivery = {
  /** The `webhook-id` header and the envelope's `id`; the same at every attempt. */
  id: string;
  dialId: string;
  event:
    | "dial.created"
    | "dial.updated"
    | "dial.corrected"
    | "dial.transcript"
    | "dial.recording_created"
    | "dial.extractor";
  /** Counts the events of one dial. */
  sequence: number;
  status: "pending" | "delivered" | "dead";
  createdAt: string;
  nextAttemptAt: string | null;
  deliveredAt: string | null;
  attemptCount: number;
  /** The last 20, oldest first. */
  attempts: {
    at: string;
    outcome: "delivered" | "rejected" | "gone" | "refused" | "not_sent" | "timeout" | "broken";
    /** Present when the endpoint answered. */
    statusCode?: number;
    durationMs: number;
  }[];
};

/** The secret that receivers check signatures with. */
export type WebhookSecret = {
  /** Signs every webhook of the workspace (Standard Webhooks, HMAC-SHA256). */
  secret: string;
  createdAt: string;
  previousExpiresAt: string | null;
};

/** What each operation takes and answers: `responses` by status, problems among them. */
export type Operations = {
  /** List dials. Newest first, without transcripts, turns and recordings. An unknown `callAgentId` has no dials. */
  listDials: {
    params: unknown;
    query: {
      /** 1 to 1000; default 100. */
      limit?: string;
      /** The cursor of the previous page, unchanged. */
      cursor?: string;
      /** Only dials of this agent. */
      callAgentId?: string;
      status?: "queued" | "ringing" | "in-progress" | "completed" | "failed" | "canceled" | "busy" | "no-answer";
      /** ISO 8601; dials of later moments. */
      createdAfter?: string;
      /** ISO 8601; dials of earlier moments. */
      createdBefore?: string;
    };
    headers: unknown;
    body: undefined;
    responses: {
      200: {
        data: DialSummary[];
        cursor: string | null;
      };
      401: Problem;
      403: Problem;
      422: Problem;
      429: Problem;
      503: Problem;
    };
  };
  /** Create a dial. Rings a person and lets an agent speak with them; with `browserCall`, waits for a visitor who connects to `/browser/{dialId}` with the `dialToken`. The answer comes at once; what became of the call is told by `GET /dials/{id}`. The header `Idempotency-Key` makes a repeated request safe for 7 days: it answers 200 with the first dial and `Idempotency-Replayed: true`. */
  createDial: {
    params: unknown;
    query: unknown;
    headers: {
      /** 1 to 255 visible ASCII characters. */
      "idempotency-key"?: string;
    };
    body: CreateDial;
    responses: {
      200: CreatedDial;
      201: CreatedDial;
      400: Problem;
      401: Problem;
      403: Problem;
      404: Problem;
      413: Problem;
      415: Problem;
      422: Problem;
      429: Problem;
      503: Problem;
    };
  };
  /** Get a dial. The record of one call, also while it goes on: status, transcript, recordings, timings of each turn. */
  getDial: {
    params: {
      id: string;
    };
    query: unknown;
    headers: unknown;
    body: undefined;
    responses: { 200: Dial; 401: Problem; 403: Problem; 404: Problem; 429: Problem; 503: Problem };
  };
  /** Erase a dial. Takes out all that the dial tells of the person: numbers, inputs, transcript, turns, recordings, `aiResult`, and what webhooks that are kept said of these. What remains is that there was a call, when, and how it ended; it is answered. 202: a part did not answer, and it will be done within a day. A dial whose call goes on is refused. */
  eraseDial: {
    params: {
      id: string;
    };
    query: unknown;
    headers: unknown;
    body: undefined;
    responses: {
      200: Dial;
      202: Dial;
      401: Problem;
      403: Problem;
      404: Problem;
      409: Problem;
      429: Problem;
      503: Problem;
    };
  };
  /** Hang up. Ends a call, or cancels a dial that nobody has answered yet. A dial that is over stays as it is. The end itself follows shortly; see `status`. */
  hangUpDial: {
    params: {
      id: string;
    };
    query: unknown;
    headers: unknown;
    body: undefined;
    responses: { 202: Dial; 401: Problem; 403: Problem; 404: Problem; 429: Problem; 503: Problem };
  };
  /** Extract once more. Takes the values of an extractor, as it is now, out of a call that is over: the agent's own extractor, or the one that is named. Answers when the dial has its new `aiResult` and `aiResultEvidence`, after 90 s at most. Asking again does no harm; `dial.extractor` is told of the first result only. */
  extractDial: {
    params: {
      id: string;
    };
    query: unknown;
    headers: unknown;
    body: {
      callAgentExtractorId?: string;
    };
    responses: {
      200: Dial;
      400: Problem;
      401: Problem;
      403: Problem;
      404: Problem;
      409: Problem;
      413: Problem;
      415: Problem;
      422: Problem;
      429: Problem;
      503: Problem;
    };
  };
  /** Mint another dial token. */
  createDialToken: {
    params: {
      id: string;
    };
    query: unknown;
    headers: unknown;
    body: undefined;
    responses: { 201: DialToken; 401: Problem; 403: Problem; 404: Problem; 429: Problem; 503: Problem };
  };
  /** Follow a dial. Server-sent events: `status`, `transcript`, `interim` (what the transcriber believes so far) and `turn`, with JSON data. The stream begins with what is kept of the call, and ends after the terminal status. `Last-Event-ID` continues where a broken stream stopped; a comment every 15 s keeps the connection open. */
  followDial: {
    params: {
      id: string;
    };
    query: unknown;
    headers: {
      /** The last `id` that was received. */
      "last-event-id"?: string;
    };
    body: undefined;
    responses: { 200: LiveEvent; 401: Problem; 403: Problem; 404: Problem; 429: Problem; 503: Problem };
  };
  /** Get a recording. The sound of the call in stereo, caller left and agent right, as WAV or as Ogg with Opus; also while the call goes on, up to where it is. `Range` is understood, so players can seek. Where recordings lie in an object store, the answer may be a redirect to an address there that holds for five minutes. */
  getRecording: {
    params: {
      id: string;
      recordingId: string;
    };
    query: unknown;
    headers: unknown;
    body: undefined;
    responses: {
      200: Blob;
      206: Blob;
      302: Blob;
      401: Problem;
      403: Problem;
      404: Problem;
      416: Problem;
      429: Problem;
      503: Problem;
    };
  };
  /** Allow, pause or resume a recording. For a call that goes on. Of a pause both sides are silent in the recording, and its times stay those of the call. Followers of the dial are told by a `recording` event. A call that is not recorded at all stays so. */
  switchRecording: {
    params: {
      id: string;
    };
    query: unknown;
    headers: unknown;
    body: {
      /** `start`: the person allows it, where the agent must ask. `pause`: both sides become silence, and time goes on. `resume`: no longer. */
      action: "start" | "pause" | "resume";
    };
    responses: {
      202: Dial;
      400: Problem;
      401: Problem;
      403: Problem;
      404: Problem;
      409: Problem;
      413: Problem;
      415: Problem;
      422: Problem;
      429: Problem;
      503: Problem;
    };
  };
  /** List erasures. What was erased and why, oldest first. No entry tells whom it was about. */
  listErasures: {
    params: unknown;
    query: {
      /** 1 to 1000; default 100. */
      limit?: string;
      /** The cursor of the previous page, unchanged. */
      cursor?: string;
    };
    headers: unknown;
    body: undefined;
    responses: {
      200: {
        data: Erasure[];
        cursor: string | null;
      };
      401: Problem;
      403: Problem;
      422: Problem;
      429: Problem;
      503: Problem;
    };
  };
  /** Erase everything of a number. Erases every dial to the number, and every call from it, as `DELETE /dials/{id}` does; at once where it can, else within a day. Calls that go on are erased once they are over. Whether the number may be called again is another matter: see `/do_not_call`, whose entry stays. */
  eraseNumber: {
    params: unknown;
    query: unknown;
    headers: unknown;
    body: CreateErasure;
    responses: {
      201: Erasure;
      400: Problem;
      401: Problem;
      403: Problem;
      413: Problem;
      415: Problem;
      422: Problem;
      429: Problem;
      503: Problem;
    };
  };
  /** List agents. Oldest first. */
  listAgents: {
    params: unknown;
    query: {
      /** 1 to 1000; default 100. */
      limit?: string;
      /** The cursor of the previous page, unchanged. */
      cursor?: string;
    };
    headers: unknown;
    body: undefined;
    responses: {
      200: {
        data: Agent[];
        cursor: string | null;
      };
      401: Problem;
      403: Problem;
      422: Problem;
      429: Problem;
      503: Problem;
    };
  };
  /** Create an agent. Its prompts and extractors come after it, since they belong to it. */
  createAgent: {
    params: unknown;
    query: unknown;
    headers: unknown;
    body: CreateAgent;
    responses: {
      201: Agent;
      400: Problem;
      401: Problem;
      403: Problem;
      413: Problem;
      415: Problem;
      422: Problem;
      429: Problem;
      503: Problem;
    };
  };
  /** Get an agent. */
  getAgent: {
    params: {
      id: string;
    };
    query: unknown;
    headers: unknown;
    body: undefined;
    responses: { 200: Agent; 401: Problem; 403: Problem; 404: Problem; 429: Problem; 503: Problem };
  };
  /** Update an agent. Changes the fields that are present; objects and arrays are replaced whole. Calls on their way keep what they run with. */
  updateAgent: {
    params: {
      id: string;
    };
    query: unknown;
    headers: unknown;
    body: UpdateAgent;
    responses: {
      200: Agent;
      400: Problem;
      401: Problem;
      403: Problem;
      404: Problem;
      413: Problem;
      415: Problem;
      422: Problem;
      429: Problem;
      503: Problem;
    };
  };
  /** Delete an agent. Answers the agent as it was. Its prompts and extractors go with it and its numbers become free; its dials stay, and live calls go on. */
  deleteAgent: {
    params: {
      id: string;
    };
    query: unknown;
    headers: unknown;
    body: undefined;
    responses: { 200: Agent; 401: Problem; 403: Problem; 404: Problem; 429: Problem; 503: Problem };
  };
  /** List versioned prompts. The prompts of an agent, oldest first. */
  listVersionedPrompts: {
    params: {
      agentId: string;
    };
    query: {
      /** 1 to 1000; default 100. */
      limit?: string;
      /** The cursor of the previous page, unchanged. */
      cursor?: string;
    };
    headers: unknown;
    body: undefined;
    responses: {
      200: {
        data: VersionedPrompt[];
        cursor: string | null;
      };
      401: Problem;
      403: Problem;
      404: Problem;
      422: Problem;
      429: Problem;
      503: Problem;
    };
  };
  /** Create a versioned prompt. A STANDARD prompt needs `prompt`, a CUSTOM_FLOW needs `flowDefinition`, which is checked as a whole. The body may have 1 MB. */
  createVersionedPrompt: {
    params: {
      agentId: string;
    };
    query: unknown;
    headers: unknown;
    body: CreateVersionedPrompt;
    responses: {
      201: VersionedPrompt;
      400: Problem;
      401: Problem;
      403: Problem;
      404: Problem;
      413: Problem;
      415: Problem;
      422: Problem;
      429: Problem;
      503: Problem;
    };
  };
  /** Get a versioned prompt. */
  getVersionedPrompt: {
    params: {
      agentId: string;
      id: string;
    };
    query: unknown;
    headers: unknown;
    body: undefined;
    responses: { 200: VersionedPrompt; 401: Problem; 403: Problem; 404: Problem; 429: Problem; 503: Problem };
  };
  /** Update a versioned prompt. Changes the fields that are present. `outputSchema` of a node is derived and not part of the request. A prompt that becomes STANDARD loses its flow. The body may have 1 MB. */
  updateVersionedPrompt: {
    params: {
      agentId: string;
      id: string;
    };
    query: unknown;
    headers: unknown;
    body: UpdateVersionedPrompt;
    responses: {
      200: VersionedPrompt;
      400: Problem;
      401: Problem;
      403: Problem;
      404: Problem;
      413: Problem;
      415: Problem;
      422: Problem;
      429: Problem;
      503: Problem;
    };
  };
  /** Delete a versioned prompt. Answers the prompt as it was. Calls on their way keep it. */
  deleteVersionedPrompt: {
    params: {
      agentId: string;
      id: string;
    };
    query: unknown;
    headers: unknown;
    body: undefined;
    responses: { 200: VersionedPrompt; 401: Problem; 403: Problem; 404: Problem; 429: Problem; 503: Problem };
  };
  /** List extractors. The extractors of an agent, oldest first. */
  listExtractors: {
    params: {
      agentId: string;
    };
    query: {
      /** 1 to 1000; default 100. */
      limit?: string;
      /** The cursor of the previous page, unchanged. */
      cursor?: string;
    };
    headers: unknown;
    body: undefined;
    responses: {
      200: {
        data: Extractor[];
        cursor: string | null;
      };
      401: Problem;
      403: Problem;
      404: Problem;
      422: Problem;
      429: Problem;
      503: Problem;
    };
  };
  /** Create an extractor. */
  createExtractor: {
    params: {
      agentId: string;
    };
    query: unknown;
    headers: unknown;
    body: CreateExtractor;
    responses: {
      201: Extractor;
      400: Problem;
      401: Problem;
      403: Problem;
      404: Problem;
      413: Problem;
      415: Problem;
      422: Problem;
      429: Problem;
      503: Problem;
    };
  };
  /** Get an extractor. */
  getExtractor: {
    params: {
      agentId: string;
      id: string;
    };
    query: unknown;
    headers: unknown;
    body: undefined;
    responses: { 200: Extractor; 401: Problem; 403: Problem; 404: Problem; 429: Problem; 503: Problem };
  };
  /** Update an extractor. Changes the fields that are present; `fields` is replaced whole. */
  updateExtractor: {
    params: {
      agentId: string;
      id: string;
    };
    query: unknown;
    headers: unknown;
    body: UpdateExtractor;
    responses: {
      200: Extractor;
      400: Problem;
      401: Problem;
      403: Problem;
      404: Problem;
      413: Problem;
      415: Problem;
      422: Problem;
      429: Problem;
      503: Problem;
    };
  };
  /** Delete an extractor. Answers the extractor as it was. */
  deleteExtractor: {
    params: {
      agentId: string;
      id: string;
    };
    query: unknown;
    headers: unknown;
    body: undefined;
    responses: { 200: Extractor; 401: Problem; 403: Problem; 404: Problem; 429: Problem; 503: Problem };
  };
  /** List functions. Oldest first. */
  listFunctions: {
    params: unknown;
    query: {
      /** 1 to 1000; default 100. */
      limit?: string;
      /** The cursor of the previous page, unchanged. */
      cursor?: string;
    };
    headers: unknown;
    body: undefined;
    responses: {
      200: {
        data: FunctionDefinition[];
        cursor: string | null;
      };
      401: Problem;
      403: Problem;
      422: Problem;
      429: Problem;
      503: Problem;
    };
  };
  /** Create a function. `type` decides which fields there are: a transfer function needs `allowedNumbers`, an api function `apiPath`. An agent can call it once it is in the agent's `linkedFunctionDefinitions`. */
  createFunction: {
    params: unknown;
    query: unknown;
    headers: unknown;
    body: CreateFunction;
    responses: {
      201: FunctionDefinition;
      400: Problem;
      401: Problem;
      403: Problem;
      413: Problem;
      415: Problem;
      422: Problem;
      429: Problem;
      503: Problem;
    };
  };
  /** Get a function. */
  getFunction: {
    params: {
      id: string;
    };
    query: unknown;
    headers: unknown;
    body: undefined;
    responses: { 200: FunctionDefinition; 401: Problem; 403: Problem; 404: Problem; 429: Problem; 503: Problem };
  };
  /** Update a function. Changes the fields that are present. `allowedNumbers` is required for a transfer function. A function that changes its type loses the fields of the other one. */
  updateFunction: {
    params: {
      id: string;
    };
    query: unknown;
    headers: unknown;
    body: UpdateFunction;
    responses: {
      200: FunctionDefinition;
      400: Problem;
      401: Problem;
      403: Problem;
      404: Problem;
      413: Problem;
      415: Problem;
      422: Problem;
      429: Problem;
      503: Problem;
    };
  };
  /** Delete a function. Answers the function as it was. Agents that it is linked to go on without it. */
  deleteFunction: {
    params: {
      id: string;
    };
    query: unknown;
    headers: unknown;
    body: undefined;
    responses: { 200: FunctionDefinition; 401: Problem; 403: Problem; 404: Problem; 429: Problem; 503: Problem };
  };
  /** List phone numbers. Oldest first. The id of one is the `fromNumberId` of a dial. */
  listPhoneNumbers: {
    params: unknown;
    query: {
      /** 1 to 1000; default 100. */
      limit?: string;
      /** The cursor of the previous page, unchanged. */
      cursor?: string;
    };
    headers: unknown;
    body: undefined;
    responses: {
      200: {
        data: PhoneNumber[];
        cursor: string | null;
      };
      401: Problem;
      403: Problem;
      422: Problem;
      429: Problem;
      503: Problem;
    };
  };
  /** Import a phone number. Takes in a number that you have at a carrier. `type` is PSTN unless it is given; `carrier` may be left out where only one is configured. */
  importPhoneNumber: {
    params: unknown;
    query: unknown;
    headers: unknown;
    body: CreatePhoneNumber;
    responses: {
      201: PhoneNumber;
      400: Problem;
      401: Problem;
      403: Problem;
      409: Problem;
      413: Problem;
      415: Problem;
      422: Problem;
      429: Problem;
      503: Problem;
    };
  };
  /** Update a phone number. Changes the fields that are present. The number itself stays; import another instead. */
  updatePhoneNumber: {
    params: {
      id: string;
    };
    query: unknown;
    headers: unknown;
    body: UpdatePhoneNumber;
    responses: {
      200: PhoneNumber;
      400: Problem;
      401: Problem;
      403: Problem;
      404: Problem;
      413: Problem;
      415: Problem;
      422: Problem;
      429: Problem;
      503: Problem;
    };
  };
  /** Delete a phone number. Answers the number as it was. It stays yours at its carrier. */
  deletePhoneNumber: {
    params: {
      id: string;
    };
    query: unknown;
    headers: unknown;
    body: undefined;
    responses: { 200: PhoneNumber; 401: Problem; 403: Problem; 404: Problem; 429: Problem; 503: Problem };
  };
  /** List sounds. Oldest first, without the sound itself. */
  listAudio: {
    params: unknown;
    query: {
      /** 1 to 1000; default 100. */
      limit?: string;
      /** The cursor of the previous page, unchanged. */
      cursor?: string;
    };
    headers: unknown;
    body: undefined;
    responses: {
      200: {
        data: Audio[];
        cursor: string | null;
      };
      401: Problem;
      403: Problem;
      422: Problem;
      429: Problem;
      503: Problem;
    };
  };
  /** Upload a sound. The body is a file of sound as it is, at most 5 MB and 120 s: WAV (PCM, float, µ-law or A-law, at most 48000 samples a second), or, where the deployment has ffmpeg, MP3, Ogg, WebM, FLAC, M4A or AAC. A workspace may have 50 sounds. */
  uploadAudio: {
    params: unknown;
    query: {
      /** For people. */
      name: string;
    };
    headers: unknown;
    body: Blob;
    responses: {
      201: Audio;
      401: Problem;
      403: Problem;
      409: Problem;
      413: Problem;
      415: Problem;
      422: Problem;
      429: Problem;
      503: Problem;
    };
  };
  /** Delete a sound. Answers its record as it was. */
  deleteAudio: {
    params: {
      id: string;
    };
    query: unknown;
    headers: unknown;
    body: undefined;
    responses: { 200: Audio; 401: Problem; 403: Problem; 404: Problem; 429: Problem; 503: Problem };
  };
  /** List models. The language models of this deployment, by id. */
  listModels: {
    params: unknown;
    query: {
      /** 1 to 1000; default 100. */
      limit?: string;
      /** The cursor of the previous page, unchanged. */
      cursor?: string;
    };
    headers: unknown;
    body: undefined;
    responses: {
      200: {
        data: Model[];
        cursor: string | null;
      };
      401: Problem;
      403: Problem;
      422: Problem;
      429: Problem;
      503: Problem;
    };
  };
  /** List voices. The voices of this deployment, by id. */
  listVoices: {
    params: unknown;
    query: {
      /** 1 to 1000; default 100. */
      limit?: string;
      /** The cursor of the previous page, unchanged. */
      cursor?: string;
      /** Part of the name, in any case. */
      name?: string;
      /** Exactly this provider or model type. */
      voiceType?: string;
    };
    headers: unknown;
    body: undefined;
    responses: {
      200: {
        voices: Voice[];
        cursor: string | null;
      };
      401: Problem;
      403: Problem;
      422: Problem;
      429: Problem;
      503: Problem;
    };
  };
  /** List API keys. Oldest first, without the keys themselves. */
  listApiKeys: {
    params: unknown;
    query: {
      /** 1 to 1000; default 100. */
      limit?: string;
      /** The cursor of the previous page, unchanged. */
      cursor?: string;
    };
    headers: unknown;
    body: undefined;
    responses: {
      200: {
        data: ApiKey[];
        cursor: string | null;
      };
      401: Problem;
      403: Problem;
      422: Problem;
      429: Problem;
      503: Problem;
    };
  };
  /** Create an API key. The answer shows the key this once. A public key needs `allowedAgentIds`; it may only create browser dials for them. */
  createApiKey: {
    params: unknown;
    query: unknown;
    headers: unknown;
    body: CreateApiKey;
    responses: {
      201: CreatedApiKey;
      400: Problem;
      401: Problem;
      403: Problem;
      413: Problem;
      415: Problem;
      422: Problem;
      429: Problem;
      503: Problem;
    };
  };
  /** Revoke an API key. Holds at once; in other processes of the same deployment within 5 seconds. The key of the request itself cannot be revoked by it. */
  deleteApiKey: {
    params: {
      id: string;
    };
    query: unknown;
    headers: unknown;
    body: undefined;
    responses: { 200: ApiKey; 401: Problem; 403: Problem; 404: Problem; 409: Problem; 429: Problem; 503: Problem };
  };
  /** List numbers that are not called. Oldest first; with `number`, only the entry of that number. */
  listDoNotCall: {
    params: unknown;
    query: {
      /** 1 to 1000; default 100. */
      limit?: string;
      /** The cursor of the previous page, unchanged. */
      cursor?: string;
      /** E.164; the plus sign is written %2B. */
      number?: string;
    };
    headers: unknown;
    body: undefined;
    responses: {
      200: {
        data: DoNotCall[];
        cursor: string | null;
      };
      401: Problem;
      403: Problem;
      422: Problem;
      429: Problem;
      503: Problem;
    };
  };
  /** Do not call a number any more. Holds at once: dials to the number are refused (`do_not_call`), and those that wait end as `compliance_blocked` instead of being placed. A number that is listed already is answered with 200, as it stands. */
  addDoNotCall: {
    params: unknown;
    query: unknown;
    headers: unknown;
    body: CreateDoNotCall;
    responses: {
      200: DoNotCall;
      201: DoNotCall;
      400: Problem;
      401: Problem;
      403: Problem;
      413: Problem;
      415: Problem;
      422: Problem;
      429: Problem;
      503: Problem;
    };
  };
  /** Allow a number to be called again. Answers the entry as it was. */
  deleteDoNotCall: {
    params: {
      id: string;
    };
    query: unknown;
    headers: unknown;
    body: undefined;
    responses: { 200: DoNotCall; 401: Problem; 403: Problem; 404: Problem; 429: Problem; 503: Problem };
  };
  /** List webhook deliveries. Newest first. Every event of a dial with a `webhookUrl` is one delivery. */
  listWebhookDeliveries: {
    params: unknown;
    query: {
      /** 1 to 1000; default 100. */
      limit?: string;
      /** The cursor of the previous page, unchanged. */
      cursor?: string;
      /** Only those of this dial. */
      dialId?: string;
      status?: "pending" | "delivered" | "dead";
    };
    headers: unknown;
    body: undefined;
    responses: {
      200: {
        data: WebhookDelivery[];
        cursor: string | null;
      };
      401: Problem;
      403: Problem;
      422: Problem;
      429: Problem;
      503: Problem;
    };
  };
  /** Send a webhook again. Starts the delivery's attempts anew, at once, whatever came of it before. It keeps its id, so that a receiver that has it already can tell. */
  replayWebhookDelivery: {
    params: {
      id: string;
    };
    query: unknown;
    headers: unknown;
    body: undefined;
    responses: { 202: WebhookDelivery; 401: Problem; 403: Problem; 404: Problem; 429: Problem; 503: Problem };
  };
  /** Get the webhook secret. The secret to check the signatures of webhooks with. It is made when it is first needed. */
  getWebhookSecret: {
    params: unknown;
    query: unknown;
    headers: unknown;
    body: undefined;
    responses: { 200: WebhookSecret; 401: Problem; 403: Problem; 429: Problem; 503: Problem };
  };
  /** Rotate the webhook secret. Makes a new secret. For 24 hours webhooks are signed with the secret before it too; an even older one counts no more, so that rotating twice puts away a secret that has leaked. */
  rotateWebhookSecret: {
    params: unknown;
    query: unknown;
    headers: unknown;
    body: undefined;
    responses: { 200: WebhookSecret; 401: Problem; 403: Problem; 429: Problem; 503: Problem };
  };
};

/** How each operation is sent. `page` names the array that a list answers, `answer` what else but JSON comes back. */
export const OPERATIONS = {
  listDials: {
    method: "GET",
    path: "/dials",
    query: ["limit", "cursor", "callAgentId", "status", "createdAfter", "createdBefore"],
    page: "data",
  },
  createDial: { method: "POST", path: "/dials", query: [] },
  getDial: { method: "GET", path: "/dials/{id}", query: [] },
  eraseDial: { method: "DELETE", path: "/dials/{id}", query: [] },
  hangUpDial: { method: "POST", path: "/dials/{id}/hangup", query: [] },
  extractDial: { method: "POST", path: "/dials/{id}/extraction", query: [] },
  createDialToken: { method: "POST", path: "/dials/{id}/token", query: [] },
  followDial: { method: "GET", path: "/dials/{id}/events", query: [], answer: "events" },
  getRecording: { method: "GET", path: "/dials/{id}/recordings/{recordingId}", query: [], answer: "blob" },
  switchRecording: { method: "POST", path: "/dials/{id}/recording", query: [] },
  listErasures: { method: "GET", path: "/erasures", query: ["limit", "cursor"], page: "data" },
  eraseNumber: { method: "POST", path: "/erasures", query: [] },
  listAgents: { method: "GET", path: "/agents", query: ["limit", "cursor"], page: "data" },
  createAgent: { method: "POST", path: "/agents", query: [] },
  getAgent: { method: "GET", path: "/agents/{id}", query: [] },
  updateAgent: { method: "PUT", path: "/agents/{id}", query: [] },
  deleteAgent: { method: "DELETE", path: "/agents/{id}", query: [] },
  listVersionedPrompts: {
    method: "GET",
    path: "/agents/{agentId}/versioned_prompts",
    query: ["limit", "cursor"],
    page: "data",
  },
  createVersionedPrompt: { method: "POST", path: "/agents/{agentId}/versioned_prompts", query: [] },
  getVersionedPrompt: { method: "GET", path: "/agents/{agentId}/versioned_prompts/{id}", query: [] },
  updateVersionedPrompt: { method: "PUT", path: "/agents/{agentId}/versioned_prompts/{id}", query: [] },
  deleteVersionedPrompt: { method: "DELETE", path: "/agents/{agentId}/versioned_prompts/{id}", query: [] },
  listExtractors: { method: "GET", path: "/agents/{agentId}/extractors", query: ["limit", "cursor"], page: "data" },
  createExtractor: { method: "POST", path: "/agents/{agentId}/extractors", query: [] },
  getExtractor: { method: "GET", path: "/agents/{agentId}/extractors/{id}", query: [] },
  updateExtractor: { method: "PUT", path: "/agents/{agentId}/extractors/{id}", query: [] },
  deleteExtractor: { method: "DELETE", path: "/agents/{agentId}/extractors/{id}", query: [] },
  listFunctions: { method: "GET", path: "/functions", query: ["limit", "cursor"], page: "data" },
  createFunction: { method: "POST", path: "/functions", query: [] },
  getFunction: { method: "GET", path: "/functions/{id}", query: [] },
  updateFunction: { method: "PUT", path: "/functions/{id}", query: [] },
  deleteFunction: { method: "DELETE", path: "/functions/{id}", query: [] },
  listPhoneNumbers: { method: "GET", path: "/phone_numbers", query: ["limit", "cursor"], page: "data" },
  importPhoneNumber: { method: "POST", path: "/phone_numbers", query: [] },
  updatePhoneNumber: { method: "PUT", path: "/phone_numbers/{id}", query: [] },
  deletePhoneNumber: { method: "DELETE", path: "/phone_numbers/{id}", query: [] },
  listAudio: { method: "GET", path: "/audio", query: ["limit", "cursor"], page: "data" },
  uploadAudio: { method: "POST", path: "/audio", query: ["name"], sends: "audio/wav" },
  deleteAudio: { method: "DELETE", path: "/audio/{id}", query: [] },
  listModels: { method: "GET", path: "/models", query: ["limit", "cursor"], page: "data" },
  listVoices: { method: "GET", path: "/voices", query: ["limit", "cursor", "name", "voiceType"], page: "voices" },
  listApiKeys: { method: "GET", path: "/api_keys", query: ["limit", "cursor"], page: "data" },
  createApiKey: { method: "POST", path: "/api_keys", query: [] },
  deleteApiKey: { method: "DELETE", path: "/api_keys/{id}", query: [] },
  listDoNotCall: { method: "GET", path: "/do_not_call", query: ["limit", "cursor", "number"], page: "data" },
  addDoNotCall: { method: "POST", path: "/do_not_call", query: [] },
  deleteDoNotCall: { method: "DELETE", path: "/do_not_call/{id}", query: [] },
  listWebhookDeliveries: {
    method: "GET",
    path: "/webhook_deliveries",
    query: ["limit", "cursor", "dialId", "status"],
    page: "data",
  },
  replayWebhookDelivery: { method: "POST", path: "/webhook_deliveries/{id}/replay", query: [] },
  getWebhookSecret: { method: "GET", path: "/webhook_secret", query: [] },
  rotateWebhookSecret: { method: "POST", path: "/webhook_secret/rotate", query: [] },
} as const;
