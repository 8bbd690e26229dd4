import type { Clock } from "../../ports/clock.ts";
import type { LiveEvent } from "../../model/live-event.ts";
import type { CallCommand, LiveEntry, LiveState, MediaTicket } from "../../ports/live.ts";
import { isLast, KEPT_ENTRIES, KEPT_MS } from "./entries.ts";

/** One dial's stream. Followers keep no copies: they remember where they are and look again when they are woken. */
type Stream = { entries: LiveEntry[]; next: number; touchedAt: number; over: boolean; waiting: Set<() => void> };

type Issued = Readonly<{ ticket: MediaTicket; until: number }>;

/** How often what has expired is looked for, at most. */
const SWEEP_MS = 60_000;

/** Live state inside one process, for deployments that have only one. Holds no timers. */
export const memoryLiveState = ({ clock }: Readonly<{ clock: Clock }>): LiveState => {
  const streams = new Map<string, Stream>();
  const handlers = new Map<string, Set<(command: CallCommand) => void>>();
  const tickets = new Map<string, Issued>();
  const closing = new Set<() => void>();
  let over = false;
  let sweptAt = clock.monotonic();

  const sweep = () => {
    const now = clock.monotonic();
    if (now - sweptAt < SWEEP_MS) return;
    sweptAt = now;
    for (const [dialId, stream] of streams) if (isStale(stream, now)) streams.delete(dialId);
    for (const [token, { until }] of tickets) if (now >= until) tickets.delete(token);
  };

  const streamOf = (dialId: string): Stream => {
    const known = streams.get(dialId);
    if (known !== undefined && !isStale(known, clock.monotonic())) return known;
    const fresh: Stream = { entries: [], next: 1, touchedAt: clock.monotonic(), over: false, waiting: new Set() };
    streams.set(dialId, fresh);
    return fresh;
  };

  return {
    publish(dialId, event) {
      if (over) return;
      sweep();
      append(streamOf(dialId), event, clock.monotonic());
    },
    follow: (dialId, afterId, signal) => follow(() => streamOf(dialId), positionOf(afterId), signal, closing),
    async command(dialId, command) {
      const listening = [...(handlers.get(dialId) ?? [])];
      for (const handler of listening) handler(command);
      return listening.length > 0;
    },
    async onCommand(dialId, handler) {
      const set = handlers.get(dialId) ?? new Set();
      handlers.set(dialId, set.add(handler));
      return () => {
        set.delete(handler);
        if (set.size === 0 && handlers.get(dialId) === set) handlers.delete(dialId);
      };
    },
    isHeard: async (dialId) => handlers.has(dialId),
    forget: async (dialId) => void streams.delete(dialId),
    async issueTicket(token, ticket, ttlMs) {
      sweep();
      if (tickets.has(token)) throw new Error("a ticket was issued under a token that is in use");
      tickets.set(token, { ticket, until: clock.monotonic() + ttlMs });
    },
    async takeTicket(token) {
      const issued = tickets.get(token);
      tickets.delete(token);
      return issued === undefined || clock.monotonic() >= issued.until ? undefined : issued.ticket;
    },
    async close() {
      over = true;
      for (const stop of closing) stop();
    },
  };
};

const isStale = ({ touchedAt, waiting }: Stream, now: number): boolean =>
  waiting.size === 0 && now - touchedAt > KEPT_MS;

const append = (stream: Stream, event: LiveEvent, now: number): void => {
  stream.entries.push({ id: String(stream.next), event });
  stream.next += 1;
  if (stream.entries.length > KEPT_ENTRIES) stream.entries.shift();
  stream.touchedAt = now;
  stream.over ||= isLast(event);
  for (const wake of stream.waiting) wake();
  stream.waiting.clear();
};

/** Ids are numbers from 1; anything else is not one of ours and means the beginning. */
const positionOf = (id: string | undefined): number => (id !== undefined && /^\d{1,15}$/u.test(id) ? Number(id) : 0);

async function* follow(
  streamNow: () => Stream,
  after: number,
  signal: AbortSignal,
  closing: Set<() => void>,
): AsyncGenerator<LiveEntry> {
  let position = after;
  let wake: () => void = () => undefined;
  let closed = false;
  const ended = () => closed || signal.aborted;
  const stop = () => {
    closed = true;
    wake();
  };
  signal.addEventListener("abort", stop, { once: true });
  closing.add(stop);
  try {
    while (!ended()) {
      const stream = streamNow();
      for (const entry of stream.entries.filter(({ id }) => Number(id) > position)) {
        if (ended()) return;
        position = Number(entry.id);
        yield entry;
        if (isLast(entry.event)) return;
      }
      if (stream.over && stream.next - 1 <= position) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (ended() || stream.next - 1 > position) resolve();
        else stream.waiting.add(resolve);
      });
      stream.waiting.delete(wake);
    }
  } finally {
    signal.removeEventListener("abort", stop);
    closing.delete(stop);
  }
}
