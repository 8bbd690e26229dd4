import type { Random } from "./random.ts";

/** A new id for a job; a dial may have several in its life. */
export const jobIdFor = (dialId: string, random: Pick<Random, "secret">): string =>
  `dial-${dialId}-${random.secret(6)}`;

/**
 * Wakes a worker for a dial. A job carries the dial's id and nothing else, and grants nothing: the right to ring a person is
 * the claim in the store. Losing, doubling or delaying a job is therefore harmless.
 */
export interface DialQueue {
  /**
   * Adds a job under a new id, or the given one, and answers that id; at the front it comes before all that are there. Rejects within
   * 2 s when the queue is away.
   */
  add(dialId: string, jobId?: string, place?: "front" | "back"): Promise<string>;
  /** Starts taking jobs; the handler should return as soon as the call is handed on, and must not throw. */
  consume(handler: (dialId: string, jobId: string) => Promise<void>, concurrency: number): Promise<QueueConsumer>;
  close(): Promise<void>;
}

export interface QueueConsumer {
  /** Stops taking jobs; those under way finish. */
  pause(): Promise<void>;
  resume(): void;
  close(): Promise<void>;
}
