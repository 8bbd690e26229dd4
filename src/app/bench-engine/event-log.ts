export type BenchEvent =
  | "stt_last_voiced"
  | "stt_final"
  | "llm_request"
  | "llm_sentence_end"
  | "tts_request"
  | "tts_first_audio";

/** When a provider of one call was asked and answered. */
export type Note = (name: BenchEvent, atMs?: number) => void;

/** Two hours of 1000 calls that nobody reads; beyond it the oldest are lost. */
const MOST = 2_000_000;

/** Notes of all calls in the order in which they were made; milliseconds of the machine's monotonic clock. */
export class EventLog {
  readonly #now: () => number;
  #events: (readonly [string, BenchEvent, number])[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  /** `callId` is what the carrier calls the call. */
  of(callId: string): Note {
    return (name, atMs = this.#now()) => {
      if (this.#events.length >= MOST) this.#events.splice(0, MOST / 2);
      this.#events.push([callId, name, atMs]);
    };
  }

  /** Everything since the last call. */
  drain(): readonly (readonly [string, BenchEvent, number])[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }
}
