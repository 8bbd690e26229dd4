import { millisecondsOf, type AudioFormat } from "../../../model/audio.ts";
import type { Clock, Timer } from "../../../ports/clock.ts";
import type { Logger } from "../../../ports/logger.ts";
import type { MediaSocket } from "../../../ports/media-socket.ts";
import type { Metrics } from "../../../ports/metrics.ts";
import type { LineEnd, LineListener, Transport } from "../../../ports/transport.ts";
import { readStreamMessage, type StreamMessage } from "./stream-message.ts";

export type MediaStreamDeps = Readonly<{ clock: Clock; logger: Logger; metrics: Metrics }>;

/**
 * Our side of the Twilio media-stream protocol, up to the moment when the carrier has said which call this is. Rejects when the
 * peer goes away, says something else, or `signal` aborts; the socket is closed then.
 */
export const acceptMediaStream = (
  socket: MediaSocket,
  deps: MediaStreamDeps,
  signal: AbortSignal,
): Promise<Transport> => {
  const stream = new MediaStream(socket, deps);
  return stream.handshake(signal);
};

/** A media socket whose peer does not speak the protocol. */
export class BrokenHandshake extends Error {
  override readonly name = "BrokenHandshake";
}

type Held = (listener: LineListener) => void;

/**
 * A line over one media socket.
 *
 *   new ──start──► open ──stop──────────────► gone (hung-up)
 *    │              ├─── close() ───────────► gone (closed-by-us)
 *    │              └─── socket closed, no media for 3 s, 50 malformed messages, 64 kB unread ─► gone (lost)
 *    └── anything else ► rejected
 */
class MediaStream implements Transport {
  readonly format: AudioFormat = MULAW_8K;
  readonly queue = "far-end";
  readonly #socket: MediaSocket;
  readonly #deps: MediaStreamDeps;
  #state: "new" | "open" | "gone" = "new";
  #callSid: string | undefined;
  #streamSid = "";
  #mediaPrefix = "";
  #listener: LineListener | undefined;
  /** What happened before `listen`: at most a second of it, the oldest lost first. */
  #held: Held[] = [];
  /** Marks under way, oldest first; those that a `clear` overtook stay until the carrier sends them back. */
  #marks: { name: string; cleared: boolean }[] = [];
  #malformed = 0;
  #lastMediaAt = 0;
  #silenceTimer: Timer | undefined;
  #settle: { resolve(transport: Transport): void; reject(error: Error): void } | undefined;

  constructor(socket: MediaSocket, deps: MediaStreamDeps) {
    this.#socket = socket;
    this.#deps = deps;
  }

  get carrierCallId(): string | undefined {
    return this.#callSid;
  }

  get bufferedAmount(): number {
    return this.#socket.bufferedAmount;
  }

