import type { ColumnType, Generated, GeneratedAlways } from "kysely";
import type { Agent } from "../../../model/agent.ts";
import type { DialStatus, EndedBy, EndReason, SystemResultType } from "../../../model/call-end.ts";
import type { CallPlan } from "../../../model/call-plan.ts";
import type { DialState, Direction, Evidence } from "../../../model/dial.ts";
import type { ErasureCause } from "../../../model/erasure.ts";
import type { Extractor } from "../../../model/extractor.ts";
import type { FunctionDefinition } from "../../../model/function-definition.ts";
import type { PhoneNumber } from "../../../model/phone-number.ts";
import type { TranscriptEntry } from "../../../model/transcript.ts";
import type { TurnRecord } from "../../../model/turn-record.ts";
import type { VersionedPrompt } from "../../../model/versioned-prompt.ts";
import type { AttemptOutcome, DeliveryStatus } from "../../../model/webhook-delivery.ts";

import type { ShownOfPlan } from "./shown-of-plan.ts";

/** JSON: read as a value, written as text. */
type Json<T> = ColumnType<T, string, string>;

type Times = { created_at: Generated<Date>; updated_at: Generated<Date> };

type WorkspaceTable = { id: string; name: string | null; created_at: Generated<Date> };

type ApiKeyTable = {
  id: string;
  workspace_id: string;
  sha256: string;
  kind: "secret" | "public";
  label: string;
  allowed_agent_ids: Json<readonly string[]> | null;
  created_at: Generated<Date>;
};

/** Columns, and the remainder of the model in one JSON value; each model type appears whole in one of the two. */
export type AgentTable = Times & {
  id: string;
  workspace_id: string;
  name: string;
  rest: Json<Omit<Agent, "id" | "name">>;
};

export type VersionedPromptTable = Times & {
  id: string;
  workspace_id: string;
  agent_id: string;
  rest: Json<Omit<VersionedPrompt, "id">>;
};

export type ExtractorTable = Times & {
  id: string;
  workspace_id: string;
  agent_id: string;
  rest: Json<Omit<Extractor, "id">>;
};

export type PhoneNumberTable = Times & {
  id: string;
  workspace_id: string;
  number: string;
  agent_id: string | null;
  rest: Json<Omit<PhoneNumber, "id" | "number" | "agentId">>;
};

export type FunctionDefinitionTable = Times & {
  id: string;
  workspace_id: string;
  rest: Json<Omit<FunctionDefinition, "id">>;
};

/** The parts of a plan that have columns of their own. */
export type PlanColumn =
  | "dialId"
  | "workspaceId"
  | "direction"
  | "fromNumber"
  | "toNumber"
  | "carrier"
  | "ringTimeoutMs"
  | "maxDurationMs";

export type DialTable = {
  id: string;
  workspace_id: string;
  session_id: string;
  agent_id: string;
  direction: Direction;
  from_number: string | null;
  to_number: string | null;
  carrier: string | null;
  webhook_url: string | null;
  ring_timeout_ms: number;
  max_duration_ms: number;
  plan: Json<Omit<CallPlan, PlanColumn>>;
  /** What lists show of the plan; null where the version before wrote it. */
  shown: Json<ShownOfPlan> | null;
  /** When people may be called there, if at some hours only. */
  calling_window: Json<NonNullable<CallPlan["callingWindow"]>> | null;
  state: Generated<DialState>;
  status: Generated<DialStatus>;
  system_result_type: SystemResultType | null;
  end_reason: EndReason | null;
  ended_by: EndedBy | null;
  evidence: Evidence | null;
  /** True once the single correction of an ending was made. */
  corrected: Generated<boolean>;
  hangup_intent: EndReason | null;
  hangup_by: EndedBy | null;
  epoch: Generated<number>;
  owner: string | null;
  lease_until: Date | null;
  place_deadline: Date | null;
  reconcile_until: Date | null;
  carrier_call_id: string | null;
  /** When the carrier last said, or was last asked, what became of the call. */
  confirmed_at: Date | null;
  /** Not to be placed earlier: people are not called at this hour where the number is. */
  not_before: Date | null;
  job_id: string | null;
  enqueued_at: Date | null;
  /** Ids of the dial tokens that have opened media. */
  spent_tokens: Generated<readonly string[]>;
  ai_result: Json<Readonly<Record<string, unknown>>> | null;
  ai_result_evidence: Json<Readonly<Record<string, readonly number[]>>> | null;
  /** How long the dial is kept after its end, by its agent; null: as long as the deployment says. */
  retention_days: number | null;
  /** To be erased from then on, once it is over. */
  erase_at: Date | null;
  erase_cause: ErasureCause | null;
  /** When everything personal was taken out. */
  erased_at: Date | null;
  /** Sequence number of the last outbox row. */
  outbox_sequence: Generated<number>;
  created_at: Generated<Date>;
  /** When `state` last changed. */
  state_at: Generated<Date>;
  /** When the call was answered. */
  started_at: Date | null;
  ended_at: Date | null;
  updated_at: Generated<Date>;
  /** Counts the changes of state, owner and ending. */
  version: Generated<number>;
};

