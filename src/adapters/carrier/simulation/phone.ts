import { WebSocket, type RawData } from "ws";
import { deferred } from "../../../kit/deferred.ts";
import { FRAME_MS } from "../../../model/audio.ts";
import type { Clock, Timer } from "../../../ports/clock.ts";
import type { Caller, CallerMove } from "./caller.ts";
import type { PhoneDialect } from "./phone-dialect.ts";
import { PhoneSound } from "./sound.ts";

export type StreamedPhoneParts = Readonly<{
  clock: Clock;
  mediaUrl: string;
  /** Of the handshake of the media socket. */
  headers: Readonly<Record<string, string>>;
  dialect: PhoneDialect;
  caller: Caller;
  /** Whether what was heard and said can be read afterwards. */
  keepSound?: boolean;
  /** Breaks the media socket this long after it was opened, as a network does. */
  breaksAfterMs?: number | undefined;
}>;

/** Why a phone's media is over: its person hung up, it was told to end, the other side closed the socket, or there was none. */
export type StreamEnd = "hung-up" | "ended" | "closed" | "unreachable";

type Queued = Readonly<{ sound: Int16Array }> | Readonly<{ mark: string }>;

/**
 * The carrier's side of a media socket, in any dialect, with a person at its far end: speaks at 50 frames a second, plays what it is
 * sent at real time from a queue, tells marks when all before them has been played, and empties the queue on `clear`.
 */
export class StreamedPhone {
  readonly ended: Promise<StreamEnd>;
  /** Messages that the carrier would not understand; 0 with a peer that keeps to the protocol. */
  protocolErrors = 0;
  /** Samples of sound that were played. */
  playedSamples = 0;
  /** What the person heard and said. */
  readonly heard: PhoneSound;
  readonly said: PhoneSound;
  /** Monotonic time at which the media started; `undefined` before. */
  startedAt: number | undefined;
  readonly #parts: StreamedPhoneParts;
  readonly #end = deferred<StreamEnd>();
  #ws: WebSocket | undefined;
  #over = false;
  #tickTimer: Timer | undefined;
  #breaking: Timer | undefined;
  #ticks = 0;
  #queue: Queued[] = [];
  #queuedSamples = 0;
  #lastHeard: Int16Array = SILENCE;
  #unsent: CallerMove | undefined;

  constructor(parts: StreamedPhoneParts) {
    this.#parts = parts;
    this.heard = new PhoneSound(parts.keepSound === true);
    this.said = new PhoneSound(parts.keepSound === true);
    this.ended = this.#end.promise;
  }

