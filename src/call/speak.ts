import { decodeSamples, encodeSamples } from "../audio/convert.ts";
import { applyGain } from "../audio/level.ts";
import { bytesOf, FRAME_MS, millisecondsOf, type AudioFormat } from "../model/audio.ts";
import type { Clock } from "../ports/clock.ts";
import type { WordTiming } from "../ports/synthesizer.ts";
import type { Transport } from "../ports/transport.ts";
import type { Pacer } from "./pacer.ts";
import { Playout } from "./playout.ts";
import { newSpeech, type SpeakerListener, type Speech } from "./speech.ts";

export type SpeakerDeps = Readonly<{
  clock: Clock;
  pacer: Pacer;
  /** How far ahead of real time sound may be sent to a line that queues it, in milliseconds. */
  leadMs: number;
  volumeDb: number;
  listener: SpeakerListener;
}>;

/** Sound of a reply may be made this far ahead of playback; at about 8 kB a second this bounds a call's memory. */
const MAX_AHEAD_MS = 15_000;

/** A line that does not take its sound is not given more, in bytes. */
const MAX_LINE_BACKLOG = 16_384;

/** How long a mark may be late before playback is taken to have ended by time, in milliseconds; shorter once one never came. */
const MARK_GRACE_MS = 1000;
const NO_MARKS_GRACE_MS = 60;

/** The agent's mouth: plays one reply at a time, paced, and knows at any moment what of it was heard. */
export class Speaker {
  readonly format: AudioFormat;
  readonly #deps: SpeakerDeps;
  readonly #playout = new Playout();
  #line: Transport | undefined;
  #speech: Speech | undefined;
  #paused = false;
  /** Which position had been heard when playback paused, and when its last word ended. */
  #pausedAt = { positionMs: 0, speechEndMs: 0 };
  #stopTicking: (() => void) | undefined;
  #marksCome = true;

  constructor(format: AudioFormat, deps: SpeakerDeps) {
    this.format = format;
    this.#deps = deps;
  }

  /** The line is there; what was prepared begins to play. The line's format must be the speaker's. */
  attach(line: Transport): void {
    this.#line = line;
    this.#tickWhileBusy();
  }