type DialEventTable = {
  dial_id: string;
  workspace_id: string;
  source_id: string;
  kind: string;
  payload: Json<Readonly<Record<string, unknown>>>;
  at: Generated<Date>;
};

type TranscriptEntryTable = { dial_id: string; index: number; workspace_id: string; entry: Json<TranscriptEntry> };

type TurnRecordTable = { dial_id: string; index: number; workspace_id: string; turn: Json<TurnRecord> };

export type RecordingTable = {
  dial_id: string;
  id: string;
  workspace_id: string;
  channels: number;
  duration_ms: number;
  started_at: ColumnType<Date, string, string>;
  /** How often it was said to be whole; 0 while the call goes on. */
  completions: Generated<number>;
  /** When the person allowed it, where it had to be allowed. */
  allowed_at: ColumnType<Date | null, string | null, string | null>;
};

/** Webhook events, written with the change that they tell of. */
type OutboxTable = {
  id: GeneratedAlways<string>;
  workspace_id: string;
  dial_id: string;
  /** The event and what tells it from others of the same name: at most one row of a kind for each dial. */
  kind: string;
  event: string;
  sequence: number;
  payload: Json<Readonly<Record<string, unknown>>>;
  created_at: Generated<Date>;
  /** Not to be sent before. */
  next_at: Generated<Date>;
  attempts: Generated<number>;
  sent_at: Date | null;
  /** What customers know the event by. */
  uid: Generated<string>;
  state: Generated<DeliveryStatus>;
  /** Attempts since it was added or replayed. */
  step: Generated<number>;
};

/** A dial's events, as one thing to be claimed. */
type WebhookStreamTable = {
  dial_id: string;
  workspace_id: string;
  /** Workspace, and scheme, host and port of the URL. */
  endpoint: string;
  /** When the next attempt is due; of a leased stream, when the lease lapses; null when nothing waits. */
  next_at: Date | null;
  leased: Generated<boolean>;
  epoch: Generated<number>;
  /** Counts what gave the stream something to do. */
  armed: Generated<number>;
  /** The endpoint has said that it wants no more. */
  gone: Generated<boolean>;
};

type WebhookAttemptTable = {
  outbox_id: string;
  number: number;
  workspace_id: string;
  at: Generated<Date>;
  outcome: AttemptOutcome;
  status_code: number | null;
  duration_ms: number;
};

type WebhookSecretTable = {
  workspace_id: string;
  secret: string;
  created_at: Generated<Date>;
  previous: string | null;
  previous_until: Date | null;
};

type DoNotCallTable = {
  id: string;
  workspace_id: string;
  number: string;
  reason: string | null;
  dial_id: string | null;
  created_at: Generated<Date>;
};

type AudioTable = {
  id: string;
  workspace_id: string;
  name: string;
  sample_rate: number;
  duration_ms: number;
  pcm: Buffer;
  created_at: Generated<Date>;
};

type IdempotencyKeyTable = {
  workspace_id: string;
  key: string;
  fingerprint: string;
  dial_id: string;
  created_at: Generated<Date>;
};

type ErasureTable = {
  id: string;
  workspace_id: string;
  cause: ErasureCause;
  dial_id: string | null;
  dials: number;
  created_at: Generated<Date>;
};

type DeploymentSecretTable = { name: string; secret: string; created_at: Generated<Date> };

/** Every table, for Kysely. */
export type Tables = {
  workspace: WorkspaceTable;
  api_key: ApiKeyTable;
  agent: AgentTable;
  versioned_prompt: VersionedPromptTable;
  extractor: ExtractorTable;
  phone_number: PhoneNumberTable;
  function_definition: FunctionDefinitionTable;
  dial: DialTable;
  dial_event: DialEventTable;
  transcript_entry: TranscriptEntryTable;
  turn_record: TurnRecordTable;
  recording: RecordingTable;
  outbox: OutboxTable;
  webhook_stream: WebhookStreamTable;
  webhook_attempt: WebhookAttemptTable;
  webhook_secret: WebhookSecretTable;
  audio: AudioTable;
  idempotency_key: IdempotencyKeyTable;
  do_not_call: DoNotCallTable;
  erasure: ErasureTable;
  deployment_secret: DeploymentSecretTable;
};
