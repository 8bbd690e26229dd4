/**
 * Wakes a worker for a dial. A job carries the dial's id and nothing else, and grants nothing: the right to ring a person is
 * the claim in the store. Losing, doubling or delaying a job is therefore harmless.
 */
export interface DialQueue {
  /** Adds a job under a new id and answers that id. Rejects within 2 s when the queue is away. */
  add(dialId: string): Promise<string>;
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
