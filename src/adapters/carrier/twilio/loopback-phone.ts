import { WebSocket, type RawData } from "ws";
import { MULAW_SILENCE, decodeMulaw, encodeMulaw } from "../../../audio/g711.ts";
import { deferred } from "../../../kit/deferred.ts";
import { FRAME_MS } from "../../../model/audio.ts";
import type { Clock, Timer } from "../../../ports/clock.ts";
import type { Caller, CallerMove } from "../simulation/caller.ts";
import { PhoneSound } from "../simulation/sound.ts";

export type PhoneParts = Readonly<{
  clock: Clock;
  mediaUrl: string;
  /** Of the handshake of the media socket. */
  headers?: Readonly<Record<string, string>>;
  /** Breaks the media socket this long after it was opened, as a network does. */
  breaksAfterMs?: number | undefined;
  accountSid: string;
  callSid: string;
  streamSid: string;
  caller: Caller;
  keepSound: boolean;
}>;

/**
 * Why a phone's media is over: its person hung up, the network was told to end the call, our side closed the socket, or no
 * socket could be had.
 */
export type PhoneEnd = "hung-up" | "ended" | "closed" | "unreachable";

type Queued = Readonly<{ sound: Buffer }> | Readonly<{ mark: string }>;

/**
 * The carrier's side of a media stream, with a person at its far end: speaks at 50 frames a second, plays what it is sent
 * at real time from a queue, echoes marks when all before them has been played, and empties the queue on `clear`.
 *
 * Frame `n` is heard from `n · 20` ms after the start; what is said in the same 20 ms is sent when they are over. Due times are
 * absolute, so that a late timer delays one frame and never the ones after it.
 */
export class LoopbackPhone {
  /** What the person heard and said. */
  readonly heard: PhoneSound;
  readonly said: PhoneSound;
  readonly ended: Promise<PhoneEnd>;
  /** Monotonic time at which the media started; `undefined` before. */
  startedAt: number | undefined;
  /** Messages that a carrier would not understand; 0 with a peer that keeps to the protocol. */
  protocolErrors = 0;
  readonly #parts: PhoneParts;
  readonly #end = deferred<PhoneEnd>();
  #ws: WebSocket | undefined;
  #over = false;
  #tickTimer: Timer | undefined;
  #breaking: Timer | undefined;
  #ticks = 0;
  #sequence = 0;
  #queue: Queued[] = [];
  /** Bytes of the first queued sound that have been played. */
  #playedOfFirst = 0;
  #queuedBytes = 0;
  #lastHeard: Int16Array = SILENCE_SAMPLES;
  #unsent: CallerMove | undefined;

  constructor(parts: PhoneParts) {
    this.#parts = parts;
    this.heard = new PhoneSound(parts.keepSound);
    this.said = new PhoneSound(parts.keepSound);
    this.ended = this.#end.promise;
  }

  /** Opens the media socket and begins to talk as soon as it is open. */
  start(): void {
    const ws = new WebSocket(this.#parts.mediaUrl, {
      perMessageDeflate: false,
      ...(this.#parts.headers === undefined ? {} : { headers: this.#parts.headers }),
      handshakeTimeout: CONNECT_MS,
      maxPayload: MOST_MESSAGE_BYTES,
    });
    this.#ws = ws;
    ws.on("open", () => this.#open());
    ws.on("message", (data, isBinary) => this.#receive(isBinary ? undefined : parse(textOf(data))));
    ws.on("error", () => ws.terminate());
    ws.on("close", () => this.#finish(this.startedAt === undefined ? "unreachable" : "closed"));
  }

  /** Ends the media as a carrier does when a call is over. Idempotent. */
  hangUp(why: "hung-up" | "ended"): void {
    if (this.#over) return;
    if (this.startedAt !== undefined)
      this.#send({ event: "stop", stop: { accountSid: this.#parts.accountSid, callSid: this.#parts.callSid } });
    this.#ws?.close(1000);
    this.#finish(why);
  }

  #finish(why: PhoneEnd): void {
    if (this.#over) return;
    this.#over = true;
    this.#tickTimer?.cancel();
    this.#breaking?.cancel();
    this.#queue = [];
    this.#end.resolve(why);
  }

  #open(): void {
    const { accountSid, callSid, streamSid, clock } = this.#parts;
    this.#ws?.send(JSON.stringify({ event: "connected", protocol: "Call", version: "1.0.0" }));
    this.#send({
      event: "start",
      start: {
        accountSid,
        streamSid,
        callSid,
        tracks: ["inbound"],
        mediaFormat: { encoding: "audio/x-mulaw", sampleRate: 8000, channels: 1 },
        customParameters: {},
      },
    });
    this.startedAt = clock.monotonic();
    const { breaksAfterMs } = this.#parts;
    if (breaksAfterMs !== undefined) this.#breaking = clock.setTimer(breaksAfterMs, () => this.#ws?.terminate());
    this.#tick();
  }

  /** Does whatever frame is due, and sets a timer for the next one. */
  #tick(): void {
    const { clock } = this.#parts;
    const startedAt = this.startedAt ?? clock.monotonic();
    // Timers have a resolution of a millisecond and may fire a fraction early.
    while (!this.#over && startedAt + this.#ticks * FRAME_MS <= clock.monotonic() + 0.5) this.#frame();
    if (this.#over) return;
    const due = startedAt + this.#ticks * FRAME_MS;
    this.#tickTimer = clock.setTimer(due - clock.monotonic(), () => this.#tick());
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

  #speak(move: CallerMove, frame: number): void {
    if (move.digit !== undefined)
      this.#send({ event: "dtmf", dtmf: { track: "inbound_track", digit: move.digit, duration: "100" } });
    const sound = move.samples === undefined ? SILENCE : padded(encodeMulaw(move.samples));
    this.said.add(sound);
    this.#sequence += 1;
    const payload = Buffer.from(sound.buffer, sound.byteOffset, sound.byteLength).toString("base64");
    this.#ws?.send(
      `{"event":"media","sequenceNumber":"${this.#sequence}","media":{"track":"inbound","chunk":"${frame + 1}","timestamp":"${frame * FRAME_MS}","payload":"${payload}"},"streamSid":"${this.#parts.streamSid}"}`,
      ignoreFailure,
    );
  }

  #play(): void {
    this.#echoReachedMarks();
    const frame = this.#takeSound();
    this.#lastHeard = frame === SILENCE ? SILENCE_SAMPLES : decodeMulaw(frame);
    this.heard.add(frame);
  }

