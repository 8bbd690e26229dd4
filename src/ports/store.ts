import type { Agent } from "../model/agent.ts";
import type { ApiKey } from "../model/api-key.ts";
import type { CallEnd, DialStatus, EndReason, EndedBy } from "../model/call-end.ts";
import type { CallPlan } from "../model/call-plan.ts";
import type { Dial, DialSummary, Evidence } from "../model/dial.ts";
import type { Extractor } from "../model/extractor.ts";
import type { FunctionDefinition } from "../model/function-definition.ts";
import type { PhoneNumber } from "../model/phone-number.ts";
import type { TranscriptEntry } from "../model/transcript.ts";
import type { TurnRecord } from "../model/turn-record.ts";
import type { VersionedPrompt } from "../model/versioned-prompt.ts";
import type { AudioRecords } from "./audio-records.ts";
import type { CarrierEnd } from "./carrier.ts";
import type { Erasures } from "./erasures.ts";
import type { Outbox } from "./outbox.ts";
import type { DoNotCallRecords } from "./do-not-call.ts";
import type { PageRequest, Positioned } from "./page.ts";
import type { OpenDial, UnattendedDials } from "./unattended-dials.ts";
import type { WorkspaceLimits } from "./workspace-limits.ts";
import type { RecordingRecords } from "./recording-records.ts";

/** The store cannot be reached; callers answer 503 or wait, they never guess. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}

/** A key as authentication needs it. */
export type KnownKey = Readonly<{
  id: string;
  workspaceId: string;
  kind: ApiKey["type"];
  /** The agents that a public key may dial. */
  allowedAgentIds?: readonly string[] | undefined;
}>;

/**
 * What a record becomes. Runs while the record is locked, so that two changes of different fields never lose each other; it is
 * pure and quick, and what it throws leaves the record as it was.
 */
export type Change<T> = (before: T) => T;

/** Agents, prompts, extractors, numbers, functions and keys: what customers configure. Every method stays within one workspace. */
export interface Catalogue
  extends AgentRecords, AgentOwnedRecords, WorkspaceRecords, AudioRecords, KeyRecords, DoNotCallRecords {
  /** Writes the demo workspace's agent, prompt and phone number if they are missing; an edited one is left alone. */
  seed(seed: Seed): Promise<void>;
}

interface AgentRecords {
  listAgents(workspaceId: string, page: PageRequest): Promise<Positioned<Agent>>;
  findAgent(workspaceId: string, id: string): Promise<Agent | undefined>;
  addAgent(workspaceId: string, agent: Agent): Promise<void>;
  changeAgent(workspaceId: string, id: string, change: Change<Agent>): Promise<Agent | undefined>;
  /** Deletes an agent with its prompts and extractors, frees its numbers, and answers it as it was. */
  removeAgent(workspaceId: string, id: string): Promise<Agent | undefined>;
}

/** What belongs to one agent, and goes with it. */
interface AgentOwnedRecords {
  listPrompts(workspaceId: string, agentId: string, page: PageRequest): Promise<Positioned<VersionedPrompt>>;
  findPrompt(workspaceId: string, agentId: string, id: string): Promise<VersionedPrompt | undefined>;
  /** The agent's newest prompt, which stands in when it has no default. */
  newestPrompt(workspaceId: string, agentId: string): Promise<VersionedPrompt | undefined>;
  /** Answers false, and adds nothing, when the workspace has no such agent. */
  addPrompt(workspaceId: string, agentId: string, prompt: VersionedPrompt): Promise<boolean>;
  changePrompt(
    workspaceId: string,
    agentId: string,
    id: string,
    change: Change<VersionedPrompt>,
  ): Promise<VersionedPrompt | undefined>;
  removePrompt(workspaceId: string, agentId: string, id: string): Promise<VersionedPrompt | undefined>;
  listExtractors(workspaceId: string, agentId: string, page: PageRequest): Promise<Positioned<Extractor>>;
  findExtractor(workspaceId: string, agentId: string, id: string): Promise<Extractor | undefined>;
  /** Answers false, and adds nothing, when the workspace has no such agent. */
  addExtractor(workspaceId: string, agentId: string, extractor: Extractor): Promise<boolean>;
  changeExtractor(
    workspaceId: string,
    agentId: string,
    id: string,
    change: Change<Extractor>,
  ): Promise<Extractor | undefined>;
  removeExtractor(workspaceId: string, agentId: string, id: string): Promise<Extractor | undefined>;
}