  handshake(signal: AbortSignal): Promise<Transport> {
    return new Promise((resolve, reject) => {
      const onAbort = () => this.#refuse("the start message did not come in time");
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
      this.#socket.listen({
        message: (data) => this.#read(data),
        closed: () => this.#closed(),
      });
      if (signal.aborted) onAbort();
    });
  }

  listen(listener: LineListener): void {
    const held = this.#held;
    this.#held = [];
    this.#listener = listener;
    for (const event of held) event(listener);
  }

  send(payload: Uint8Array): void {
    if (this.#state !== "open" || payload.length === 0) return;
    if (this.#socket.bufferedAmount > MOST_UNREAD_BYTES) {
      this.#deps.metrics.framesDropped("out", Math.ceil(millisecondsOf(this.format, payload.length) / 20));
      this.#lose("the carrier does not read its media socket", 1013);
      return;
    }
    const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
    this.#socket.send(`${this.#mediaPrefix}${bytes.toString("base64")}"}}`);
  }

  mark(name: string): void {
    if (this.#state !== "open") return;
    if (this.#marks.length >= MOST_MARKS) {
      this.#lose("the carrier answers no marks", 1008);
      return;
    }
    this.#marks.push({ name, cleared: false });
    this.#socket.send(JSON.stringify({ event: "mark", streamSid: this.#streamSid, mark: { name } }));
  }

  clear(): void {
    if (this.#state !== "open") return;
    for (const mark of this.#marks) mark.cleared = true;
    this.#socket.send(`{"event":"clear","streamSid":"${this.#streamSid}"}`);
  }

  close(): void {
    if (this.#state === "new") this.#refuse("the line was closed");
    else this.#end("closed-by-us", 1000, "");
  }

  #read(data: string | Uint8Array): void {
    if (this.#state === "gone") return;
    const message = typeof data === "string" ? readStreamMessage(data) : undefined;
    if (message === undefined) {
      this.#malformed += 1;
      if (this.#malformed > MOST_MALFORMED) this.#lose("the carrier sends malformed messages", 1008);
    } else if (this.#state === "new") this.#start(message);
    else this.#take(message);
  }

  #start(message: StreamMessage): void {
    if (message.event === "stop") this.#refuse("the stream stopped before it started");
    if (message.event !== "start") return;
    if (message.encoding !== "audio/x-mulaw" || message.sampleRate !== 8000 || message.channels !== 1) {
      this.#refuse("the stream is not mu-law 8000 Hz mono; leave the codec of the stream at its default");
      return;
    }
    this.#state = "open";
    this.#callSid = message.callSid;
    this.#streamSid = message.streamSid;
    this.#mediaPrefix = `{"event":"media","streamSid":"${message.streamSid}","media":{"payload":"`;
    this.#lastMediaAt = this.#deps.clock.monotonic();
    this.#watchSilence(MEDIA_LOST_MS);
    this.#settle?.resolve(this);
  }

  #take(message: StreamMessage): void {
    switch (message.event) {
      case "media":
        this.#takeMedia(message.track, message.timestampMs, message.payload);
        break;
      case "dtmf":
        this.#emit((listener) => listener.digit(message.digit));
        break;
      case "mark":
        this.#takeMark(message.name);
        break;
      case "stop":
        this.#end("hung-up", 1000, "");
        break;
      case "connected":
      case "start":
      case "unknown":
        break;
    }
  }

  #takeMedia(track: string, atMs: number, base64: string): void {
    this.#lastMediaAt = this.#deps.clock.monotonic();
    const payload = track === "inbound" ? Buffer.from(base64, "base64") : undefined;
    if (payload === undefined || payload.length === 0) return;
    const frame = { payload, atMs };
    if (this.#listener !== undefined) this.#listener.frame(frame);
    else this.#emit((listener) => listener.frame(frame));
  }

  /** A mark that has been played proves the same of every mark before it, also of one whose answer was lost. */
  #takeMark(name: string): void {
    const index = this.#marks.findIndex((mark) => mark.name === name);
    for (const mark of this.#marks.splice(0, index + 1))
      if (!mark.cleared) this.#emit((listener) => listener.mark(mark.name));
  }

  #emit(event: Held): void {
    if (this.#listener !== undefined) event(this.#listener);
    else {
      this.#held.push(event);
      if (this.#held.length > MOST_HELD) this.#held.shift();
    }
  }

  /** One timer per line looks every so often whether media still comes; setting one per frame would cost more than the frame. */
  #watchSilence(ms: number): void {
    this.#silenceTimer = this.#deps.clock.setTimer(ms, () => {
      const silentMs = this.#deps.clock.monotonic() - this.#lastMediaAt;
      if (silentMs >= MEDIA_LOST_MS) this.#lose("no media came for 3 s", 1008);
      else this.#watchSilence(MEDIA_LOST_MS - silentMs);
    });
  }

  #closed(): void {
    if (this.#state === "new") this.#refuse("the socket was closed before the stream started");
    else this.#end("lost", 1000, "");
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
    this.#silenceTimer?.cancel();
    this.#marks = [];
    this.#socket.close(code, reason);
    this.#emit((listener) => listener.gone(why));
  }

  #refuse(reason: string): void {
    if (this.#state !== "new") return;
    this.#state = "gone";
    this.#socket.close(1008, reason);
    this.#settle?.reject(new BrokenHandshake(`media stream refused: ${reason}`));
  }
}

const MULAW_8K: AudioFormat = Object.freeze({ encoding: "mulaw", sampleRate: 8000 });

/** A live call sends 50 frames a second without a break; the longest gaps seen with carriers are half a second. */
const MEDIA_LOST_MS = 3000;
const MOST_MALFORMED = 50;
const MOST_HELD = 50;

/** Two marks a second for eight minutes without an answer: the carrier knows none. */
const MOST_MARKS = 1000;

/** 64 kB of base64 in JSON are about six seconds of sound. */
const MOST_UNREAD_BYTES = 64 * 1024;
