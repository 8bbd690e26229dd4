import { NoAnswer } from "./errors.ts";
import { pause } from "./machine.ts";
import type { LiveEvent, StatusEvent } from "./operations.ts";
import { pauseBefore, type Transport } from "./transport.ts";

export type FollowOptions = Readonly<{
  /** Only what came after the event with this id. */
  lastEventId?: string | undefined;
  signal?: AbortSignal | undefined;
}>;

/** An event of a dial; `id` continues after it, and is absent on one that stands for events that are gone. */
export type FollowedEvent = Readonly<{ id: string | undefined; event: LiveEvent }>;

/** Connections in a row that bring no event before it is given up; with the pauses between them about a minute. */
const FRUITLESS = 10;

/**
 * What happens in a call, until it is over. A connection that breaks is opened again where it broke.
 *
 * @throws {ApiProblem} when the API refuses, {@link NoAnswer} when it stays away, and the reason of the signal when it aborts.
 */
export async function* followDial(
  transport: Transport,
  path: string,
  { lastEventId, signal }: FollowOptions,
): AsyncGenerator<FollowedEvent, void, undefined> {
  let lastId = lastEventId;
  for (let fruitless = 1; ; fruitless++) {
    const headers: Record<string, string> = lastId === undefined ? {} : { "last-event-id": lastId };
    let broken: unknown = new NoAnswer(`the stream of ${path} ended before the dial did`);
    try {
      for await (const { id, data } of transport.events({ method: "GET", path, headers, repeatable: true, signal })) {
        const event = JSON.parse(data) as LiveEvent;
        yield { id, event };
        if (event.type === "status" && IS_OVER[event.status]) return;
        fruitless = 0;
        lastId = id ?? lastId;
      }
    } catch (error) {
      broken = error;
    }
    const ms = fruitless < FRUITLESS ? pauseBefore(transport.machine, broken, Math.max(1, fruitless)) : undefined;
    if (ms === undefined) throw broken;
    await pause(transport.machine, ms, signal);
  }
}

const IS_OVER: Readonly<Record<StatusEvent["status"], boolean>> = {
  queued: false,
  ringing: false,
  "in-progress": false,
  completed: true,
  failed: true,
  canceled: true,
  busy: true,
  "no-answer": true,
};
