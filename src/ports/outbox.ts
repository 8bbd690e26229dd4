import type { AttemptOutcome, DeliveryStatus, WebhookDelivery, WebhookSecret } from "../model/webhook-delivery.ts";
import type { PageRequest, Positioned } from "./page.ts";

/** How long a claimed dial's webhook belongs to whoever claimed it; longer than one attempt and its two statements. */
export const DELIVERY_LEASE_MS = 30_000;

/** How many deliveries to one endpoint (a workspace's scheme, host and port) are under way at a time. */
export const ENDPOINT_CONCURRENCY = 5;

/** How long the secret before a rotation still signs, in milliseconds. */
export const OLD_SECRET_MS = 86_400_000;

/** After its end, how long a dial's transcript waits for words that are not written yet, in milliseconds. */
export const TRANSCRIPT_WAIT_MS = 30_000;

/** The permit to make one attempt for one dial. */
export type DeliveryLease = Readonly<{
  dialId: string;
  /** Fences: a lease that somebody has taken over settles nothing. */
  epoch: number;
  /** How many events had been added for the dial when it was claimed. */
  armed: number;
  /** How long the attempt had been due, in milliseconds. */
  waitedMs: number;
}>;

/** The oldest event of a dial that is not delivered yet, ready to be sent. */
export type DueDelivery = Readonly<{
  lease: DeliveryLease;
  id: string;
  dialId: string;
  workspaceId: string;
  url: string;
  event: string;
  sequence: number;
  createdAt: string;
  payload: Readonly<Record<string, unknown>>;
  /** Attempts since the event was added or replayed. */
  step: number;
  /** Whether the dial has later events that wait for this one. */
  more: boolean;
  /** Newest first; at least one. */
  secrets: readonly string[];
}>;

export type AttemptResult = Readonly<{ outcome: AttemptOutcome; statusCode?: number; durationMs: number }>;

/** What an attempt leads to. `gone`: nothing more is sent for this dial, until somebody replays. */
export type Verdict =
  | Readonly<{ type: "delivered" }>
  | Readonly<{ type: "retry"; delayMs: number }>
  | Readonly<{ type: "dead" }>
  | Readonly<{ type: "gone" }>;

export type DeliveryFilter = Readonly<{ dialId?: string | undefined; status?: DeliveryStatus | undefined }>;

/**
 * Events that wait to be told to customers. They are added by the statements whose changes they tell of; here they are taken out.
 * The events of one dial leave one after another, in order of their sequence; those of different dials do not wait for one another.
 * Any number of processes may claim at once.
 */
export interface Outbox {
  /**
   * Up to `limit` dials whose next attempt is due, the longest due first. At most {@link ENDPOINT_CONCURRENCY} are leased for one
   * endpoint; processes that claim in the same instant may exceed it for one attempt. With `near`, only dials of the endpoints that
   * those leases were for, which costs less than to look everywhere.
   */
  claim(limit: number, near?: readonly DeliveryLease[]): Promise<readonly DeliveryLease[]>;
  /** What a lease permits to send; `undefined` when nothing is due after all or the lease has lapsed, and it is given back then. */
  open(lease: DeliveryLease): Promise<DueDelivery | undefined>;
  /** Notes an attempt and gives the lease back. False: the lease had lapsed, and nothing was noted. */
  settle(delivery: DueDelivery, attempt: AttemptResult, verdict: Verdict): Promise<boolean>;
  /** Gives a lease back as if it had not been taken. */
  release(lease: DeliveryLease): Promise<void>;
  /** Newest first. */
  list(workspaceId: string, filter: DeliveryFilter, page: PageRequest): Promise<Positioned<WebhookDelivery>>;
  /** Starts a delivery's attempts anew, at once, whatever came of it before; under the same id. */
  replay(workspaceId: string, id: string): Promise<WebhookDelivery | undefined>;
  /** The workspace's secret, made by the first who asks. */
  secret(workspaceId: string): Promise<WebhookSecret>;
  /** Makes a new secret. The one before signs too for {@link OLD_SECRET_MS}; an even older one no more. */
  rotateSecret(workspaceId: string): Promise<WebhookSecret>;
}