  /** Opens the media socket and begins to talk as soon as it is open. */
  start(): void {
    const { mediaUrl, headers } = this.#parts;
    const ws = new WebSocket(mediaUrl, {
      perMessageDeflate: false,
      headers,
      handshakeTimeout: CONNECT_MS,
      maxPayload: MOST_MESSAGE_BYTES,
    });
    this.#ws = ws;
    ws.on("open", () => this.#open());
    ws.on("message", (data, isBinary) => this.#receive(isBinary ? bytesOf(data) : bytesOf(data).toString("utf8")));
    ws.on("error", () => ws.terminate());
    ws.on("close", () => this.#finish(this.startedAt === undefined ? "unreachable" : "closed"));
  }

  /** Ends the media as the carrier does when a call is over, or is connected elsewhere. Idempotent. */
  hangUp(why: "hung-up" | "ended"): void {
    if (this.#over) return;
    if (this.startedAt !== undefined) for (const message of this.#parts.dialect.closing()) this.#send(message);
    this.#ws?.close(1000);
    this.#finish(why);
  }

  #finish(why: StreamEnd): void {
    if (this.#over) return;
    this.#over = true;
    this.#tickTimer?.cancel();
    this.#breaking?.cancel();
    this.#queue = [];
    this.#parts.dialect.close();
    this.#end.resolve(why);
  }

  #open(): void {
    const { clock, dialect, breaksAfterMs } = this.#parts;
    for (const message of dialect.opening()) this.#send(message);
    this.startedAt = clock.monotonic();
    if (breaksAfterMs !== undefined) this.#breaking = clock.setTimer(breaksAfterMs, () => this.#ws?.terminate());
    this.#tick();
  }

  /** Does whatever frame is due. Due times are absolute, so that a late timer delays one frame and never the ones after it. */
  #tick(): void {
    const { clock } = this.#parts;
    const startedAt = this.startedAt ?? clock.monotonic();
    while (!this.#over && startedAt + this.#ticks * FRAME_MS <= clock.monotonic() + 0.5) this.#frame();
    if (this.#over) return;
    this.#tickTimer = clock.setTimer(startedAt + this.#ticks * FRAME_MS - clock.monotonic(), () => this.#tick());
  }

  #frame(): void {
    if (this.#unsent !== undefined) this.#speak(this.#unsent, this.#ticks - 1);
    this.#ticks += 1;
    const move = this.#parts.caller.next(this.#lastHeard);
    if (move.hangUp === true) {
      this.hangUp("hung-up");
      return;
    }
    this.#unsent = move;
    this.#play();
  }

  #speak({ digit, samples }: CallerMove, frame: number): void {
    const { dialect, clock } = this.#parts;
    if (digit !== undefined) this.#send(dialect.digit(digit));
    const sound = samples === undefined ? SILENCE : padded(samples);
    this.said.add(sound);
    this.#send(dialect.sound(sound, frame, clock.now()));
  }

  #play(): void {
    this.#tellReachedMarks();
    let filled = 0;
    const frame = this.#queuedSamples === 0 ? SILENCE : new Int16Array(FRAME_SAMPLES);
    while (filled < FRAME_SAMPLES) {
      // A mark within the frame has been reached when the frame is over: at the next tick.
      const index = this.#queue.findIndex((item) => "sound" in item);
      const item = this.#queue[index];
      if (item === undefined || !("sound" in item)) break;
      const piece = item.sound.subarray(0, FRAME_SAMPLES - filled);
      frame.set(piece, filled);
      filled += piece.length;
      const rest = item.sound.subarray(piece.length);
      this.#queue.splice(index, 1, ...(rest.length === 0 ? [] : [{ sound: rest }]));
    }
    this.#queuedSamples -= filled;
    this.playedSamples += filled;
    this.#lastHeard = filled === 0 ? SILENCE : frame;
    this.heard.add(this.#lastHeard);
  }

  #tellReachedMarks(): void {
    for (let first = this.#queue[0]; first !== undefined && "mark" in first; first = this.#queue[0]) {
      this.#queue.shift();
      this.#send(this.#parts.dialect.played(first.mark));
    }
  }

  #receive(data: string | Uint8Array): void {
    if (this.#over) return;
    const message = this.#parts.dialect.read(data);
    if (message === undefined) this.protocolErrors += 1;
    else if (message.message === "mark") this.#queue.push({ mark: message.name });
    else if (message.message === "clear") this.#clear();
    else if (this.#queuedSamples + message.samples.length > MOST_QUEUED_SAMPLES) this.protocolErrors += 1;
    else if (message.samples.length > 0) {
      this.#queuedSamples += message.samples.length;
      this.#queue.push({ sound: message.samples });
    }
  }

  #clear(): void {
    const marks = this.#queue.flatMap((item) => ("mark" in item ? [item.mark] : []));
    this.#queue = [];
    this.#queuedSamples = 0;
    for (const message of this.#parts.dialect.cleared(marks)) this.#send(message);
  }

  #send(data: string | Uint8Array): void {
    // A socket that fails says so by `close`.
    if (this.#ws?.readyState === WebSocket.OPEN) this.#ws.send(data, () => undefined);
  }
}

const FRAME_SAMPLES = 8 * FRAME_MS;
const SILENCE: Int16Array = new Int16Array(FRAME_SAMPLES);
const CONNECT_MS = 5000;
const MOST_MESSAGE_BYTES = 1024 * 1024;

/** A minute, the longest queue that any of the carriers has. */
const MOST_QUEUED_SAMPLES = 60 * 8000;

const padded = (samples: Int16Array): Int16Array => {
  if (samples.length === FRAME_SAMPLES) return samples;
  const frame = new Int16Array(FRAME_SAMPLES);
  frame.set(samples.subarray(0, FRAME_SAMPLES));
  return frame;
};

const bytesOf = (data: RawData): Buffer => {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
};
