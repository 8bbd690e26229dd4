import type { Agent } from "../../src/model/agent.ts";
import { callEnd } from "../../src/model/call-end.ts";
import { mayMove, type DialState } from "../../src/model/dial.ts";
import { isOpen } from "../../src/model/calling-window.ts";
import type { PhoneNumber } from "../../src/model/phone-number.ts";
import type { VersionedPrompt } from "../../src/model/versioned-prompt.ts";
import type { Clock } from "../../src/ports/clock.ts";
import {
  StoreUnavailable,
  type Claim,
  type DialReferences,
  type DialStore,
  type Ending,
  type NewDial,
  type Store,
} from "../../src/ports/store.ts";
import { HeldBack, type WorkspaceLimits } from "../../src/ports/workspace-limits.ts";
import type { OpenDial } from "../../src/ports/unattended-dials.ts";
import { emptyRecords, memoryCatalogue, type MemoryRecords } from "./memory-catalogue.ts";
import { memoryErasures } from "./memory-erasures.ts";
import { MemoryOutbox } from "./memory-outbox.ts";
import { memoryAnsweringNumber, memoryReferences } from "./memory-references.ts";
import { dialOf, dialPage, endingOf, memoryCallOf, newRow, type Row } from "./memory-rows.ts";

/** Lease of a claim, and the horizon after which an unknown call will not appear any more, in milliseconds. */
const LEASE_MS = 15_000;
const HORIZON_MS = 180_000;
const UNQUEUED_MS = 5000;
const BROKEN_MS = 60_000;
const UNCONFIRMED_MS = 60_000;
const OVERDUE_MS = 10_000;
const FIRST_LOOK_MS = 60_000;
const LONGEST_LOOK_MS = 6 * 3_600_000;
const LOOKED_AT_FOR_MS = 24 * 3_600_000;
const IDEMPOTENCY_MS = 7 * 86_400_000;

/**
 * The Store port without a database: what the port documents and nothing more, for tests that need a store and are not about it.
 * `away = true` makes every method reject as if the database were gone.
 */
