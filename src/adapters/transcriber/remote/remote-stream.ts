import { backoff } from "../../../kit/backoff.ts";
import { bytesOf, millisecondsOf, type AudioFormat } from "../../../model/audio.ts";
import type { Clock, Timer } from "../../../ports/clock.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import type { Random } from "../../../ports/random.ts";
import type { TranscriberHints, TranscriberListener, TranscriberStream } from "../../../ports/transcriber.ts";
import { SoundBuffer } from "../../../audio/sound-buffer.ts";
import { UtteranceNumbers } from "./utterance-numbers.ts";
import type { Heard, OpenWire, Wire, WireListener, WireStyle } from "./wire.ts";

export type RemoteStreamParts = Readonly<{
  provider: string;
  clock: Clock;
  random: Random;
  style: WireStyle;
  format: AudioFormat;
  openWire: OpenWire;
  /** Told of every break that is mended, for logs and metrics. */
  broke(error: ProviderError): void;
  closed(stream: RemoteStream): void;
}>;

/** Sound that is kept for sending it again. */
const MEMORY_MS = 30_000;

/** Connections that break one after the other, without a word in between, before the stream fails. */
const MOST_BREAKS = 3;

/** A connection that takes no sound by then is given up. */
const CONNECT_MS = 4000;

/** A final text that does not come by then: the vendor has stalled. */
const STALLED_MS = 4000;

const KEEP_ALIVE_MS = 4000;
const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 1000;
const MOST_FINALIZES = 64;

/** A detector's word on speech is late by up to 300 ms; soft consonants before it need some more. */
const PRE_ROLL_MS = 500;

/** The network takes no more for now; the sound waits in the buffer. */
const MOST_WAITING_BYTES = 256 * 1024;

/** Sound that waited is sent in pieces of up to this length. */
const CATCH_UP_MS = 400;

/** A question for the final text of the sound before a position, and whether that sound goes with it. */
type Asked = { readonly at: number; readonly withSound: boolean; sent: boolean };

/**
 * One party's speech to text at a vendor, over connections that may break: sound that no final text accounts for is kept, up to 30 s of
 * it, and sent again over the next connection, and so is the question for the final text. The vendor's part is a {@link Wire}.
 */
export class RemoteStream implements TranscriberStream {
  readonly format: AudioFormat;
  readonly #parts: RemoteStreamParts;
  readonly #hints: TranscriberHints;
  readonly #listener: TranscriberListener;
  readonly #sound: SoundBuffer;
  readonly #numbers = new UtteranceNumbers();
  #asked: Asked[] = [];
  #wire: Wire | undefined;
  #ready = false;
  /** Positions in bytes: what this connection was sent, and what need not be sent again. */
  #sent = 0;
  #settled = 0;
  #breaks = 0;
  #speaking = false;
  /** Whether a detector has ever said when speech began. */
  #hinted = false;
  /** Whether sound is sent as it comes; where only speech is, from its beginning to the question for its final text. */
  #flowing: boolean;
  /** Counts connections, so that a late word of a former one is told from those that matter. */
  #connection = 0;
  #closed = false;
  #deadline: Timer | undefined;
  #stall: Timer | undefined;
  #alive: Timer | undefined;

  constructor(parts: RemoteStreamParts, hints: TranscriberHints, listener: TranscriberListener) {
    this.#parts = parts;
    this.#hints = hints;
    this.#listener = listener;
    this.format = parts.format;
    this.#sound = new SoundBuffer(bytesOf(parts.format, MEMORY_MS));
    this.#flowing = !parts.style.speechOnly;
    this.#connect();
    this.#keepAlive();
  }