  begin(reply: number): void {
    if (this.#speech !== undefined) this.cancel(this.#speech.reply);
    this.#playout.restart(this.#deps.clock.monotonic());
    this.#paused = false;
    this.#speech = newSpeech(reply);
  }

  addPiece(reply: number, source: string, ends: readonly number[]): void {
    this.#of(reply)?.ledger.addPiece(source, ends);
  }

  /** Sound in the speaker's format for the piece under way; `exact` keeps its level, which machines rely on. */
  addSound(reply: number, payload: Uint8Array, words?: readonly WordTiming[], level?: "exact"): void {
    const speech = this.#of(reply);
    if (speech === undefined) return;
    const { encoding } = this.format;
    const { volumeDb } = this.#deps;
    const asItIs = volumeDb === 0 || level === "exact";
    speech.sound.add(asItIs ? payload : encodeSamples(encoding, applyGain(decodeSamples(encoding, payload), volumeDb)));
    speech.ledger.addSound(millisecondsOf(this.format, payload.length), words);
    this.#tickWhileBusy();
  }

  endPiece(reply: number): void {
    this.#of(reply)?.ledger.endPiece();
  }

  /** No more sound will come; `drained` follows when all of it was heard. */
  finish(reply: number): void {
    const speech = this.#of(reply);
    if (speech === undefined) return;
    speech.finished = true;
    this.#tickWhileBusy();
  }

  /** Resolves when there is room for more sound, or the reply is gone. */
  room(reply: number): Promise<void> {
    const speech = this.#of(reply);
    if (speech === undefined || this.#ahead(speech) < MAX_AHEAD_MS) return Promise.resolve();
    return new Promise((resolve) => speech.waiters.push(resolve));
  }

  /** Stands still. A line that queues is emptied; what was not heard is kept and played again. */
  pause(): void {
    const speech = this.#speech;
    if (speech === undefined || this.#paused || speech.drained) return;
    const now = this.#deps.clock.monotonic();
    this.#record(speech, now);
    const { sentMs } = this.#playout;
    const positionMs = this.#line?.queue === "far-end" ? this.#position(speech, now) : sentMs;
    this.#pausedAt = { positionMs, speechEndMs: this.#speechEnd(speech, positionMs, now) };
    this.#paused = true;
    speech.halted = speech.started;
    if (this.#line?.queue !== "far-end" || !speech.started) return;
    this.#line.clear();
    const keptMs = millisecondsOf(this.format, speech.sound.start);
    // Not a moment before the word, or the next pause would go back to the word before it.
    const wordMs = Math.ceil(Math.max(keptMs, speech.ledger.wordStart(positionMs)));
    this.#playout.rewind(Math.min(sentMs, wordMs), now);
    speech.playedMs = this.#playout.sentMs;
    // Marks that had not come back are lost with the queue; they are sent again.
    const sent = speech.ledger.pieceEnds.filter((end) => end <= this.#playout.sentMs).length;
    speech.marked = Math.min(sent, speech.acknowledged);
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#tickWhileBusy();
  }

  /** Stops a reply for good and forgets its sound. */
  cancel(reply: number): void {
    const speech = this.#of(reply);
    if (speech === undefined) return;
    const now = this.#deps.clock.monotonic();
    if (!this.#paused) this.#record(speech, now);
    if (speech.started && this.#playout.queueEndMs > now) this.#line?.clear();
    this.#playout.rewind(0, now);
    this.#drop(speech);
  }

  /** The words of the reply that were heard by now, and until when. */
  heard(): Readonly<{ reply: number; text: string; endMs: number }> | undefined {
    const speech = this.#speech;
    if (speech === undefined || !speech.started) return undefined;
    const now = this.#deps.clock.monotonic();
    const positionMs = this.#position(speech, now);
    const endMs = this.#paused ? this.#pausedAt.speechEndMs : this.#speechEnd(speech, positionMs, now);
    return { reply: speech.reply, text: speech.ledger.heard(positionMs), endMs };
  }

  /** A mark came back from the line. */
  marked(name: string): void {
    const speech = this.#speech;
    const [reply, piece] = name.split(":").map(Number);
    if (speech === undefined || reply !== speech.reply || piece === undefined) return;
    const end = speech.ledger.pieceEnds[piece];
    if (end === undefined || piece < speech.acknowledged) return;
    this.#marksCome = true;
    speech.acknowledged = piece + 1;
    if (piece === 0 && !speech.halted)
      this.#deps.listener.acknowledged(speech.reply, this.#deps.clock.monotonic() - end);
    this.#playout.acknowledged(end, this.#deps.clock.monotonic());
    this.#tick();
  }

  close(): void {
    if (this.#speech !== undefined) this.cancel(this.#speech.reply);
    this.#stopTicking?.();
    this.#stopTicking = undefined;
  }

  #of(reply: number): Speech | undefined {
    return this.#speech?.reply === reply ? this.#speech : undefined;
  }

  #drop(speech: Speech): void {
    this.#speech = undefined;
    this.#paused = false;
    for (const resume of speech.waiters) resume();
    this.#stopTicking?.();
    this.#stopTicking = undefined;
  }

  #ahead(speech: Speech): number {
    return speech.ledger.totalMs - (this.#line === undefined ? 0 : this.#playout.playing(this.#deps.clock.monotonic()));
  }

  /** Acknowledged pieces were heard whatever the time model says. */
  #position(speech: Speech, now: number): number {
    if (speech.drained) return speech.ledger.totalMs;
    if (this.#paused) return this.#pausedAt.positionMs;
    const acknowledged = speech.ledger.pieceEnds[speech.acknowledged - 1] ?? 0;
    return Math.max(this.#playout.heard(now), Math.min(acknowledged, this.#playout.sentMs));
  }

  /** When the last word before a position ended, by the monotonic clock. */
  #speechEnd(speech: Speech, positionMs: number, now: number): number {
    return Math.min(now, this.#playout.timeOf(speech.ledger.speechEnd(positionMs)));
  }

  #tickWhileBusy(): void {
    if (this.#line === undefined || this.#speech === undefined || this.#paused || this.#speech.drained) return;
    this.#stopTicking ??= this.#deps.pacer.add(() => {
      if (!this.#queueIsFull()) this.#tick();
    });
    this.#tick();
  }

  /** Amid a reply every second heartbeat finds the line with as much as it may hold, and nothing else that waits. */
  #queueIsFull(): boolean {
    const speech = this.#speech;
    if (speech === undefined || this.#line === undefined || !speech.started) return false;
    const hasMore = bytesOf(this.format, this.#playout.sentMs) < speech.sound.end;
    const roomSoon = speech.waiters.length > 0 && this.#ahead(speech) < MAX_AHEAD_MS;
    return hasMore && !roomSoon && !this.#hasRoom(this.#line, this.#deps.clock.monotonic());
  }

  #hasRoom(line: Transport, now: number): boolean {
    return this.#playout.queueEndMs - now < (line.queue === "far-end" ? this.#deps.leadMs : FRAME_MS);
  }

  #tick(): void {
    const speech = this.#speech;
    if (speech === undefined || this.#line === undefined || this.#paused || speech.drained) return;
    const now = this.#deps.clock.monotonic();
    try {
      // What played is written down before new sound may open a gap behind it.
      this.#record(speech, now);
      this.#send(speech, this.#line, now);
      this.#report(speech, now);
    } catch (error) {
      // The heartbeat is shared: one call's line may not stop the others.
      this.#drop(speech);
      this.#deps.listener.failed(error);
      return;
    }
    if (this.#speech === speech && speech.waiters.length > 0 && this.#ahead(speech) < MAX_AHEAD_MS)
      for (const resume of speech.waiters.splice(0)) resume();
  }

  #send(speech: Speech, line: Transport, now: number): void {
    this.#markPieces(speech, line);
    while (this.#hasRoom(line, now) && line.bufferedAmount < MAX_LINE_BACKLOG) {
      const start = bytesOf(this.format, this.#playout.sentMs);
      const end = Math.min(start + bytesOf(this.format, FRAME_MS), speech.sound.end);
      if (end <= start || (end - start < bytesOf(this.format, FRAME_MS) && !speech.finished)) break;
      line.send(speech.sound.slice(start, end));
      const startMs = this.#playout.sent(millisecondsOf(this.format, end - start), now);
      this.#markPieces(speech, line);
      if (speech.started) continue;
      speech.started = true;
      this.#deps.listener.started(speech.reply, startMs);
    }
  }

  #markPieces(speech: Speech, line: Transport): void {
    const ends = speech.ledger.pieceEnds;
    for (; (ends[speech.marked] ?? Infinity) <= this.#playout.sentMs + 0.01; speech.marked += 1)
      line.mark(`${speech.reply}:${speech.marked}`);
  }

  #record(speech: Speech, now: number): void {
    const positionMs = this.#playout.playing(now);
    const start = bytesOf(this.format, speech.playedMs);
    const end = bytesOf(this.format, positionMs);
    const isLast = speech.finished && positionMs >= speech.ledger.totalMs;
    if (end - start < bytesOf(this.format, FRAME_MS) && !(isLast && end > start)) return;
    const { listener } = this.#deps;
    if (listener.records()) listener.played(speech.sound.slice(start, end), this.#playout.timeOf(speech.playedMs));
    speech.playedMs = positionMs;
    speech.sound.release(bytesOf(this.format, Math.max(0, Math.min(this.#playout.heard(now), positionMs) - REWIND_MS)));
  }

  #report(speech: Speech, now: number): void {
    const positionMs = this.#position(speech, now);
    const ends = speech.ledger.pieceEnds;
    const { reported } = speech;
    while ((ends[speech.reported] ?? Infinity) <= positionMs + 0.01) speech.reported += 1;
    if (speech.reported > reported) this.#deps.listener.progress(speech.reply);
    if (!speech.finished || this.#playout.sentMs + 0.01 < speech.ledger.totalMs || speech.marked < ends.length) return;
    if (speech.drained || !this.#allHeard(speech, now)) return;
    speech.drained = true;
    this.#record(speech, now);
    this.#stopTicking?.();
    this.#stopTicking = undefined;
    this.#deps.listener.drained(speech.reply);
  }

  #allHeard(speech: Speech, now: number): boolean {
    if (!speech.started) return true;
    if (now < this.#playout.queueEndMs) return false;
    if (this.#line?.queue !== "far-end" || speech.acknowledged >= speech.ledger.pieceEnds.length) return true;
    const overdue = now - this.#playout.queueEndMs;
    if (overdue < (this.#marksCome ? MARK_GRACE_MS : NO_MARKS_GRACE_MS)) return false;
    this.#marksCome = false;
    return true;
  }
}

/** Sound before the position that a pause may still go back to: the beginning of a long word and the network's delay. */
const REWIND_MS = 2500;