export class MemoryStore {
  away = false;
  readonly records: MemoryRecords = emptyRecords();
  readonly rows = new Map<string, Row>();
  readonly outbox: MemoryOutbox;
  readonly #clock: Clock;
  readonly #idempotency = new Map<string, Readonly<{ fingerprint: string; dialId: string; at: number }>>();
  readonly #nextDialAt = new Map<string, number>();
  readonly store: Store;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.outbox = new MemoryOutbox(clock);
    this.store = {
      catalogue: this.#guard(memoryCatalogue(this.records, () => this.#timestamp())),
      dials: this.#guard(this.#dials()),
      outbox: this.#guard(this.outbox),
      erasures: this.#guard(memoryErasures(this.rows, () => this.#clock.now())),
      deploymentSecret: () => Promise.resolve(Buffer.alloc(32, "memory").toString("base64url")),
      ping: () => (this.away ? Promise.reject(new StoreUnavailable("the store is away")) : Promise.resolve()),
      close: () => Promise.resolve(),
    };
  }

  addAgent(workspaceId: string, item: Agent, createdAt = this.#timestamp()): void {
    this.records.agents.push({ workspaceId, createdAt, item });
  }

  addPrompt(workspaceId: string, agentId: string, item: VersionedPrompt): void {
    this.records.prompts.push({ workspaceId, agentId, createdAt: this.#timestamp(), item });
  }

  addPhoneNumber(workspaceId: string, item: PhoneNumber, createdAt = this.#timestamp()): void {
    this.records.numbers.push({ workspaceId, createdAt, item });
  }

  /** The row of a dial, for assertions. */
  row(dialId: string): Row {
    const row = this.rows.get(dialId);
    if (row === undefined) throw new Error("the store has no such dial");
    return row;
  }

  /** Moves every time of a dial `ms` into the past. */
  age(dialId: string, ms: number): void {
    const row = this.row(dialId);
    row.createdAt -= ms;
    row.updatedAt -= ms;
    row.stateAt -= ms;
    row.leaseUntil -= ms;
    row.readyAt -= ms;
    row.reconcileUntil -= ms;
    row.confirmedAt -= ms;
    row.enqueuedAt -= ms;
    if (row.lookAt !== undefined) row.lookAt -= ms;
    if (row.startedAt !== undefined) row.startedAt -= ms;
    if (row.endedAt !== undefined) row.endedAt -= ms;
  }

  #timestamp(): string {
    return new Date(this.#clock.now()).toISOString();
  }

  /** Every method is asynchronous, copies what goes in and out, and rejects while the store is away. */
  #guard<T extends object>(port: T): T {
    return new Proxy(port, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== "function") return method;
        return async (...args: unknown[]) => {
          await Promise.resolve();
          if (this.away) throw new StoreUnavailable("the store is away");
          return structuredClone(await (Reflect.apply(method, target, args.map(copied)) as unknown));
        };
      },
    });
  }

  #dials(): DialStore {
    const now = () => this.#clock.now();
    const row = (dialId: string) => this.rows.get(dialId);
    const open = () => [...this.rows.values()].filter((one) => one.state !== "ENDED");
    const fenced = (claim: Claim): Row | undefined => {
      const found = row(claim.dialId);
      return found?.epoch === claim.epoch && found.state !== "ENDED" ? found : undefined;
    };
    return {
      create: async (dial) => this.#create(dial),
      findReferences: async (workspaceId, names) => ({
        ...this.#earlier(workspaceId, names.idempotencyKey),
        ...memoryReferences(this.records, workspaceId, names),
      }),
      list: async (workspaceId, filter, page) => dialPage(this.rows.values(), workspaceId, filter, page),
      find: async (workspaceId, dialId) => {
        const found = row(dialId);
        return found?.dial.plan.workspaceId === workspaceId ? dialOf(found) : undefined;
      },
      workspaceOf: async (dialId) => row(dialId)?.dial.plan.workspaceId,
      findAnsweringNumber: async (account, number) => memoryAnsweringNumber(this.records, account, number),
      revise: async (plan) => {
        const found = row(plan.dialId);
        if (found?.state !== "QUEUED") return false;
        Object.assign(found, { dial: { ...found.dial, plan } });
        return true;
      },
      findByCall: async (account, callId) => memoryCallOf(this.rows.values(), account, callId),
      peek: async (dialId) => this.#peek(row(dialId)),
      enqueued: async (dialId, jobId) => {
        const found = row(dialId);
        if (found?.state === "QUEUED") Object.assign(found, { jobId, enqueuedAt: now() });
      },
      claim: async (dialId, owner, limits) => {
        const found = row(dialId);
        if (found?.state !== "QUEUED" || this.#placingBetween(found) || !isCallable(found, now())) return undefined;
        if (limits !== undefined) this.#hold(found, limits);
        found.epoch += 1;
        this.#move(found, "PLACING");
        Object.assign(found, { owner, leaseUntil: now() + LEASE_MS, reconcileUntil: now() + HORIZON_MS });
        return {
          dialId,
          epoch: found.epoch,
          plan: found.dial.plan,
          doNotCall: this.#listed(found),
          queuedMs: now() - found.createdAt,
        };
      },
      attachCall: async (claim, carrierCallId) => {
        const found = row(claim.dialId);
        if (found?.epoch !== claim.epoch || (found.carrierCallId ?? carrierCallId) !== carrierCallId) return false;
        found.carrierCallId = carrierCallId;
        return found.state !== "ENDED";
      },
      advance: async (dialId, state) => {
        const found = row(dialId);
        if (found === undefined || (found.state === "QUEUED" && found.dial.plan.direction !== "browser")) return false;
        if (found.state === state || mayMove(found.state, state)) found.confirmedAt = now();
        if (!this.#move(found, state)) return false;
        if (state === "IN_PROGRESS") found.startedAt ??= now();
        return true;
      },
      beat: async (claim) => {
        const found = fenced(claim);
        if (found !== undefined) found.leaseUntil = now() + LEASE_MS;
        return found !== undefined;
      },
      intendHangUp: async (dialId, reason, endedBy, claim) => {
        const found = claim === undefined ? row(dialId) : fenced(claim);
        if (found === undefined || found.state === "ENDED") return false;
        found.intent ??= { reason, endedBy };
        return true;
      },
      end: async (dialId, ending) => this.#end(row(dialId), ending),
      saveTranscript: async (dialId, entries) => {
        for (const { index, entry } of entries) this.row(dialId).transcript[index] = entry;
      },
      saveTurns: async (dialId, turns) => {
        this.row(dialId).turns.push(...turns);
      },
      saveAiResult: async (dialId, result, evidence) => {
        this.row(dialId).aiResult = result;
        this.row(dialId).aiResultEvidence = evidence;
      },
      saveRecording: async (dialId, recording) => {
        const { recordings } = this.row(dialId);
        const at = recordings.findIndex((one) => one.id === recording.id);
        if (at === -1) recordings.push(recording);
        else recordings[at] = recording;
      },
      findBrokenRecordings: async (limit) =>
        [...this.rows.values()]
          .filter(({ state, endedAt = now() }) => state === "ENDED" && endedAt < now() - BROKEN_MS)
          .flatMap(({ recordings, dial }) =>
            recordings
              .filter(({ incomplete }) => incomplete)
              .map((recording) => ({ dialId: dial.plan.dialId, recording })),
          )
          .slice(0, limit),
      transcriptComplete: async () => undefined,
      findRecording: async (workspaceId, dialId, recordingId) =>
        row(dialId)?.dial.plan.workspaceId === workspaceId
          ? row(dialId)?.recordings.find((one) => one.id === recordingId)
          : undefined,
      spendToken: async (dialId, tokenId) => {
        const found = row(dialId);
        if (found === undefined || found.state === "ENDED" || found.spentTokens.has(tokenId)) return false;
        found.spentTokens.add(tokenId);
        return true;
      },
      endClientless: async (maxAgeMs) => {
        const old = open().filter(
          (one) => one.state === "QUEUED" && isBrowser(one) && now() - one.createdAt > maxAgeMs,
        );
        for (const one of old) this.#end(one, { evidence: 2, type: "observed", end: callEnd("no_client", "system") });
        return old.map((one) => one.dial.plan.dialId);
      },
      expireQueued: async (maxAgeMs) => {
        const old = open().filter(
          (one) =>
            one.state === "QUEUED" && !isBrowser(one) && isCallable(one, now()) && now() - one.createdAt > maxAgeMs,
        );
        for (const one of old) this.#end(one, { evidence: 2, type: "observed", end: callEnd("expired", "system") });
        return old.map((one) => one.dial.plan.dialId);
      },
      findUnqueued: async (limit) =>
        inTurns(
          open().filter(
            (one) =>
              one.state === "QUEUED" &&
              !isBrowser(one) &&
              isCallable(one, now()) &&
              now() - Math.max(one.createdAt, one.enqueuedAt) >= UNQUEUED_MS,
          ),
        )
          .slice(0, limit)
          .map((one) => one.dial.plan.dialId),
      backlog: async () => {
        const waiting = open().filter((one) => one.state === "QUEUED" && !isBrowser(one) && isCallable(one, now()));
        const oldest = Math.min(...waiting.map((one) => one.createdAt));
        return { count: waiting.length, oldestMs: waiting.length === 0 ? 0 : now() - oldest };
      },
      takeOverLapsed: async (owner, limit) => {
        const lapsed = open().filter((one) => one.state !== "QUEUED" && one.leaseUntil < now());
        for (const one of lapsed.slice(0, limit))
          Object.assign(one, { owner, epoch: one.epoch + 1, leaseUntil: now() + LEASE_MS });
        return lapsed.slice(0, limit).flatMap((one) => this.#peek(one) ?? []);
      },
      findUnconfirmed: async (limit) => {
        const found = open().filter(
          (one) => one.state !== "QUEUED" && now() - one.confirmedAt >= this.#confirmEvery(one),
        );
        for (const one of found.slice(0, limit)) one.confirmedAt = now();
        return found.slice(0, limit).flatMap((one) => this.#peek(one) ?? []);
      },
      findWeaklyEnded: async (limit) => {
        const weak = [...this.rows.values()].filter(
          (one) =>
            one.state === "ENDED" &&
            one.evidence < 3 &&
            one.epoch > 0 &&
            !isBrowser(one) &&
            now() - (one.endedAt ?? 0) < LOOKED_AT_FOR_MS &&
            (one.lookAt ?? (one.endedAt ?? 0) + FIRST_LOOK_MS) < now(),
        );
        for (const one of weak.slice(0, limit)) {
          one.looks += 1;
          one.lookAt = now() + Math.min(LONGEST_LOOK_MS, FIRST_LOOK_MS * 4 ** one.looks);
        }
        return weak.slice(0, limit).flatMap((one) => this.#peek(one) ?? []);
      },
    };
  }

  /** Throws where the limits of its workspace do not let a dial start; else it counts against the pace. */
  #hold(row: Row, { concurrency, reserve, perSecond }: WorkspaceLimits): void {
    const now = this.#clock.now();
    const { workspaceId, direction } = row.dial.plan;
    const called = direction === "outbound";
    const peers = [...this.rows.values()].filter((one) => one.dial.plan.workspaceId === workspaceId);
    const live = peers.filter(({ state }) => state !== "QUEUED" && state !== "ENDED").length;
    const behind = peers.slice(0, peers.indexOf(row)).some((one) => one.state === "QUEUED" && now - one.readyAt < 3000);
    const next = Math.max(this.#nextDialAt.get(workspaceId) ?? 0, now);
    const early = next - now > Math.max(0, 10 - 1000 / perSecond) ? Math.floor(next - now) : 0;
    const full = live >= (called ? concurrency - reserve : concurrency);
    let holdMs = 0;
    if (full) holdMs = 500;
    else if (called) holdMs = behind ? 200 : early;
    if (holdMs > 0) {
      if (called) row.readyAt = now;
      throw new HeldBack(holdMs);
    }
    if (called) this.#nextDialAt.set(workspaceId, next + 1000 / perSecond);
  }

  #earlier(workspaceId: string, key: string | undefined): Pick<DialReferences, "earlier"> {
    const known = this.#idempotency.get(JSON.stringify([workspaceId, key]));
    if (known === undefined || this.#clock.now() - known.at >= IDEMPOTENCY_MS) return {};
    const { sessionId, plan } = this.row(known.dialId).dial;
    const { fingerprint, dialId } = known;
    return { earlier: { fingerprint, dialId, sessionId, maxDurationMs: plan.maxDurationMs } };
  }

  #create(dial: NewDial): Awaited<ReturnType<DialStore["create"]>> {
    const { dialId, workspaceId } = dial.plan;
    const now = this.#clock.now();
    if (dial.idempotency !== undefined) {
      const key = JSON.stringify([workspaceId, dial.idempotency.key]);
      const known = this.#idempotency.get(key);
      if (known !== undefined && now - known.at < IDEMPOTENCY_MS) {
        if (known.fingerprint !== dial.idempotency.fingerprint) return { type: "key-reused" };
        return { type: "replayed", dialId: known.dialId, sessionId: this.row(known.dialId).dial.sessionId };
      }
      this.#idempotency.set(key, { fingerprint: dial.idempotency.fingerprint, dialId, at: now });
    }
    this.rows.set(dialId, newRow(dial, now));
    return { type: "created", dialId, sessionId: dial.sessionId };
  }

  #peek(row: Row | undefined): OpenDial | undefined {
    if (row === undefined) return undefined;
    const { plan } = row.dial;
    return {
      dialId: plan.dialId,
      workspaceId: plan.workspaceId,
      direction: plan.direction,
      state: row.state,
      epoch: row.epoch,
      carrier: plan.carrier ?? null,
      carrierCallId: row.carrierCallId,
      hangupIntent: row.intent?.reason ?? null,
      endReason: row.end?.reason ?? null,
      toNumber: plan.toNumber ?? null,
      fromNumber: plan.fromNumber ?? null,
      claimedAt: null,
      pastHorizon: this.#clock.now() > row.reconcileUntil,
    };
  }

  #listed({ dial: { plan } }: Row): boolean {
    return this.records.doNotCall.some(
      ({ workspaceId, item }) => workspaceId === plan.workspaceId && item.number === plan.toNumber,
    );
  }

  /** Whether another dial between the same numbers is being placed, which a carrier could not tell apart from this one. */
  #placingBetween({ dial }: Row): boolean {
    const { fromNumber, toNumber } = dial.plan;
    return [...this.rows.values()].some(
      ({ state, dial: { plan } }) =>
        state === "PLACING" && plan.fromNumber === fromNumber && plan.toNumber === toNumber,
    );
  }

  #confirmEvery({ state, stateAt, startedAt, dial: { plan } }: Row): number {
    const now = this.#clock.now();
    const overdue =
      (state === "RINGING" && now - stateAt > plan.ringTimeoutMs + 30_000) ||
      (state === "IN_PROGRESS" && now - (startedAt ?? now) > plan.maxDurationMs + 60_000);
    return overdue ? OVERDUE_MS : UNCONFIRMED_MS;
  }

  #move(row: Row, state: DialState): boolean {
    if (row.state === state || !mayMove(row.state, state)) return false;
    row.state = state;
    row.stateAt = this.#clock.now();
    row.updatedAt = this.#clock.now();
    return true;
  }

  #end(row: Row | undefined, ending: Ending): Awaited<ReturnType<DialStore["end"]>> {
    if (row === undefined) return { changed: false, corrected: false, end: null };
    const first = row.state !== "ENDED";
    const end = endingOf(row, ending);
    const differs = !first && row.end?.reason !== end.reason;
    if (!first && (ending.evidence <= row.evidence || (differs && row.corrected)))
      return { changed: false, corrected: false, end: row.end };
    row.evidence = ending.evidence;
    if (["agent", "api", "transfer_target"].includes(end.endedBy)) row.intent ??= end;
    if (!first && !differs) return { changed: false, corrected: false, end: row.end };
    this.#move(row, "ENDED");
    row.endedAt ??= this.#clock.now();
    row.corrected ||= differs;
    row.end = end;
    return { changed: true, corrected: differs, end };
  }
}

/** Calls that came in, then one dial of each workspace after another. */
const inTurns = (rows: readonly Row[]): readonly Row[] => {
  const seen = new Map<string, number>();
  const turns = rows.map((row) => {
    const { workspaceId, direction } = row.dial.plan;
    const turn = (seen.get(workspaceId) ?? 0) + 1;
    seen.set(workspaceId, turn);
    return { row, turn: direction === "outbound" ? turn : 0 };
  });
  return turns.toSorted((a, b) => a.turn - b.turn).map(({ row }) => row);
};

/** What the store would write down: a copy; a change is code and stays what it is. */
const copied = (value: unknown): unknown => (typeof value === "function" ? value : structuredClone(value));

/** Whether people may be called now where the number is. */
const isCallable = ({ dial: { plan } }: Row, now: number): boolean =>
  plan.callingWindow === undefined || isOpen(plan.callingWindow, now);

const isBrowser = ({ dial }: Row): boolean => dial.plan.direction === "browser";
