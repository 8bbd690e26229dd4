import type { LiveEvent } from "../client/operations.ts";
import { after, now } from "./page-time.ts";

/** What the service says on the socket, as far as a call needs it. */
export type ServiceMessage =
  | LiveEvent
  | Readonly<{ type: "ready"; dialId: string; resumed: boolean }>
  | Readonly<{ type: "started" }>
  | Readonly<{ type: "answer"; sdp: string }>
  | Readonly<{ type: "candidate"; candidate: RTCIceCandidateInit }>
  | Readonly<{ type: "mark"; name: string }>
  | Readonly<{ type: "clear" }>
  | Readonly<{ type: "error"; code: string; message: string; retryAfterMs?: number }>
  | Readonly<{ type: "bye"; status: string; systemResultType: string | null }>;

export type CallSocketParts = Readonly<{
  url: string;
  token: string;
  message(message: ServiceMessage): void;
  sound(message: ArrayBuffer): void;
  /** The connection broke and is being made anew. */
  broken(): void;
  /** There is no connection any more, and will be none. */
  gone(why: "closed" | "refused" | "unreachable"): void;
}>;

/** As long as the service keeps a call whose socket broke. */
const RETRY_FOR_MS = 10_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2000;

/** More than this, and sound is dropped rather than sent late; in bytes. */
const MOST_UNSENT = 64 * 1024;

/** Codes of `error` after which the same request may be granted a moment later. */
const PASSING: ReadonlySet<string> = new Set(["busy", "unavailable"]);

/** The socket of a call: brings the token, and comes back for some seconds when the network breaks. */
export class CallSocket {
  readonly #parts: CallSocketParts;
  #socket: WebSocket | undefined;
  #open = false;
  #closed = false;
  #wasReady = false;
  #brokenAt: number | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #refusal: string | undefined;
  #stopWaiting: (() => void) | undefined;

  constructor(parts: CallSocketParts) {
    this.#parts = parts;
  }

  connect(): void {
    const socket = new WebSocket(this.#parts.url, "call-engine.v1");
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    this.#refusal = undefined;
    socket.onopen = () => {
      this.#open = true;
      socket.send(JSON.stringify({ type: "auth", token: this.#parts.token }));
    };
    socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (typeof data === "string") this.#read(data);
      else this.#parts.sound(data);
    };
    socket.onclose = ({ code }) => {
      this.#open = false;
      if (this.#socket === socket) this.#lost(code);
    };
  }

  send(message: Readonly<Record<string, unknown>>): void {
    if (this.#open) this.#socket?.send(JSON.stringify(message));
  }

  sendSound(message: ArrayBuffer): void {
    if (this.#open && (this.#socket?.bufferedAmount ?? 0) < MOST_UNSENT) this.#socket?.send(message);
  }

  close(): void {
    this.#closed = true;
    this.#stopWaiting?.();
    this.#socket?.close(1000);
    this.#socket = undefined;
  }

  #read(text: string): void {
    const message = JSON.parse(text) as ServiceMessage;
    if (message.type === "ready") {
      this.#wasReady = true;
      this.#brokenAt = undefined;
      this.#pauseMs = FIRST_PAUSE_MS;
    }
    if (message.type === "error") {
      this.#refusal = message.code;
      if (this.#mayTryAgain()) return;
    }
    this.#parts.message(message);
  }

  #lost(code: number): void {
    if (this.#closed) return;
    if (code === 1000) this.#give("closed");
    else if (this.#mayTryAgain()) {
      this.#brokenAt ??= now();
      if (this.#wasReady) this.#parts.broken();
      this.#stopWaiting = after(this.#pauseMs, () => {
        this.connect();
      });
      this.#pauseMs = Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS);
    } else this.#give(this.#refusal === undefined ? "unreachable" : "refused");
  }

  #mayTryAgain(): boolean {
    const refused = this.#refusal !== undefined && !PASSING.has(this.#refusal) && this.#refusal !== "media_failed";
    return !refused && (this.#brokenAt === undefined || now() - this.#brokenAt < RETRY_FOR_MS);
  }

  #give(why: "closed" | "refused" | "unreachable"): void {
    this.#closed = true;
    this.#parts.gone(why);
  }
}
