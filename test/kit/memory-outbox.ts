import {
  SHOWN_ATTEMPTS,
  type WebhookAttempt,
  type WebhookDelivery,
  type WebhookSecret,
} from "../../src/model/webhook-delivery.ts";
import type { Clock } from "../../src/ports/clock.ts";
import {
  DELIVERY_LEASE_MS,
  ENDPOINT_CONCURRENCY,
  OLD_SECRET_MS,
  type DeliveryLease,
  type DueDelivery,
  type Outbox,
  type Verdict,
} from "../../src/ports/outbox.ts";

type Event = {
  readonly number: number;
  readonly id: string;
  readonly stream: Stream;
  readonly event: WebhookDelivery["event"];
  readonly sequence: number;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
  state: WebhookDelivery["status"];
  nextAt: number;
  step: number;
  sentAt: number | null;
  attempts: WebhookAttempt[];
};

type Stream = {
  readonly dialId: string;
  readonly workspaceId: string;
  readonly url: string;
  nextAt: number | null;
  leased: boolean;
  epoch: number;
  armed: number;
  gone: boolean;
  events: Event[];
};

type Secret = { secret: string; createdAt: number; previous: string | null; previousUntil: number };

/** What is told, to whom. */
export type Told = Readonly<{
  workspaceId: string;
  dialId: string;
  url: string;
  event?: WebhookDelivery["event"];
  payload?: Readonly<Record<string, unknown>>;
}>;

