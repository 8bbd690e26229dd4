import type { Agent } from "../model/agent.ts";
import type { CallEnd, EndReason, EndedBy } from "../model/call-end.ts";
import type { CallPlan } from "../model/call-plan.ts";
import type { Dial, DialState, Evidence, Recording } from "../model/dial.ts";
import type { FunctionDefinition } from "../model/function-definition.ts";
import type { PhoneNumber } from "../model/phone-number.ts";
import type { TranscriptEntry } from "../model/transcript.ts";
import type { TurnRecord } from "../model/turn-record.ts";
import type { VersionedPrompt } from "../model/versioned-prompt.ts";
import type { CarrierEnd } from "./carrier.ts";

/** The store cannot be reached; callers answer 503 or wait, they never guess. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}

export type PageRequest = Readonly<{
  limit: number;
  /** Last row of the previous page, from our own signed cursor. */
  after?: Readonly<{ createdAt: string; id: string }> | undefined;
}>;

export type ApiKey = Readonly<{ id: string; workspaceId: string; kind: "secret" | "public" }>;

/** What a page needs to make the next cursor. */
export type Positioned<T> = Readonly<{ items: readonly T[]; next: Readonly<{ createdAt: string; id: string }> | null }>;

/** Agents, prompts, numbers, functions and keys: what customers configure. Every method stays within one workspace. */
export interface Catalogue {
  findApiKey(sha256: string): Promise<ApiKey | undefined>;
  /** Adds a key unless it is there already; used at start-up for the deployment's own key. */
  putApiKey(
    key: Readonly<{ workspaceId: string; sha256: string; kind: "secret" | "public"; label: string }>,
  ): Promise<void>;
  listAgents(workspaceId: string, page: PageRequest): Promise<Positioned<Agent>>;
  findAgent(workspaceId: string, id: string): Promise<Agent | undefined>;
  findPrompt(workspaceId: string, agentId: string, id: string): Promise<VersionedPrompt | undefined>;
  /** The agent's newest prompt, which stands in when it has no default. */
  newestPrompt(workspaceId: string, agentId: string): Promise<VersionedPrompt | undefined>;
  listPhoneNumbers(workspaceId: string, page: PageRequest): Promise<Positioned<PhoneNumber>>;
  findPhoneNumber(workspaceId: string, id: string): Promise<PhoneNumber | undefined>;
  findFunctions(workspaceId: string, ids: readonly string[]): Promise<readonly FunctionDefinition[]>;
  /** Writes the demo workspace's agent, prompt and phone number if they are missing; an edited one is left alone. */
  seed(seed: Seed): Promise<void>;
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
  /** Of the `Idempotency-Key` header and the body; the insert and the key are one statement. */
  idempotency?: Readonly<{ key: string; fingerprint: string }>;
}>;

export type CreateOutcome =
  | Readonly<{ type: "created" | "replayed"; dialId: string; sessionId: string }>
  | Readonly<{ type: "key-reused" }>;

/** A dial that this worker, and no other, may place; every later write is fenced by `epoch`. */
export type Claim = Readonly<{
  dialId: string;
  epoch: number;
  plan: CallPlan;
  /** How long the dial was queued before this claim, by the store's clock; absent where the store does not tell. */
  queuedMs?: number;
}>;

/** A dial as the reaper sees it. */
export type OpenDial = Readonly<{
  dialId: string;
  workspaceId: string;
  state: DialState;
  epoch: number;
  carrier: string | null;
  carrierCallId: string | null;
  hangupIntent: EndReason | null;
  /** Past the horizon after which a call that the carrier does not know will not appear any more. */
  pastHorizon: boolean;
}>;

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
export interface DialStore {
  create(dial: NewDial): Promise<CreateOutcome>;
  find(workspaceId: string, dialId: string): Promise<Dial | undefined>;
  /** The workspace that a dial belongs to, for tokens and callbacks; no other data. */
  workspaceOf(dialId: string): Promise<string | undefined>;
  /** The state and the attached carrier call, for callbacks that have only the dial's id. */
  peek(dialId: string): Promise<OpenDial | undefined>;
  /** Notes the queue job that was made for a QUEUED dial. */
  enqueued(dialId: string, jobId: string): Promise<void>;
  /** QUEUED → PLACING by compare-and-set: the only permit to ring anybody, spent here. `undefined`: not ours. */
  claim(dialId: string, owner: string): Promise<Claim | undefined>;
  /** Notes the carrier's call id; fenced. */
  attachCall(claim: Claim, carrierCallId: string): Promise<boolean>;
  /** RINGING or IN_PROGRESS; only ever forward. Not fenced: callbacks and media sockets may say so too. */
  advance(dialId: string, state: "RINGING" | "IN_PROGRESS"): Promise<boolean>;
  /** Renews the lease (15 s); fenced. */
  beat(claim: Claim): Promise<boolean>;
  /** Write-ahead note of why we are about to hang up; the first one stays. Fenced unless `claim` is only an id. */
  intendHangUp(dialId: string, reason: EndReason, endedBy: EndedBy, claim?: Claim): Promise<boolean>;
  /** The terminal statement, with its outbox row. Idempotent; weaker or equal evidence changes nothing. */
  end(dialId: string, ending: Ending): Promise<EndOutcome>;
  /** Appends by index: an entry that is already there is replaced, so that a retry does no harm. */
  saveTranscript(
    dialId: string,
    entries: readonly Readonly<{ index: number; entry: TranscriptEntry }>[],
  ): Promise<void>;
  saveTurns(dialId: string, turns: readonly TurnRecord[]): Promise<void>;
  saveRecording(dialId: string, recording: Omit<Recording, "url">): Promise<void>;
  findRecording(workspaceId: string, dialId: string, recordingId: string): Promise<Omit<Recording, "url"> | undefined>;
  /** Ends every QUEUED dial older than `maxAgeMs` as expired; answers how many. */
  expireQueued(maxAgeMs: number): Promise<number>;
  /** QUEUED dials that have had no job for 5 s, oldest first. */
  findUnqueued(limit: number): Promise<readonly string[]>;
  /** Takes over dials whose lease has lapsed: epoch + 1, new owner, new lease. */
  takeOverLapsed(owner: string, limit: number): Promise<readonly OpenDial[]>;
  /** Open dials whose carrier state was not confirmed for 60 s, whatever their lease; notes that they are looked at now. */
  findUnconfirmed(limit: number): Promise<readonly OpenDial[]>;
}

export type Store = Readonly<{
  catalogue: Catalogue;
  dials: DialStore;
  /** 32 bytes (base64url) made once per deployment and shared by its processes; signs tokens and cursors. */
  deploymentSecret(): Promise<string>;
  /** Rejects with {@link StoreUnavailable} when the database does not answer within 2 s. */
  ping(): Promise<void>;
  close(): Promise<void>;
}>;
