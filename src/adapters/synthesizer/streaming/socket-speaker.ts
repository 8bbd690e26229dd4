import { millisecondsOf, type AudioFormat } from "../../../model/audio.ts";
import type { AdapterDeps } from "../../../ports/descriptor.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import type { WordTiming } from "../../../ports/synthesizer.ts";
import { Arrivals } from "./arrivals.ts";
import type { PieceChunk, PieceSpeaker, VendorVoice } from "./piece-speaker.ts";
import { SocketPool, type Lease } from "./socket-pool.ts";
import type { SocketTarget } from "./vendor-socket.ts";

/** One piece of text that a vendor is asked to speak. */
export type Utterance = {
  /** Unique in this process; vendors that take ids get this one. */
  readonly id: string;
  readonly text: string;
  readonly voice: VendorVoice;
  readonly format: AudioFormat;
  /** Length of the sound that came so far, in milliseconds. */
  soundMs: number;
  /** It was told to stop. */
  cancelled: boolean;
};

/** What a vendor's message says about the utterance under way; nothing that is known: ignored. */
export type Said = Readonly<{
  audio?: Uint8Array;
  /** Counted from the utterance's beginning. */
  words?: readonly WordTiming[];
  /** The utterance is complete, or its cancelling has taken effect. */
  done?: true;
  error?: ProviderError;
}>;

/** A vendor's protocol. */
export interface Wire {
  readonly name: string;
  target(voice: VendorVoice, format: AudioFormat): SocketTarget;
  /** What to send for an utterance. */
  speak(utterance: Utterance): readonly string[];
  /** What stops an utterance; absent where only the end of the connection does. */
  cancel?(utterance: Utterance): readonly string[];
  /** @throws {ProviderError} for what is not of this protocol. */
  read(message: string | Uint8Array, utterance: Utterance): Said;
  /** Utterances that one connection may carry in a minute; absent: any number. */
  readonly perMinute?: number;
}

/** A vendor that owes sound and sends nothing for this long has failed; callers look for another voice long before. */
const STALLED_MS = 5000;

/** How long a vendor may take to confirm that it stopped, before its connection is given up. */
const CANCEL_MS = 1000;

const MINUTE_MS = 60_000;

/** Speaks pieces over a vendor's websocket: one at a time on each connection, which is kept for the next. */
export class SocketSpeaker implements PieceSpeaker {
  readonly #wire: Wire;
  readonly #deps: Pick<AdapterDeps, "clock" | "random">;
  readonly #pool: SocketPool;
  /** When each connection was used in the last minute. */
  readonly #uses = new WeakMap<Lease["socket"], readonly number[]>();

  constructor(wire: Wire, deps: Pick<AdapterDeps, "clock" | "random">) {
    this.#wire = wire;
    this.#deps = deps;
    this.#pool = new SocketPool(wire.name, deps.clock);
  }

  /** Connections that lie ready. */
  get idle(): number {
    return this.#pool.idle;
  }

