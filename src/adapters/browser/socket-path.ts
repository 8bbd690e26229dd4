import { millisecondsOf } from "../../model/audio.ts";
import type { BrowserInput, BrowserOutput, ServerMessage } from "../../model/browser-protocol.ts";
import type { Clock } from "../../ports/clock.ts";
import type { MediaSocket } from "../../ports/media-socket.ts";
import type { Metrics } from "../../ports/metrics.ts";
import { BROWSER_FORMAT } from "./browser-format.ts";
import { openIncoming, type IncomingSound } from "./incoming-sound.ts";
import type { MediaPath, PathListener } from "./media-path.ts";
import { openOutgoing, type OutgoingSound } from "./outgoing-sound.ts";

export type SocketPathDeps = Readonly<{ clock: Clock; metrics: Metrics }>;

/** Sound over the browser's own socket. */
export const openSocketPath = async (
  deps: SocketPathDeps,
  socket: MediaSocket,
  formats: Readonly<{ input: BrowserInput; output: BrowserOutput }>,
  listener: PathListener,
): Promise<SocketPath> => {
  const incoming = await openIncoming(formats.input);
  const tell = (message: ServerMessage) => socket.send(JSON.stringify(message));
  const outlet = {
    sound: (message: Uint8Array) => socket.send(message),
    mark: (name: string) => tell({ type: "mark", name }),
  };
  try {
    const outgoing = await openOutgoing(formats.output, outlet, deps.clock);
    return new SocketPath({ ...deps, socket, incoming, outgoing, listener, tell });
  } catch (error) {
    incoming.close();
    throw error;
  }
};

type Parts = SocketPathDeps &
  Readonly<{
    socket: MediaSocket;
    incoming: IncomingSound;
    outgoing: OutgoingSound;
    listener: PathListener;
    tell(message: ServerMessage): void;
  }>;

/** The peer queues what it gets, plays it at real time, answers marks, and drops its queue on `clear`. */
export class SocketPath implements MediaPath {
  readonly queue = "far-end";
  readonly #parts: Parts;
  /** Marks under way, oldest first; those that a `clear` overtook are forgotten. */
  #marks: string[] = [];
  #firstAt: number | undefined;
  #soundMs = 0;
  #closed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get bufferedAmount(): number {
    return this.#parts.socket.bufferedAmount;
  }

  send(payload: Uint8Array): void {
    if (this.#closed) return;
    if (this.#parts.socket.bufferedAmount <= MOST_UNREAD_BYTES) this.#parts.outgoing.send(payload);
    else this.#parts.metrics.framesDropped("out", Math.ceil(millisecondsOf(BROWSER_FORMAT, payload.length) / 20));
  }

  mark(name: string): void {
    if (this.#closed) return;
    this.#marks.push(name);
    // A browser that answers none is believed by time alone.
    if (this.#marks.length > MOST_MARKS) this.#marks.shift();
    this.#parts.outgoing.mark(name);
  }

  clear(): void {
    if (this.#closed) return;
    this.#marks = [];
    this.#parts.outgoing.clear();
    this.#parts.tell({ type: "clear" });
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#parts.incoming.close();
    this.#parts.outgoing.close();
  }

  /** A binary message of the peer. */
  take(message: Uint8Array): void {
    if (this.#closed) return;
    const { clock, incoming, listener, metrics } = this.#parts;
    let frames;
    try {
      frames = incoming.take(message);
    } catch {
      listener.lost();
      return;
    }
    for (const frame of frames) {
      const lengthMs = millisecondsOf(BROWSER_FORMAT, frame.payload.length);
      this.#firstAt ??= clock.monotonic() - lengthMs;
      const aheadMs = this.#soundMs + lengthMs - (clock.monotonic() - this.#firstAt);
      if (aheadMs > MOST_AHEAD_MS) {
        metrics.framesDropped("in", 1);
        continue;
      }
      // Time that passed without sound is no credit for sending faster later.
      this.#soundMs += lengthMs + Math.max(0, -aheadMs - MOST_AHEAD_MS);
      listener.frame(frame);
    }
  }

  /** The peer has played everything before this mark, and so before every mark that was set earlier. */
  played(name: string): void {
    const index = this.#marks.indexOf(name);
    for (const mark of this.#marks.splice(0, index + 1)) this.#parts.listener.mark(mark);
  }
}

/** About a second of 16-bit sound at 48 kHz. */
const MOST_UNREAD_BYTES = 128 * 1024;
const MOST_MARKS = 1000;

/** Sound that comes faster than it can have been spoken is dropped beyond this; in milliseconds. */
const MOST_AHEAD_MS = 3000;
