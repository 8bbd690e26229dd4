import { sameFormat, millisecondsOf, type AudioFormat } from "../model/audio.ts";
import type { Clock, Timer } from "../ports/clock.ts";
import type { LineEnd, LineListener, Transport } from "../ports/transport.ts";

export type ResumableLineParts = Readonly<{
  clock: Clock;
  first: Transport;
  /** Whether the far end may come back though its stream ended in order: somebody tries to connect it elsewhere. */
  mayReturn(): boolean;
}>;

/** How long a broken line may take to come back, in milliseconds. */
export const RESUME_MS = 10_000;

type Unsent = Readonly<{ payload: Uint8Array } | { mark: string }>;

/**
 * A line that outlives its media socket. When the socket breaks, what is said meanwhile waits for the next one, and so do the marks
 * that were under way; what the far end had queued is lost with it. Frames keep one timeline.
 *
 *   there ──broken──► away ──resume()──► there
 *     │                └── 10 s ───────► gone (lost)
 *     └── hung up, closed ─────────────► gone
 */
export class ResumableLine implements Transport {
  readonly format: AudioFormat;
  readonly queue: Transport["queue"];
  readonly carrierCallId: string | undefined;
  readonly #parts: ResumableLineParts;
  #inner: Transport;
  #listener: LineListener | undefined;
  #state: "there" | "away" | "gone" = "there";
  #timer: Timer | undefined;
  /** Sent to the far end and not known to have been played, oldest first. */
  #marks: string[] = [];
  #unsent: Unsent[] = [];
  #unsentMs = 0;
  /** Where the last frame ended on the line's timeline, and when it came. */
  #lastAtMs = 0;
  #lastCame: number;
  /** What is added to the times of the present socket; found out by its first frame. */
  #offsetMs: number | undefined = 0;

  constructor(parts: ResumableLineParts) {
    this.#parts = parts;
    this.#inner = parts.first;
    this.format = parts.first.format;
    this.queue = parts.first.queue;
    this.carrierCallId = parts.first.carrierCallId;
    this.#lastCame = parts.clock.monotonic();
  }

  get bufferedAmount(): number {
    return this.#inner.bufferedAmount;
  }

  listen(listener: LineListener): void {
    this.#listener = listener;
    this.#attach(this.#inner);
  }

  /** A new socket of the same call. False: it cannot go on from here, and is not taken. */
  resume(line: Transport): boolean {
    if (this.#state === "gone" || this.#listener === undefined || !sameFormat(line.format, this.format)) return false;
    this.#timer?.cancel();
    const before = this.#inner;
    this.#inner = line;
    this.#state = "there";
    this.#offsetMs = undefined;
    before.close();
    const unsent = this.#unsent;
    this.#forgetUnsent();
    for (const mark of this.#marks) line.mark(mark);
    this.#attach(line);
    for (const one of unsent) {
      if ("mark" in one) this.mark(one.mark);
      else this.send(one.payload);
    }
    return true;
  }

  send(payload: Uint8Array): void {
    if (this.#state === "there") this.#inner.send(payload);
    else if (this.#state === "away" && this.#unsentMs < RESUME_MS) {
      this.#unsent.push({ payload });
      this.#unsentMs += millisecondsOf(this.format, payload.length);
    }
  }

  mark(name: string): void {
    if (this.#state === "there") {
      this.#marks.push(name);
      this.#inner.mark(name);
    } else if (this.#state === "away") this.#unsent.push({ mark: name });
  }

  clear(): void {
    this.#marks = [];
    this.#forgetUnsent();
    if (this.#state === "there") this.#inner.clear();
  }

  close(): void {
    if (this.#state === "gone") return;
    if (this.#state === "there") this.#inner.close();
    else this.#end("closed-by-us");
  }

  #attach(line: Transport): void {
    const current = (act: () => void) => {
      if (this.#inner === line && this.#state !== "gone") act();
    };
    line.listen({
      frame: (frame) => current(() => this.#frame(frame)),
      digit: (digit) => current(() => this.#listener?.digit(digit)),
      mark: (name) => current(() => this.#mark(name)),
      gone: (why) => current(() => this.#gone(why)),
    });
  }

  #frame(frame: Parameters<LineListener["frame"]>[0]): void {
    const now = this.#parts.clock.monotonic();
    this.#offsetMs ??= this.#lastAtMs + (now - this.#lastCame) - frame.atMs;
    const atMs = frame.atMs + this.#offsetMs;
    this.#lastAtMs = atMs;
    this.#lastCame = now;
    this.#listener?.frame(this.#offsetMs === 0 ? frame : { payload: frame.payload, atMs });
  }

  #mark(name: string): void {
    const index = this.#marks.indexOf(name);
    if (index === -1) return;
    this.#marks.splice(index, 1);
    this.#listener?.mark(name);
  }

  #gone(why: LineEnd): void {
    if (why === "lost" || (why === "hung-up" && this.#parts.mayReturn())) {
      this.#state = "away";
      this.#wait(why);
    } else this.#end(why);
  }

  #wait(why: LineEnd): void {
    this.#timer = this.#parts.clock.setTimer(RESUME_MS, () => {
      if (this.#parts.mayReturn()) this.#wait(why);
      else this.#end(why);
    });
  }

  #end(why: LineEnd): void {
    this.#state = "gone";
    this.#timer?.cancel();
    this.#forgetUnsent();
    this.#marks = [];
    this.#listener?.gone(why);
  }

  #forgetUnsent(): void {
    this.#unsent = [];
    this.#unsentMs = 0;
  }
}