interface WorkspaceRecords {
  listPhoneNumbers(workspaceId: string, page: PageRequest): Promise<Positioned<PhoneNumber>>;
  findPhoneNumber(workspaceId: string, id: string): Promise<PhoneNumber | undefined>;
  /** Answers false, and adds nothing, when the workspace has this number already. */
  addPhoneNumber(workspaceId: string, number: PhoneNumber): Promise<boolean>;
  changePhoneNumber(workspaceId: string, id: string, change: Change<PhoneNumber>): Promise<PhoneNumber | undefined>;
  removePhoneNumber(workspaceId: string, id: string): Promise<PhoneNumber | undefined>;
  listFunctions(workspaceId: string, page: PageRequest): Promise<Positioned<FunctionDefinition>>;
  /** Those of the ids that the workspace has, in the order of the ids. */
  findFunctions(workspaceId: string, ids: readonly string[]): Promise<readonly FunctionDefinition[]>;
  addFunction(workspaceId: string, definition: FunctionDefinition): Promise<void>;
  changeFunction(
    workspaceId: string,
    id: string,
    change: Change<FunctionDefinition>,
  ): Promise<FunctionDefinition | undefined>;
  removeFunction(workspaceId: string, id: string): Promise<FunctionDefinition | undefined>;
}

interface KeyRecords {
  findApiKey(sha256: string): Promise<KnownKey | undefined>;
  /** Adds a key unless it is there already; used at start-up for the deployment's own key. */
  putApiKey(key: Readonly<{ workspaceId: string; sha256: string; kind: ApiKey["type"]; label: string }>): Promise<void>;
  listApiKeys(workspaceId: string, page: PageRequest): Promise<Positioned<ApiKey>>;
  /** Adds a key, of which only the hash is kept, and answers its record. */
  addApiKey(workspaceId: string, key: Omit<ApiKey, "createdAt"> & Readonly<{ sha256: string }>): Promise<ApiKey>;
  removeApiKey(workspaceId: string, id: string): Promise<ApiKey | undefined>;
}

export type Seed = Readonly<{
  workspaceId: string;
  agent: Agent;
  prompt: VersionedPrompt;
  phoneNumber: PhoneNumber;
}>;

export type NewDial = Readonly<{
  plan: CallPlan;
  sessionId: string;
  webhookUrl?: string;
  /** The queue job that is about to be made for it; without one, or when that fails, the reaper makes another. */
  jobId?: string;
  /** Of the `Idempotency-Key` header and the body; the insert and the key are one statement. */
  idempotency?: Readonly<{ key: string; fingerprint: string }>;
}>;

export type CreateOutcome =
  | Readonly<{ type: "created" | "replayed"; dialId: string; sessionId: string }>
  | Readonly<{ type: "key-reused" }>;

/** What a request for a dial names. */
export type DialNames = Readonly<{
  agentId: string;
  /** Prompts of the agent; its default and its newest are read in any case. */
  promptIds: readonly string[];
  /** Of the agent; without one, the agent's default. */
  extractorId?: string | undefined;
  fromNumberId?: string | undefined;
  toNumber?: string | undefined;
  idempotencyKey?: string | undefined;
}>;

/** What the names of a request lead to, as it was at one moment. Nothing of another workspace, or of another agent, is in it. */
export type DialReferences = Readonly<{
  /** What the idempotency key has made already; what that dial refers to may be gone by now. */
  earlier?: EarlierDial;
  agent?: Agent;
  /** Those of the named ones that the agent has, its default and its newest; each once, in no order. */
  prompts: readonly VersionedPrompt[];
  newestPromptId?: string;
  extractor?: Extractor;
  from?: PhoneNumber;
  /** Numbers of the workspace, at most 1000. */
  ownNumbers: readonly string[];
  /** The number that is to be called is on the do-not-call list. */
  doNotCall: boolean;
  /** Those that are linked to the agent, or named by a flow of the prompts; in no order. */
  functions: readonly FunctionDefinition[];
}>;

/** The dial that a key of the last 7 days has made. */
export type EarlierDial = Readonly<{ fingerprint: string; dialId: string; sessionId: string; maxDurationMs: number }>;

/** Which dials a list shows; times are ISO 8601, `createdAfter` and `createdBefore` themselves are not among them. */
export type DialFilter = Readonly<{
  agentId?: string | undefined;
  status?: DialStatus | undefined;
  createdAfter?: string | undefined;
  createdBefore?: string | undefined;
}>;

/** A dial that this worker, and no other, may place; every later write is fenced by `epoch`. */
export type Claim = Readonly<{
  dialId: string;
  epoch: number;
  plan: CallPlan;
  /** The number was on the workspace's do-not-call list when the dial was claimed. */
  doNotCall?: boolean;
  /** How long the dial was queued before this claim, by the store's clock; absent where the store does not tell. */
  queuedMs?: number;
}>;

/** A number that somebody may ring. */
export type AnsweringNumber = Readonly<{ workspaceId: string; number: PhoneNumber }>;

