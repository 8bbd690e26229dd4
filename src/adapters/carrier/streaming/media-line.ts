import { Converter } from "../../../audio/convert.ts";
import { LineReports } from "../../../kit/line-reports.ts";
import { SOUND_LOST_MS, SilenceWatch } from "../../../kit/silence-watch.ts";
import { millisecondsOf, sameFormat, type AudioFormat } from "../../../model/audio.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Logger } from "../../../ports/logger.ts";
import type { MediaSocket } from "../../../ports/media-socket.ts";
import type { Metrics } from "../../../ports/metrics.ts";
import type { LineEnd, LineListener, Transport } from "../../../ports/transport.ts";
import { ArrivalTimeline } from "./arrival-timeline.ts";
import { ChunkOrder } from "./chunk-order.ts";
import type { Dialect, StreamEvent } from "./dialect.ts";

export type MediaLineDeps = Readonly<{ clock: Clock; logger: Logger; metrics: Metrics }>;

/** A media socket whose peer does not speak the protocol. */
export class BrokenHandshake extends Error {
  override readonly name = "BrokenHandshake";
}

/**
 * Our side of a carrier's media socket, up to the moment when the carrier has started the stream. Rejects with
 * {@link BrokenHandshake} when the peer goes away, says something else, or `signal` aborts; the socket is closed then.
 */
export const acceptMediaLine = (
  socket: MediaSocket,
  dialect: Dialect,
  deps: MediaLineDeps,
  signal: AbortSignal,
): Promise<Transport> => new MediaLine(socket, dialect, deps).handshake(signal);

/**
 * A line over one media socket, in any carrier's dialect.
 *
 *   new ──start──► open ──stop, socket closed where there is no stop ──► gone (hung-up)
 *    │              ├─── close() ─────────────────────────────────────► gone (closed-by-us)
 *    │              └─── no media for 3 s, 50 malformed messages, much unread, socket broken ─► gone (lost)
 *    └── anything else ► rejected
 */
class MediaLine implements Transport {
  readonly queue = "far-end";
  readonly #socket: MediaSocket;
  readonly #dialect: Dialect;
  readonly #deps: MediaLineDeps;
  readonly #order = new ChunkOrder(({ atMs, payload }) => this.#frame(payload, atMs));
  readonly #timeline = new ArrivalTimeline();
  #state: "new" | "open" | "gone" = "new";
  #format: AudioFormat = { encoding: "mulaw", sampleRate: 8000 };
  #incoming: AudioFormat = this.#format;
  /** Between what comes and what the line speaks, where they differ. */
  #converter: Converter | undefined;
  #callId: string | undefined;
  readonly #reports = new LineReports(MOST_HELD);
  readonly #watch: SilenceWatch;
  /** Marks under way, oldest first. On the wire each has a number, so that one that a `clear` overtook is known when it comes back. */
  #marks: { id: string; name: string }[] = [];
  #lastMark = 0;
  #malformed = 0;
  #lastMediaAt = 0;
  #settle: { resolve(transport: Transport): void; reject(error: Error): void } | undefined;