  async *speak(
    text: string,
    voice: VendorVoice,
    format: AudioFormat,
    signal: AbortSignal,
  ): AsyncGenerator<PieceChunk, void, undefined> {
    for (let fresh = false; ; fresh = true) {
      const utterance: Utterance = { id: this.#deps.random.id(), text, voice, format, soundMs: 0, cancelled: false };
      const lease = await this.#lease(voice, format, signal, fresh).catch((error: unknown) => {
        if (signal.aborted) return undefined;
        throw error;
      });
      if (lease === undefined) return;
      if (signal.aborted) {
        this.#giveBack(lease);
        return;
      }
      try {
        yield* this.#speakOn(lease, utterance, signal);
        return;
      } catch (error) {
        // A connection that lay idle may have been gone already; nothing of the piece was heard, so it is asked for anew.
        const again = lease.reused && !fresh && utterance.soundMs === 0 && isLoss(error) && !this.#pool.closed.aborted;
        if (!again) throw error;
      }
    }
  }

  warm(voice: VendorVoice, format: AudioFormat): void {
    this.#pool.warm(this.#wire.target(voice, format));
  }

  close(): Promise<void> {
    this.#pool.close();
    return Promise.resolve();
  }

  async #lease(voice: VendorVoice, format: AudioFormat, signal: AbortSignal, fresh: boolean): Promise<Lease> {
    const now = this.#deps.clock.monotonic();
    const lease = await this.#pool.lease(this.#wire.target(voice, format), signal, fresh);
    this.#uses.set(lease.socket, [...this.#lately(lease), now]);
    // The one that will be used next is opened while this one speaks.
    if (this.#isSpent(lease)) this.#pool.warm(lease.target);
    return lease;
  }

  #lately({ socket }: Lease): readonly number[] {
    const now = this.#deps.clock.monotonic();
    return (this.#uses.get(socket) ?? []).filter((at) => at > now - MINUTE_MS);
  }

  /** Whether a connection has been used for as much as the vendor takes in a minute. */
  #isSpent(lease: Lease): boolean {
    return this.#lately(lease).length >= (this.#wire.perMinute ?? Infinity);
  }

  /** For the next piece, if there may be one over it. */
  #giveBack(lease: Lease): void {
    if (this.#isSpent(lease)) this.#pool.discard(lease);
    else this.#pool.release(lease);
  }

  async *#speakOn(
    lease: Lease,
    utterance: Utterance,
    signal: AbortSignal,
  ): AsyncGenerator<PieceChunk, void, undefined> {
    const { socket } = lease;
    const arrivals = new Arrivals<PieceChunk>(socket);
    const stop = () => {
      arrivals.finish();
    };
    const closed = () => {
      arrivals.fail(new ProviderError(this.#wire.name, "unavailable", "is closed"));
    };
    signal.addEventListener("abort", stop, { once: true });
    this.#pool.closed.addEventListener("abort", closed, { once: true });
    const heard = this.#hear(lease, utterance, arrivals);
    let failed = false;
    try {
      for (const message of this.#wire.speak(utterance)) socket.send(message);
      for await (const chunk of arrivals.read()) {
        if (signal.aborted) return;
        yield chunk;
      }
    } catch (error) {
      failed = true;
      throw error;
    } finally {
      signal.removeEventListener("abort", stop);
      this.#pool.closed.removeEventListener("abort", closed);
      heard.stop();
      socket.resume();
      if (failed) this.#pool.discard(lease);
      else if (heard.done) this.#giveBack(lease);
      else this.#cancel(lease, utterance);
    }
  }

  /** Listens to what comes for an utterance, and watches that something does. */
  #hear({ socket }: Lease, utterance: Utterance, arrivals: Arrivals<PieceChunk>) {
    const { clock } = this.#deps;
    const state = { done: false, stop: () => watch.cancel() };
    const stalled = () => {
      // While we hold the vendor back ourselves, its silence says nothing.
      if (arrivals.paused) watch = clock.setTimer(STALLED_MS, stalled);
      else arrivals.fail(new ProviderError(this.#wire.name, "timeout", `sent nothing for ${STALLED_MS} ms`));
    };
    let watch = clock.setTimer(STALLED_MS, stalled);
    socket.listen({
      message: (data) => {
        watch.cancel();
        const said = this.#read(data, utterance);
        if (said.error !== undefined) {
          arrivals.fail(said.error);
          return;
        }
        const { audio = EMPTY, words } = said;
        utterance.soundMs += millisecondsOf(utterance.format, audio.length);
        if (audio.length > 0 || words !== undefined)
          arrivals.push(words === undefined ? { audio } : { audio, words }, audio.length);
        if (said.done === true) {
          state.done = true;
          arrivals.finish();
        } else watch = clock.setTimer(STALLED_MS, stalled);
      },
      lost: (error) => {
        watch.cancel();
        arrivals.fail(error);
      },
    });
    return state;
  }

  #read(data: string | Uint8Array, utterance: Utterance): Said {
    try {
      return this.#wire.read(data, utterance);
    } catch (error) {
      return { error: error instanceof ProviderError ? error : garbled(this.#wire.name, error) };
    }
  }

  /** Stops an utterance at the vendor; its connection is used again once the vendor says so, and otherwise replaced. */
  #cancel(lease: Lease, utterance: Utterance): void {
    utterance.cancelled = true;
    const messages = this.#wire.cancel?.(utterance);
    if (messages === undefined) {
      this.#pool.discard(lease);
      this.#pool.warm(lease.target);
      return;
    }
    const { closed } = this.#pool;
    const over = (how: "giveBack" | "discard") => {
      timer.cancel();
      closed.removeEventListener("abort", drop);
      lease.socket.listen(undefined);
      if (how === "giveBack") this.#giveBack(lease);
      else {
        this.#pool.discard(lease);
        this.#pool.warm(lease.target);
      }
    };
    const drop = () => {
      over("discard");
    };
    const timer = this.#deps.clock.setTimer(CANCEL_MS, drop);
    closed.addEventListener("abort", drop, { once: true });
    lease.socket.listen({
      message: (data) => {
        const said = this.#read(data, utterance);
        if (said.error !== undefined) over("discard");
        else if (said.done === true) over("giveBack");
      },
      lost: drop,
    });
    for (const message of messages) lease.socket.send(message);
  }
}

const EMPTY = new Uint8Array(0);

const isLoss = (error: unknown): boolean => error instanceof ProviderError && error.kind === "unavailable";

const garbled = (provider: string, cause: unknown): ProviderError =>
  new ProviderError(provider, "unavailable", "sent something that is not of its protocol", cause);