  /** The next 20 ms of the queue; a queue that runs dry leaves the rest of them silent. */
  #takeSound(): Uint8Array {
    let frame = SILENCE;
    for (let filled = 0; filled < FRAME_BYTES;) {
      // A mark within the frame stays in the queue and has been reached when the frame is over: at the next tick.
      const sound = this.#nextSound();
      if (sound === undefined) break;
      if (frame === SILENCE) frame = Buffer.alloc(FRAME_BYTES, MULAW_SILENCE);
      const piece = sound.subarray(this.#playedOfFirst, this.#playedOfFirst + FRAME_BYTES - filled);
      frame.set(piece, filled);
      filled += piece.length;
      this.#queuedBytes -= piece.length;
      this.#playedOfFirst += piece.length;
      if (this.#playedOfFirst === sound.length) this.#dropFirstSound();
    }
    return frame;
  }

  #nextSound(): Buffer | undefined {
    return this.#queue.find((item) => "sound" in item)?.sound;
  }

  #dropFirstSound(): void {
    const index = this.#queue.findIndex((item) => "sound" in item);
    this.#queue.splice(index, 1);
    this.#playedOfFirst = 0;
  }

  #echoReachedMarks(): void {
    for (let first = this.#queue[0]; first !== undefined && "mark" in first; first = this.#queue[0]) {
      this.#queue.shift();
      this.#send({ event: "mark", mark: { name: first.mark } });
    }
  }

  #receive(message: Record<string, unknown> | undefined): void {
    if (this.#over) return;
    const name = fieldOf(message?.["mark"], "name");
    const payload = fieldOf(message?.["media"], "payload");
    if (message?.["streamSid"] !== this.#parts.streamSid) this.protocolErrors += 1;
    else if (message["event"] === "media" && payload !== undefined) this.#enqueue(Buffer.from(payload, "base64"));
    else if (message["event"] === "mark" && name !== undefined) this.#queue.push({ mark: name });
    else if (message["event"] === "clear") this.#clear();
    else this.protocolErrors += 1;
  }

  #enqueue(sound: Buffer): void {
    if (sound.length === 0) return;
    if (this.#queuedBytes + sound.length > MOST_QUEUED_BYTES) {
      this.protocolErrors += 1;
      return;
    }
    this.#queuedBytes += sound.length;
    this.#queue.push({ sound });
  }

  #clear(): void {
    const marks = this.#queue.filter((item) => "mark" in item);
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#playedOfFirst = 0;
    for (const { mark } of marks) this.#send({ event: "mark", mark: { name: mark } });
  }

  #send(message: Readonly<Record<string, unknown>>): void {
    this.#sequence += 1;
    const { event, ...rest } = message;
    this.#ws?.send(
      JSON.stringify({ event, sequenceNumber: String(this.#sequence), ...rest, streamSid: this.#parts.streamSid }),
      ignoreFailure,
    );
  }
}

const FRAME_BYTES = 8 * FRAME_MS;
const SILENCE: Uint8Array = new Uint8Array(FRAME_BYTES).fill(MULAW_SILENCE);
const SILENCE_SAMPLES = new Int16Array(FRAME_BYTES);
const CONNECT_MS = 5000;
const MOST_MESSAGE_BYTES = 1024 * 1024;

/** Ten minutes of sound. */
const MOST_QUEUED_BYTES = 10 * 60 * 8000;

/** A socket that fails says so by `close`. */
const ignoreFailure = (): void => undefined;

const padded = (sound: Uint8Array): Uint8Array => {
  if (sound.length === FRAME_BYTES) return sound;
  const frame = Uint8Array.from(SILENCE);
  frame.set(sound.subarray(0, FRAME_BYTES));
  return frame;
};

const textOf = (data: RawData): string => (Buffer.isBuffer(data) ? data.toString("utf8") : "");

const parse = (text: string): Record<string, unknown> | undefined => {
  try {
    const message: unknown = JSON.parse(text);
    return typeof message === "object" && message !== null ? (message as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
};

const fieldOf = (value: unknown, field: string): string | undefined => {
  const found: unknown =
    typeof value === "object" && value !== null ? (value as Record<string, unknown>)[field] : undefined;
  return typeof found === "string" ? found : undefined;
};