  constructor(socket: MediaSocket, dialect: Dialect, deps: MediaLineDeps) {
    this.#socket = socket;
    this.#dialect = dialect;
    this.#deps = deps;
    this.#watch = new SilenceWatch(
      deps.clock,
      () => this.#lastMediaAt + SOUND_LOST_MS,
      () => this.#lose("no media came for 3 s", 1008),
    );
  }

  get format(): AudioFormat {
    return this.#format;
  }

  get carrierCallId(): string | undefined {
    return this.#callId;
  }

  get bufferedAmount(): number {
    return this.#socket.bufferedAmount;
  }

  handshake(signal: AbortSignal): Promise<Transport> {
    return new Promise((resolve, reject) => {
      const onAbort = () => this.#refuse("the stream did not start in time");
      const done = () => signal.removeEventListener("abort", onAbort);
      this.#settle = {
        resolve: (transport) => {
          done();
          resolve(transport);
        },
        reject: (error) => {
          done();
          reject(error);
        },
      };
      signal.addEventListener("abort", onAbort, { once: true });
      this.#socket.listen({ message: (data) => this.#read(data), closed: (code) => this.#closed(code) });
      if (signal.aborted) onAbort();
    });
  }

  listen(listener: LineListener): void {
    this.#reports.listen(listener);
  }

  send(payload: Uint8Array): void {
    if (this.#state !== "open" || payload.length === 0) return;
    if (this.#socket.bufferedAmount > MOST_UNREAD_BYTES) {
      this.#deps.metrics.framesDropped("out", Math.ceil(millisecondsOf(this.format, payload.length) / 20));
      this.#lose("the carrier does not read its media socket", 1013);
      return;
    }
    for (const message of this.#dialect.sound(payload)) this.#socket.send(message);
  }

  mark(name: string): void {
    if (this.#state !== "open") return;
    if (this.#marks.length >= MOST_MARKS) {
      this.#lose("the carrier sends no marks back", 1008);
      return;
    }
    this.#lastMark += 1;
    const id = String(this.#lastMark);
    this.#marks.push({ id, name });
    for (const message of this.#dialect.mark(id)) this.#socket.send(message);
  }

  clear(): void {
    if (this.#state !== "open") return;
    this.#marks = [];
    this.#socket.send(this.#dialect.clear());
  }

  close(): void {
    if (this.#state === "new") this.#refuse("the line was closed");
    else this.#end("closed-by-us", 1000, "");
  }

  #read(data: string | Uint8Array): void {
    if (this.#state === "gone") return;
    const message = this.#dialect.read(data);
    if (message === undefined) {
      this.#malformed += 1;
      if (this.#malformed > MOST_MALFORMED) this.#lose("the carrier sends malformed messages", 1008);
    } else if (this.#state === "new") this.#start(message);
    else this.#take(message);
  }

  #start(message: StreamEvent): void {
    if (message.event === "stop") this.#refuse("the stream stopped before it started");
    if (message.event === "refused") this.#refuse(message.why);
    if (message.event !== "start") return;
    this.#state = "open";
    this.#callId = message.callId;
    this.#incoming = message.format;
    this.#format = this.#dialect.format(message.format);
    if (!sameFormat(this.#incoming, this.#format)) this.#converter = new Converter(this.#incoming, this.#format);
    this.#lastMediaAt = this.#deps.clock.monotonic();
    this.#watch.start();
    this.#settle?.resolve(this);
  }

  #take(message: StreamEvent): void {
    switch (message.event) {
      case "sound":
        this.#takeSound(message.chunk, message.atMs, message.payload);
        break;
      case "digit":
        this.#reports.digit(message.digit);
        break;
      case "mark":
        this.#takeMark(message.name);
        break;
      case "stop":
        this.#order.flush();
        this.#end("hung-up", 1000, "");
        break;
      case "refused":
        this.#lose(message.why, 1008);
        break;
      case "complaint":
        this.#deps.logger.warn("the carrier complains about the media stream", { code: message.code });
        break;
      case "start":
      case "other":
        break;
    }
  }

  #takeSound(chunk: number | undefined, atMs: number | undefined, payload: Uint8Array): void {
    const now = this.#deps.clock.monotonic();
    this.#lastMediaAt = now;
    if (payload.length === 0) return;
    if (atMs === undefined) {
      this.#frame(payload, this.#timeline.place(now, millisecondsOf(this.#incoming, payload.length)));
    } else if (chunk === undefined) this.#frame(payload, atMs);
    else this.#order.take({ chunk, atMs, payload });
  }

  #frame(received: Uint8Array, atMs: number): void {
    this.#reports.frame({ payload: this.#converter?.convert(received) ?? received, atMs });
  }

  /** A mark that has been played proves the same of every mark before it, also of one whose answer was lost. */
  #takeMark(id: string): void {
    const index = this.#marks.findIndex((mark) => mark.id === id);
    for (const { name } of this.#marks.splice(0, index + 1)) this.#reports.mark(name);
  }

  #closed(code: number | undefined): void {
    if (this.#state === "new") this.#refuse("the socket was closed before the stream started");
    else {
      this.#order.flush();
      this.#end(code === BROKEN ? "lost" : this.#dialect.onClose, 1000, "");
    }
  }

  #lose(reason: string, code: number): void {
    if (this.#state === "new") {
      this.#refuse(reason);
      return;
    }
    if (this.#state === "open") this.#deps.logger.warn("media line lost", { reason });
    this.#end("lost", code, reason);
  }

  #end(why: LineEnd, code: number, reason: string): void {
    if (this.#state === "gone") return;
    this.#state = "gone";
    this.#watch.stop();
    this.#converter?.close();
    this.#converter = undefined;
    this.#marks = [];
    this.#socket.close(code, reason);
    this.#reports.gone(why);
  }

  #refuse(reason: string): void {
    if (this.#state !== "new") return;
    this.#state = "gone";
    this.#socket.close(1008, reason);
    this.#settle?.reject(new BrokenHandshake(`media stream refused: ${reason}`));
  }
}

const MOST_MALFORMED = 50;

/** What happens before `listen` is kept: a second of it, the oldest lost first. */
const MOST_HELD = 50;

/** RFC 6455, section 7.1.5: the connection ended without a word. */
const BROKEN = 1006;

/** Two marks a second for eight minutes without an answer: the carrier knows none. */
const MOST_MARKS = 1000;

/** Two seconds of 16-bit sound at 16 kHz, and of the base64 of 8-bit sound about six. */
const MOST_UNREAD_BYTES = 64 * 1024;