  push(payload: Uint8Array): void {
    if (this.#closed) return;
    this.#sound.append(payload);
    this.#pump();
  }

  speech(change: "started" | "ended", atMs: number): void {
    if (this.#closed) return;
    this.#hinted = true;
    this.#speaking = change === "started";
    if (!this.#speaking || this.#flowing) return;
    this.#flowing = true;
    const from = this.#aligned(bytesOf(this.format, Math.max(0, atMs - PRE_ROLL_MS)));
    // A question that is still to be sent marks how far may be skipped.
    const waiting = this.#asked.find(({ sent }) => !sent);
    if (waiting === undefined) this.#sent = Math.max(this.#sent, Math.min(from, this.#sound.end));
    if (this.#asked.length === 0) this.#settled = Math.max(this.#settled, this.#sent);
    this.#pump();
  }

  finalize(): void {
    if (this.#closed) return;
    if (this.#asked.length >= MOST_FINALIZES) {
      this.#fail(this.#late(`more than ${MOST_FINALIZES} final texts are asked for and have not come`));
      return;
    }
    this.#asked.push({ at: this.#sound.end, withSound: this.#flowing || !this.#hinted, sent: false });
    this.#pump();
    if (this.#parts.style.speechOnly && !this.#speaking) this.#flowing = false;
  }

  endTurn(): void {
    if (this.#closed) return;
    this.#numbers.turnTaken();
    if (this.#ready) this.#wire?.endTurn(this.#msOf(this.#sent));
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const timer of [this.#deadline, this.#stall, this.#alive]) timer?.cancel();
    const wire = this.#wire;
    this.#wire = undefined;
    wire?.close();
    this.#parts.closed(this);
  }

  #connect(): void {
    this.#ready = false;
    this.#connection += 1;
    const connection = this.#connection;
    const live = () => !this.#closed && connection === this.#connection;
    const listener: WireListener = {
      ready: () => {
        if (!live()) return;
        this.#deadline?.cancel();
        this.#ready = true;
        this.#pump();
      },
      heard: (heard) => {
        if (live()) this.#heard(heard);
      },
      settled: (toMs) => {
        if (live()) this.#settle(toMs);
      },
      flushed: (toMs) => {
        if (live()) this.#flushed(toMs);
      },
      turnJudged: (probability) => {
        if (live()) this.#listener.turnJudged?.(probability);
      },
      lost: (error) => {
        if (live()) this.#broken(error);
      },
    };
    this.#deadline = this.#parts.clock.setTimer(CONNECT_MS, () => {
      if (live()) this.#broken(this.#late(`no connection within ${CONNECT_MS} ms`));
    });
    this.#wire = this.#parts.openWire(this.#hints, this.format, listener);
  }

  #broken(error: ProviderError): void {
    this.#deadline?.cancel();
    this.#stall?.cancel();
    this.#stall = undefined;
    const wire = this.#wire;
    this.#wire = undefined;
    this.#ready = false;
    this.#connection += 1;
    wire?.close();
    this.#breaks += 1;
    if (!error.retryable || this.#breaks > MOST_BREAKS) {
      this.#fail(error);
      return;
    }
    this.#parts.broke(error);
    this.#numbers.reconnected();
    this.#sent = Math.max(this.#settled, this.#sound.start);
    for (const asked of this.#asked) asked.sent = false;
    const { clock, random } = this.#parts;
    const waitMs = this.#breaks === 1 ? 0 : backoff(random, this.#breaks - 2, FIRST_BACKOFF_MS, LONGEST_BACKOFF_MS);
    this.#deadline = clock.setTimer(waitMs, () => {
      this.#connect();
    });
  }

  /** Sends what may be sent: sound up to each question, the question, and what came after it. */
  #pump(): void {
    const wire = this.#wire;
    if (wire === undefined || !this.#ready) return;
    for (const asked of this.#asked) {
      if (asked.sent) continue;
      if (asked.withSound && !this.#send(wire, asked.at, true)) return;
      asked.sent = true;
      this.#watchForStall();
      wire.finalize(this.#msOf(asked.at));
      if (this.#wire !== wire) return;
    }
    if (this.#flowing) this.#send(wire, this.#sound.end, false);
  }

  /** False when the network takes no more for now, or the connection was given up. */
  #send(wire: Wire, to: number, all: boolean): boolean {
    const { chunkMs, leastMs } = this.#parts.style;
    const chunk = bytesOf(this.format, chunkMs);
    const most = bytesOf(this.format, CATCH_UP_MS);
    // Sound that waited for longer than the memory reaches is lost, to the vendor and to the caller.
    this.#sent = Math.max(this.#sent, this.#sound.start);
    while (this.#sent < to) {
      if (wire.waitingBytes > MOST_WAITING_BYTES) return false;
      const left = to - this.#sent;
      if (left < chunk && (!all || left < bytesOf(this.format, leastMs))) return true;
      const length = left >= chunk ? Math.min(most, left - (left % chunk)) : left;
      const from = this.#sent;
      this.#sent += length;
      wire.send(this.#sound.read(from, from + length), this.#msOf(from));
      if (this.#wire !== wire) return false;
    }
    return true;
  }

  #heard({ segment, text, final, startMs, endMs, words }: Heard): void {
    this.#breaks = 0;
    // An empty text matters only where it takes back what was told.
    if (text === "" && this.#numbers.known(segment) === undefined) return;
    const lastMs = this.#msOf(this.#sound.end);
    const utterance = this.#numbers.numberOf(segment, final);
    const from = Math.min(Math.max(0, startMs), lastMs);
    this.#listener.transcript({
      utterance,
      text,
      final,
      startMs: from,
      endMs: Math.min(Math.max(from, endMs), lastMs),
      ...(words === undefined ? {} : { words }),
    });
  }

  #settle(toMs: number): void {
    this.#breaks = 0;
    const position = this.#aligned(bytesOf(this.format, Math.max(0, toMs)));
    this.#settled = Math.min(Math.max(this.#settled, position), this.#sent);
  }

  #flushed(toMs: number): void {
    this.#breaks = 0;
    const to = bytesOf(this.format, toMs);
    const done = this.#asked.filter((asked) => asked.sent && asked.at <= to);
    if (done.length === 0) return;
    this.#asked = this.#asked.filter((asked) => !done.includes(asked));
    this.#stall?.cancel();
    this.#stall = undefined;
    if (this.#asked.some(({ sent }) => sent)) this.#watchForStall();
    for (let count = 0; count < done.length && !this.#closed; count++) this.#listener.flushed();
  }

  #watchForStall(): void {
    this.#stall ??= this.#parts.clock.setTimer(STALLED_MS, () => {
      this.#stall = undefined;
      if (!this.#closed) this.#broken(this.#late(`no final text within ${STALLED_MS} ms`));
    });
  }

  #keepAlive(): void {
    this.#alive = this.#parts.clock.setTimer(KEEP_ALIVE_MS, () => {
      if (this.#ready) this.#wire?.keepAlive?.();
      if (!this.#closed) this.#keepAlive();
    });
  }

  #fail(error: Error): void {
    if (this.#closed) return;
    this.close();
    this.#listener.failed(error);
  }

  #late(what: string): ProviderError {
    return new ProviderError(this.#parts.provider, "timeout", what);
  }

  #msOf(position: number): number {
    return millisecondsOf(this.format, position);
  }

  #aligned(position: number): number {
    return this.format.encoding === "linear16" ? position - (position % 2) : position;
  }
}