/** What is known when a dial ends; the statement decides the reason from this and the row's own intent. */
export type Ending = Readonly<{
  evidence: Evidence;
}> &
  (
    | Readonly<{ type: "observed"; end: CallEnd }>
    | Readonly<{ type: "carrier"; end: CarrierEnd; /** Reason when nobody else gave one. */ otherwise?: EndReason }>
  );

/** How a terminal statement went: what the row now says, and whether it was this statement that said it. */
export type EndOutcome = Readonly<{ changed: boolean; corrected: boolean; end: CallEnd | null }>;

/**
 * Dials and their way to one end. Each method is one statement or one transaction; the fenced ones answer false when another
 * owner has taken over, and the caller must then let go of the call without writing anything more.
 */
export interface DialStore extends RecordingRecords, UnattendedDials {
  create(dial: NewDial): Promise<CreateOutcome>;
  /** Replaces the plan of a dial that nobody has claimed yet; false when somebody has. */
  revise(plan: CallPlan): Promise<boolean>;
  /** Everything that a request for a dial refers to, in one reading. */
  findReferences(workspaceId: string, names: DialNames): Promise<DialReferences>;
  find(workspaceId: string, dialId: string): Promise<Dial | undefined>;
  /** Newest first. */
  list(workspaceId: string, filter: DialFilter, page: PageRequest): Promise<Positioned<DialSummary>>;
  /** The workspace that a dial belongs to, for tokens and callbacks; no other data. */
  workspaceOf(dialId: string): Promise<string | undefined>;
  /** The number of this account that is rung, and answers by an agent; the oldest where several workspaces have it. */
  findAnsweringNumber(account: string, number: string): Promise<AnsweringNumber | undefined>;
  /** The dial of a carrier's call, once a worker has noted it. */
  findByCall(account: string, carrierCallId: string): Promise<string | undefined>;
  /** The state and the attached carrier call, for callbacks that have only the dial's id. */
  peek(dialId: string): Promise<OpenDial | undefined>;
  /** Notes the queue job that was made for a QUEUED dial. */
  enqueued(dialId: string, jobId: string): Promise<void>;
  /**
   * QUEUED → PLACING by compare-and-set: the only permit to ring anybody, spent here. `undefined`: not ours. Rejects with
   * {@link HeldBack} where `limits` do not let it start yet; who was asked for first goes first, as long as somebody asks for them.
   */
  claim(dialId: string, owner: string, limits?: WorkspaceLimits): Promise<Claim | undefined>;
  /** Notes the carrier's call id; fenced. */
  attachCall(claim: Claim, carrierCallId: string): Promise<boolean>;
  /** RINGING or IN_PROGRESS; only ever forward. Not fenced: callbacks and media sockets may say so too. */
  advance(dialId: string, state: "RINGING" | "IN_PROGRESS"): Promise<boolean>;
  /** Renews the lease (15 s); fenced. */
  beat(claim: Claim): Promise<boolean>;
  /** Write-ahead note of why we are about to hang up; the first one stays. Fenced unless `claim` is only an id. */
  intendHangUp(dialId: string, reason: EndReason, endedBy: EndedBy, claim?: Claim): Promise<boolean>;
  /** The terminal statement, with its outbox rows. Idempotent; weaker or equal evidence changes nothing. */
  end(dialId: string, ending: Ending): Promise<EndOutcome>;
  /** Appends by index: an entry that is already there is replaced, so that a retry does no harm. */
  saveTranscript(
    dialId: string,
    entries: readonly Readonly<{ index: number; entry: TranscriptEntry }>[],
  ): Promise<void>;
  saveTurns(dialId: string, turns: readonly TurnRecord[]): Promise<void>;
  /**
   * Keeps what was extracted from the call, by field name, with its outbox row; another result replaces it and is not told. `evidence`:
   * the transcript entries that each value rests on.
   */
  saveAiResult(
    dialId: string,
    result: Readonly<Record<string, unknown>>,
    evidence?: Readonly<Record<string, readonly number[]>>,
  ): Promise<void>;
  /** All that was said is saved: whoever is to be told the whole transcript of an ended dial need not wait any longer. */
  transcriptComplete(dialId: string): Promise<void>;
  /**
   * Spends a dial token for opening media; false when it was spent before, or the dial is over. Spent tokens are kept with the dial.
   */
  spendToken(dialId: string, tokenId: string): Promise<boolean>;
}

export type Store = Readonly<{
  catalogue: Catalogue;
  dials: DialStore;
  outbox: Outbox;
  erasures: Erasures;
  /** 32 bytes (base64url) made once per deployment and shared by its processes; signs tokens and cursors. */
  deploymentSecret(): Promise<string>;
  /** Rejects with {@link StoreUnavailable} when the database does not answer within 2 s. */
  ping(): Promise<void>;
  close(): Promise<void>;
}>;
