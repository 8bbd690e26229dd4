import { toError } from "../../kit/errors.ts";
import type { BrowserInput, BrowserOutput, IceCandidate, ServerMessage } from "../../model/browser-protocol.ts";
import type { BrowserPeer, BrowserPeers } from "../../ports/browser-peer.ts";
import type { Logger } from "../../ports/logger.ts";
import type { MediaSocket } from "../../ports/media-socket.ts";
import type { BrowserLine } from "./browser-line.ts";
import type { MediaPath } from "./media-path.ts";
import { PeerPath } from "./peer-path.ts";
import { openSocketPath, type SocketPath, type SocketPathDeps } from "./socket-path.ts";

export type SessionMediaDeps = SocketPathDeps &
  Readonly<{ logger: Logger; /** Absent where this deployment has no WebRTC. */ peers?: BrowserPeers | undefined }>;

type Parts = SessionMediaDeps &
  Readonly<{
    dialId: string;
    line(): BrowserLine;
    tell(message: ServerMessage): void;
    /** Sound travels by a path. */
    up(): void;
    /** The path in use is of no use any more. */
    lost(): void;
  }>;

/** A page whose WebRTC session finds more addresses than this has lost its way. */
const MOST_CANDIDATES = 64;

/** How the sound of one session travels. The newest wish of the browser counts; what an older one comes to is thrown away. */
export class SessionMedia {
  readonly #parts: Parts;
  #wish = 0;
  #socketPath: SocketPath | undefined;
  #negotiating: AbortController | undefined;
  #peer: BrowserPeer | undefined;
  #candidates: IceCandidate[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Sound over this socket; never rejects. */
  async start(socket: MediaSocket, formats: Readonly<{ input: BrowserInput; output: BrowserOutput }>): Promise<void> {
    const wish = this.#next();
    let path: SocketPath | undefined;
    const listener = this.#parts.line().listenerFor(
      () => path,
      () => this.#parts.lost(),
    );
    try {
      path = await openSocketPath(this.#parts, socket, formats, listener);
    } catch (error) {
      this.#failed(wish, error);
      return;
    }
    if (wish !== this.#wish) {
      path.close();
      return;
    }
    this.#socketPath = path;
    this.#parts.tell({ type: "started", input: formats.input, output: formats.output });
    this.#use(path);
  }

  /** Sound by WebRTC, once it is connected; never rejects. */
  async negotiate(offer: string): Promise<void> {
    const wish = this.#next();
    const negotiating = new AbortController();
    this.#negotiating = negotiating;
    try {
      const tell = (candidate: IceCandidate) => {
        if (wish === this.#wish) this.#parts.tell({ type: "candidate", candidate });
      };
      if (this.#parts.peers === undefined) throw new Error("this deployment has no WebRTC");
      const peer = await this.#parts.peers.answer(offer, tell, negotiating.signal);
      if (wish !== this.#wish) {
        peer.transport.close();
        peer.connected.catch(() => undefined);
        return;
      }
      this.#peer = peer;
      for (const candidate of this.#candidates.splice(0)) peer.addCandidate(candidate);
      this.#parts.tell({ type: "answer", sdp: peer.answer });
      await peer.connected;
      if (wish !== this.#wish) {
        peer.transport.close();
        return;
      }
      // A peer may tell what it holds already while the path is being made.
      const made: { path?: MediaPath } = {};
      const listener = this.#parts.line().listenerFor(
        () => made.path,
        () => this.#parts.lost(),
      );
      made.path = new PeerPath(peer.transport, listener);
      this.#use(made.path);
    } catch (error) {
      this.#failed(wish, error);
    }
  }

  /** Whether sound travels over the browser's socket. */
  get overSocket(): boolean {
    return this.#socketPath !== undefined;
  }

  candidate(candidate: IceCandidate): void {
    if (this.#peer !== undefined) this.#peer.addCandidate(candidate);
    else if (this.#candidates.length < MOST_CANDIDATES) this.#candidates.push(candidate);
  }

  /** Sound that came in on the socket. */
  take(message: Uint8Array): void {
    this.#socketPath?.take(message);
  }

  played(mark: string): void {
    this.#socketPath?.played(mark);
  }

  /** The socket is gone: sound over it is too, while WebRTC may go on. */
  socketGone(): void {
    if (this.#socketPath === undefined) return;
    this.#socketPath = undefined;
    this.#parts.line().use(undefined);
  }

  close(): void {
    this.#next();
  }

  #next(): number {
    this.#wish += 1;
    this.#negotiating?.abort();
    this.#negotiating = undefined;
    this.#peer = undefined;
    this.#candidates = [];
    return this.#wish;
  }

  #use(path: MediaPath): void {
    if (path !== this.#socketPath) this.#socketPath = undefined;
    this.#parts.line().use(path);
    this.#parts.up();
  }

  #failed(wish: number, error: unknown): void {
    this.#parts.logger.info("a browser's sound could not be connected", {
      dialId: this.#parts.dialId,
      error: toError(error),
    });
    if (wish !== this.#wish) return;
    this.#parts.tell({
      type: "error",
      code: "media_failed",
      message: "The sound could not be connected in this way. Send another offer, or start to use the socket.",
    });
  }
}
