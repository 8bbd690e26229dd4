import { Readable } from "node:stream";
import { toError } from "../kit/errors.ts";
import { OUTCOMES, type DialStatus } from "../model/call-end.ts";
import type { Clock, Timer } from "../ports/clock.ts";
import type { LiveEvent } from "../model/live-event.ts";
import type { LiveState } from "../ports/live.ts";
import type { Logger } from "../ports/logger.ts";
import type { DialStore } from "../ports/store.ts";

/** Proxies and browsers give up on streams that are silent for 30 to 60 s. */
const HEARTBEAT_MS = 15_000;

/** How long a dial that is over may take to show its kept events before its record alone is told. */
const REPLAY_MS = 1000;

/** Text that may wait for a slow reader, in characters; a call of an hour has less. */
const MOST_WAITING = 1_000_000;

export type EventStreamDeps = Readonly<{
  store: Readonly<{ dials: Pick<DialStore, "find" | "peek"> }>;
  live: Pick<LiveState, "follow">;
  clock: Clock;
  logger: Logger;
}>;

type Followed = Readonly<{ workspaceId: string; dialId: string; afterId: string | undefined }>;

/** Server-sent event streams of live dials, all of which end when the server closes. */
export class EventStreams {
  readonly #deps: EventStreamDeps;
  readonly #open = new Set<AbortController>();

  constructor(deps: EventStreamDeps) {
    this.#deps = deps;
  }

  /** The bytes to answer with. The stream stops following when its reader goes away. */
  open(followed: Followed): Readable {
    const abort = new AbortController();
    this.#open.add(abort);
    const stream = new Readable({
      // Nothing is asked for: events come when they happen.
      read: () => undefined,
      destroy: (error, callback) => {
        abort.abort();
        callback(error);
      },
    });
    void new Following(this.#deps, followed, stream, abort)
      .run()
      .catch((error: unknown) => {
        this.#deps.logger.warn("an event stream failed", { dialId: followed.dialId, error: toError(error) });
      })
      .finally(() => {
        abort.abort();
        this.#open.delete(abort);
        if (!stream.destroyed) stream.push(null);
      });
    return stream;
  }

  close(): void {
    for (const abort of this.#open) abort.abort();
  }
}

/** One reader of one dial. */
class Following {
  readonly #deps: EventStreamDeps;
  readonly #followed: Followed;
  readonly #stream: Readable;
  readonly #abort: AbortController;
  #timer: Timer | undefined;
  #ended = false;

  constructor(deps: EventStreamDeps, followed: Followed, stream: Readable, abort: AbortController) {
    this.#deps = deps;
    this.#followed = followed;
    this.#stream = stream;
    this.#abort = abort;
  }

  async run(): Promise<void> {
    const { dialId, afterId } = this.#followed;
    // Headers leave with the first bytes; a client should know at once that it is connected.
    this.#write(": connected\n\n");
    const over = await this.#terminalStatus();
    this.#schedule(over === undefined ? HEARTBEAT_MS : REPLAY_MS);
    try {
      for await (const { id, event } of this.#deps.live.follow(dialId, afterId, this.#abort.signal)) {
        this.#write(`id: ${id}\n${frame(event)}`);
        if (event.type === "status" && isTerminal(event.status)) this.#ended = true;
      }
    } finally {
      this.#timer?.cancel();
    }
    if (this.#ended || this.#stream.destroyed) return;
    // Events are kept for an hour and may be lost; how the dial ended is in its record.
    const status = over ?? (await this.#terminalStatus());
    if (status !== undefined) this.#write(frame(status));
  }

  /** Keeps the connection open, and ends the stream of a dial whose terminal status was lost on the way. */
  #schedule(ms: number): void {
    if (this.#abort.signal.aborted) return;
    this.#timer = this.#deps.clock.setTimer(ms, () => {
      this.#beat().catch(() => {
        // The store is away: events may still come, and the next beat looks again.
        this.#schedule(HEARTBEAT_MS);
      });
    });
  }

  async #beat(): Promise<void> {
    if (this.#abort.signal.aborted) return;
    this.#write(": \n\n");
    if ((await this.#terminalStatus()) === undefined) this.#schedule(HEARTBEAT_MS);
    else this.#abort.abort();
  }

  async #terminalStatus(): Promise<LiveEvent | undefined> {
    const { workspaceId, dialId } = this.#followed;
    if ((await this.#deps.store.dials.peek(dialId))?.state !== "ENDED") return undefined;
    const dial = await this.#deps.store.dials.find(workspaceId, dialId);
    if (dial?.status === undefined || !isTerminal(dial.status)) return undefined;
    return { type: "status", status: dial.status, systemResultType: dial.systemResultType ?? null };
  }

  #write(text: string): void {
    if (this.#stream.destroyed) return;
    this.#stream.push(text);
    if (this.#stream.readableLength > MOST_WAITING) this.#stream.destroy();
  }
}

const TERMINAL: ReadonlySet<DialStatus> = new Set(Object.values(OUTCOMES).map((outcome) => outcome.status));

const isTerminal = (status: DialStatus): boolean => TERMINAL.has(status);

const frame = (event: LiveEvent): string => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
