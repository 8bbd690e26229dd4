import { deferred, type Deferred } from "../../../kit/deferred.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { SimulatedCall, SimulatedRoom } from "./simulated-call.ts";

type Room = { open: boolean; readonly inside: Set<SimulatedCall>; readonly closed: Deferred<void> };

/** How long people talk in a room before whoever opened it hangs up, in milliseconds. */
const TALK_MS = 2000;

/** The conferences of a simulated account, by their names. */
export class SimulatedRooms {
  readonly #clock: Clock;
  readonly #rooms = new Map<string, Room>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  enter(call: SimulatedCall, name: string, opens: boolean): SimulatedRoom {
    const room = this.#rooms.get(name) ?? { open: false, inside: new Set(), closed: deferred<void>() };
    this.#rooms.set(name, room);
    room.inside.add(call);
    room.open ||= opens;
    if (opens) this.#clock.setTimer(TALK_MS, () => call.hangUp());
    const leave = () => {
      if (!room.inside.delete(call)) return;
      this.#rooms.delete(name);
      room.closed.resolve();
    };
    return { closed: room.closed.promise, leave };
  }

  /** The list that the account's REST interface gives. */
  list(query: URLSearchParams): Readonly<{ status: number; body: unknown }> {
    const found = [...this.#rooms].filter(
      ([name, { open }]) =>
        (query.get("FriendlyName") ?? name) === name && (query.get("Status") ?? stateOf(open)) === stateOf(open),
    );
    const conferences = found.map(([name, { open }]) => ({ friendly_name: name, status: stateOf(open) }));
    return { status: 200, body: { conferences, page: 0 } };
  }
}

const stateOf = (open: boolean): string => (open ? "in-progress" : "init");