/** The Outbox port without a database. Events are added by `add`; the store in memory adds none by itself. */
export class MemoryOutbox implements Outbox {
  readonly streams = new Map<string, Stream>();
  readonly events: Event[] = [];
  readonly #clock: Clock;
  readonly #secrets = new Map<string, Secret>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add({ workspaceId, dialId, url, event = "dial.updated", payload = {} }: Told): string {
    const now = this.#clock.now();
    const stream = this.streams.get(dialId) ?? {
      dialId,
      workspaceId,
      url,
      nextAt: null,
      leased: false,
      epoch: 0,
      armed: 0,
      gone: false,
      events: [],
    };
    this.streams.set(dialId, stream);
    const made: Event = {
      number: this.events.length + 1,
      id: `event-${this.events.length + 1}`,
      stream,
      event,
      sequence: stream.events.length + 1,
      payload: { dial_id: dialId, ...payload },
      createdAt: now,
      state: "pending",
      nextAt: now,
      step: 0,
      sentAt: null,
      attempts: [],
    };
    this.events.push(made);
    stream.events.push(made);
    stream.armed += 1;
    stream.nextAt ??= now;
    return made.id;
  }

  async claim(limit: number, near?: readonly DeliveryLease[]): Promise<readonly DeliveryLease[]> {
    const now = this.#clock.now();
    const endpoints = new Set(
      [...this.streams.values()].filter(({ dialId }) => near?.some((one) => one.dialId === dialId)).map(endpointOf),
    );
    const due = [...this.streams.values()]
      .filter((stream) => near === undefined || endpoints.has(endpointOf(stream)))
      .filter(({ nextAt }) => nextAt !== null && nextAt <= now)
      .toSorted((a, b) => (a.nextAt ?? 0) - (b.nextAt ?? 0));
    const leases: DeliveryLease[] = [];
    for (const stream of due) {
      if (leases.length === limit) break;
      const busy = [...this.streams.values()].filter(
        (other) => other.leased && (other.nextAt ?? 0) > now && endpointOf(other) === endpointOf(stream),
      );
      if (busy.length >= ENDPOINT_CONCURRENCY) continue;
      const waitedMs = now - (stream.nextAt ?? now);
      Object.assign(stream, { leased: true, epoch: stream.epoch + 1, nextAt: now + DELIVERY_LEASE_MS });
      leases.push({ dialId: stream.dialId, epoch: stream.epoch, armed: stream.armed, waitedMs });
    }
    return leases;
  }

  async open(lease: DeliveryLease): Promise<DueDelivery | undefined> {
    const stream = this.#held(lease);
    if (stream === undefined) return undefined;
    if (stream.gone) for (const event of pendingOf(stream)) event.state = "dead";
    const [head, next] = pendingOf(stream);
    if (head === undefined || head.nextAt > this.#clock.now()) {
      this.#rest(stream, lease, stream.armed === lease.armed ? head?.nextAt : undefined);
      return undefined;
    }
    const { secret, previous, previousUntil } = this.#secret(stream.workspaceId);
    return {
      lease,
      id: head.id,
      dialId: stream.dialId,
      workspaceId: stream.workspaceId,
      url: stream.url,
      event: head.event,
      sequence: head.sequence,
      createdAt: new Date(head.createdAt).toISOString(),
      payload: head.payload,
      step: head.step,
      more: next !== undefined,
      secrets: previous !== null && previousUntil > this.#clock.now() ? [secret, previous] : [secret],
    };
  }

  async settle(...[delivery, attempt, verdict]: Parameters<Outbox["settle"]>): Promise<boolean> {
    const stream = this.#held(delivery.lease);
    const event = this.events.find(({ id }) => id === delivery.id);
    if (stream === undefined || event === undefined) return false;
    const now = this.#clock.now();
    event.attempts.push({ at: new Date(now - attempt.durationMs).toISOString(), ...attempt });
    event.step += 1;
    applyVerdict(event, verdict, now);
    if (verdict.type === "gone") {
      stream.gone = true;
      for (const waiting of pendingOf(stream)) waiting.state = "dead";
    }
    const next = delivery.more ? now : undefined;
    this.#rest(stream, delivery.lease, verdict.type === "retry" ? event.nextAt : next);
    return true;
  }

  async release(lease: DeliveryLease): Promise<void> {
    const stream = this.#held(lease);
    if (stream !== undefined) this.#rest(stream, lease, this.#clock.now());
  }

  async list(...[workspaceId, filter, page]: Parameters<Outbox["list"]>): ReturnType<Outbox["list"]> {
    const after = page.after === undefined ? Number.POSITIVE_INFINITY : Number(page.after.id);
    const found = this.events
      .filter(({ number, stream }) => stream.workspaceId === workspaceId && number < after)
      .filter(
        ({ state, stream }) => state === (filter.status ?? state) && stream.dialId === (filter.dialId ?? stream.dialId),
      )
      .toReversed();
    const items = found.slice(0, page.limit);
    const last = items.at(-1);
    const more = found.length > items.length && last !== undefined;
    return {
      items: items.map(toRecord),
      next: more ? { createdAt: new Date(last.createdAt).toISOString(), id: String(last.number) } : null,
    };
  }

  async replay(workspaceId: string, id: string): Promise<WebhookDelivery | undefined> {
    const event = this.events.find((one) => one.id === id && one.stream.workspaceId === workspaceId);
    if (event === undefined) return undefined;
    const now = this.#clock.now();
    Object.assign(event, { state: "pending", step: 0, sentAt: null, nextAt: now });
    for (const before of pendingOf(event.stream)) if (before.sequence < event.sequence) before.nextAt = now;
    event.stream.armed += 1;
    event.stream.gone = false;
    if (!event.stream.leased) event.stream.nextAt = now;
    return toRecord(event);
  }

  async secret(workspaceId: string): Promise<WebhookSecret> {
    const { secret, createdAt, previousUntil } = this.#secret(workspaceId);
    const alive = previousUntil > this.#clock.now();
    return {
      secret,
      createdAt: new Date(createdAt).toISOString(),
      previousExpiresAt: alive ? new Date(previousUntil).toISOString() : null,
    };
  }

  async rotateSecret(workspaceId: string): Promise<WebhookSecret> {
    const now = this.#clock.now();
    const { secret: previous } = this.#secret(workspaceId);
    this.#secrets.set(workspaceId, {
      secret: secretOf(`${workspaceId} ${previous}`),
      createdAt: now,
      previous,
      previousUntil: now + OLD_SECRET_MS,
    });
    return this.secret(workspaceId);
  }

  #secret(workspaceId: string): Secret {
    const known = this.#secrets.get(workspaceId) ?? {
      secret: secretOf(workspaceId),
      createdAt: this.#clock.now(),
      previous: null,
      previousUntil: 0,
    };
    this.#secrets.set(workspaceId, known);
    return known;
  }

  #held({ dialId, epoch }: DeliveryLease): Stream | undefined {
    const stream = this.streams.get(dialId);
    return stream?.leased === true && stream.epoch === epoch ? stream : undefined;
  }

  #rest(stream: Stream, { armed }: DeliveryLease, nextAt: number | undefined): void {
    stream.leased = false;
    stream.nextAt = nextAt ?? (stream.armed === armed ? null : this.#clock.now());
  }
}

const endpointOf = ({ workspaceId, url }: Stream): string => `${workspaceId} ${new URL(url).origin}`;

const pendingOf = ({ events }: Stream): readonly Event[] => events.filter(({ state }) => state === "pending");

const applyVerdict = (event: Event, verdict: Verdict, now: number): void => {
  if (verdict.type === "retry") event.nextAt = now + verdict.delayMs;
  else event.state = verdict.type === "delivered" ? "delivered" : "dead";
  if (verdict.type === "delivered") event.sentAt = now;
};

/** 32 bytes, another for each text. */
const secretOf = (text: string): string =>
  `whsec_${Buffer.alloc(
    32,
    text
      .split("")
      .reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) >>> 0, 7)
      .toString(36),
  ).toString("base64")}`;

const toRecord = (event: Event): WebhookDelivery => ({
  id: event.id,
  dialId: event.stream.dialId,
  event: event.event,
  sequence: event.sequence,
  status: event.state,
  createdAt: new Date(event.createdAt).toISOString(),
  nextAttemptAt: event.state === "pending" ? new Date(event.nextAt).toISOString() : null,
  deliveredAt: event.sentAt === null ? null : new Date(event.sentAt).toISOString(),
  attemptCount: event.attempts.length,
  attempts: event.attempts.slice(-SHOWN_ATTEMPTS),
});
