import type { AnsweredBy } from "./carrier.ts";
import type { RecordingAction } from "../model/recording-switch.ts";
import type { LiveEvent } from "../model/live-event.ts";

export type LiveEntry = Readonly<{ id: string; event: LiveEvent }>;

/** What another process may ask of the worker that holds a call. */
export type HangUpCommand = Readonly<{ type: "hang-up"; endReason: "operator_hangup" | "canceled" }>;

/**
 * What another process may tell the worker that holds a call: to hang up, who the carrier believes has answered, or whether sound is kept.
 */
export type CallCommand =
  | HangUpCommand
  | Readonly<{ type: "answered-by"; by: AnsweredBy }>
  | Readonly<{ type: "recording"; action: RecordingAction }>;

/** A ticket that lets one media socket in; single use. */
export type MediaTicket = Readonly<{ dialId: string; epoch: number; carrier: string }>;

/** State that must be fast and shared between processes while a call lives; never the record. */
export interface LiveState {
  /** Appends to the dial's stream, which keeps the last 1000 entries for an hour. Never rejects; failures are counted. */
  publish(dialId: string, event: LiveEvent): void;
  /**
   * Entries after `afterId` (all that are kept when absent) and then new ones as they come, until a terminal status or until
   * `signal` aborts, after which it ends without throwing.
   */
  follow(dialId: string, afterId: string | undefined, signal: AbortSignal): AsyncIterable<LiveEntry>;
  /** Sends a command to whoever holds the call; true when somebody listened. */
  command(dialId: string, command: CallCommand): Promise<boolean>;
  /** Listens for commands until the returned function is called. */
  onCommand(dialId: string, handler: (command: CallCommand) => void): Promise<() => void>;
  /** Whether anybody listens for a dial's commands: a worker that died does not, from that moment on. */
  isHeard(dialId: string): Promise<boolean>;
  /** Deletes the dial's stream. */
  forget(dialId: string): Promise<void>;
  /** Keeps a ticket under a secret token for `ttlMs`. */
  issueTicket(token: string, ticket: MediaTicket, ttlMs: number): Promise<void>;
  /** Takes a ticket; the second taker of the same token gets nothing. */
  takeTicket(token: string): Promise<MediaTicket | undefined>;
  close(): Promise<void>;
}
