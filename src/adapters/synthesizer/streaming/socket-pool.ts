import { toError } from "../../../kit/errors.ts";
import { ScopeClosed } from "../../../kit/scope.ts";
import type { Clock, Timer } from "../../../ports/clock.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import { VendorSocket, type SocketTarget } from "./vendor-socket.ts";

/** A connection in somebody's hands. `reused`: it lay idle before, so the vendor may have given it up without our knowing. */
export type Lease = Readonly<{ socket: VendorSocket; target: SocketTarget; reused: boolean }>;

/** Idle connections are closed after this, below what any of the vendors allows; a call's next reply comes sooner. */
const IDLE_MS = 60_000;

/** As many calls as one process holds by default, with some to spare; beyond it the oldest idle connection goes. */
const MOST_IDLE = 32;

type Idle = Readonly<{ socket: VendorSocket; timer: Timer }>;

/** Connections to one vendor, each used for one piece of text at a time and kept for the next. */
export class SocketPool {
  readonly #provider: string;
  readonly #clock: Clock;
  readonly #idle: Idle[] = [];
  readonly #leased = new Set<VendorSocket>();
  readonly #warming = new Map<string, Promise<void>>();
  readonly #closing = new AbortController();

  constructor(provider: string, clock: Clock) {
    this.#provider = provider;
    this.#clock = clock;
  }

  /** Idle connections, for tests and metrics. */
  get idle(): number {
    return this.#idle.length;
  }

  /** Aborts when the pool closes. */
  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  /** An idle connection to the target, else a new one; always a new one where `fresh`. */
  async lease(target: SocketTarget, signal: AbortSignal, fresh = false): Promise<Lease> {
    // One that is being opened for the purpose is there sooner than another would be.
    const warming = fresh || this.#hasIdle(target) ? undefined : this.#warming.get(target.key);
    if (warming !== undefined) await untilAborted(warming, signal);
    if (this.#isClosed()) throw new ProviderError(this.#provider, "unavailable", "is closed");
    const found = fresh ? -1 : this.#idle.findLastIndex(({ socket }) => socket.key === target.key && socket.alive);
    const [idle] = found < 0 ? [] : this.#idle.splice(found, 1);
    if (idle !== undefined) {
      idle.timer.cancel();
      this.#leased.add(idle.socket);
      return { socket: idle.socket, target, reused: true };
    }
    const socket = await VendorSocket.open(this.#provider, target, this.#clock, signal);
    if (this.#isClosed()) {
      socket.terminate();
      throw new ProviderError(this.#provider, "unavailable", "is closed");
    }
    this.#leased.add(socket);
    return { socket, target, reused: false };
  }

  /** Gives a connection back, ready for another piece of text. */
  release({ socket }: Lease): void {
    this.#leased.delete(socket);
    if (!socket.alive || this.#closing.signal.aborted) {
      socket.terminate();
      return;
    }
    const drop = () => {
      const at = this.#idle.findIndex((one) => one.socket === socket);
      if (at >= 0) this.#idle.splice(at, 1)[0]?.timer.cancel();
      socket.terminate();
    };
    this.#idle.push({ socket, timer: this.#clock.setTimer(IDLE_MS, drop) });
    socket.listen({ message: () => undefined, lost: drop });
    if (this.#idle.length > MOST_IDLE) {
      const oldest = this.#idle.shift();
      oldest?.timer.cancel();
      oldest?.socket.terminate();
    }
  }

  /** Ends a connection that cannot be used for anything else. */
  discard({ socket }: Lease): void {
    this.#leased.delete(socket);
    socket.terminate();
  }

  /** Sees to it that a connection to the target lies ready; a failure is found out by whoever needs it. */
  warm(target: SocketTarget): void {
    if (this.#hasIdle(target) || this.#warming.has(target.key) || this.#closing.signal.aborted) return;
    const opening = VendorSocket.open(this.#provider, target, this.#clock, this.#closing.signal)
      .then((socket) => {
        this.release({ socket, target, reused: false });
      })
      .catch(() => undefined)
      .finally(() => {
        this.#warming.delete(target.key);
      });
    this.#warming.set(target.key, opening);
  }

  close(): void {
    this.#closing.abort(new ScopeClosed(this.#provider));
    for (const { socket, timer } of this.#idle.splice(0)) {
      timer.cancel();
      socket.terminate();
    }
    for (const socket of this.#leased) socket.terminate();
    this.#leased.clear();
  }

  #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  #hasIdle(target: SocketTarget): boolean {
    return this.#idle.some(({ socket }) => socket.key === target.key && socket.alive);
  }
}

/** Ends with `work`, which never rejects, or rejects with the signal's reason as soon as it aborts. */
const untilAborted = (work: Promise<void>, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      reject(toError(signal.reason));
    };
    if (signal.aborted) {
      stop();
      return;
    }
    signal.addEventListener("abort", stop, { once: true });
    void work.then(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    });
  });
