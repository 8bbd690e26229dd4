import { decodeLinear16 } from "../../../audio/linear16.ts";
import { toError } from "../../../kit/errors.ts";
import type { AudioFormat } from "../../../model/audio.ts";
import type { TranscriberListener, TranscriberStream } from "../../../ports/transcriber.ts";
import { HEARING_RATE } from "../../../ports/vad.ts";
import type { DecodeQueue, Ticket, Urgency } from "./decode-queue.ts";
import { stablePrefix } from "./hypothesis.ts";
import type { Recognizer } from "./recognizer.ts";
import { SoundRing } from "../../../audio/sound-ring.ts";
import { Utterance, msOf, samplesOf } from "./utterance.ts";

/** Sound that is kept to go back to. */
const MEMORY_SAMPLES = samplesOf(30_000);
/** A detector is sure of speech 120 ms (in noise up to 300 ms) after it began; soft first consonants need a little more. */
const PRE_ROLL_SAMPLES = samplesOf(500);
/** A quick look at the growing utterance comes after this much new sound, or 8 % of its length when that is more: its cost grows alike. */
const GLANCE_SAMPLES = samplesOf(300);
const GLANCE_SHARE = 0.08;
/** An utterance that gets this long is cut, because decoding takes longer with its length. */
const LONGEST_SAMPLES = samplesOf(12_000);
/** At a pause an utterance is cut from this length on already: shorter decodes keep final texts quick, and a pause costs no word. */
const LONG_AT_PAUSE_SAMPLES = samplesOf(6000);
/** Without a pause, the cut is looked for in the last five seconds, where nearly everybody draws breath, and spares the word that is being said. */
const CUT_SEARCH_SAMPLES = samplesOf(5000);
const CUT_SPARE_SAMPLES = samplesOf(300);
const CUT_QUIET_SAMPLES = samplesOf(200);
/** Speech after `finalize` that is shorter than this at the end of the turn is the tail of what was said before. */
const LEFTOVER_SAMPLES = samplesOf(300);
const MOST_ANSWERS = 64;

/** Something to decode with care: an utterance up to a position. */
type Answer = Readonly<{ utterance: Utterance | undefined; to: number; flush: boolean }>;

export type StreamDeps = Readonly<{
  recognizer: Recognizer;
  queue: DecodeQueue;
  closed(stream: LocalStream): void;
}>;

/**
 * One party's speech to text by decoding what it has said so far again and again.
 *
 * One decode at a time, chosen in this order: texts that were asked for (`finalize`, a cut); the utterance as it stood when speech
 * ended, before anybody asks, so that `finalize` mostly finds its text ready; a quick look at the utterance that grows. Waiting looks
 * are withdrawn when something better is to be done, finals never.
 */
export class LocalStream implements TranscriberStream {
  readonly format: AudioFormat = { encoding: "linear16", sampleRate: HEARING_RATE };
  readonly #listener: TranscriberListener;
  readonly #deps: StreamDeps;
  readonly #ring = new SoundRing(MEMORY_SAMPLES);
  readonly #answers: Answer[] = [];
  #utterance: Utterance | undefined;
  #utterances = 0;
  /** Sound before this position belongs to earlier utterances. */
  #floor = 0;
  #speaking = false;
  /** Whether a detector has ever said when speech began. */
  #hinted = false;
  /** The decode under way, unless it is one that somebody waits for. */
  #dispensable: Ticket<string> | undefined;
  #working = false;
  #closed = false;

  constructor(listener: TranscriberListener, deps: StreamDeps) {
    this.#listener = listener;
    this.#deps = deps;
  }

  push(payload: Uint8Array): void {
    if (this.#closed) return;
    this.#ring.push(decodeLinear16(payload));
    if (this.#utterance === undefined) return;
    if (this.#speaking && this.#utterance.lengthAt(this.#ring.end) >= LONGEST_SAMPLES) this.#cut(this.#utterance);
    this.#work();
  }

  speech(change: "started" | "ended", atMs: number): void {
    if (this.#closed || this.#speaking === (change === "started")) return;
    this.#hinted = true;
    this.#speaking = change === "started";
    if (this.#speaking) {
      this.#cutAtPause();
      const from = Math.max(this.#floor, this.#ring.start, samplesOf(atMs) - PRE_ROLL_SAMPLES);
      this.#utterance ??= this.#newUtterance(Math.max(atMs, msOf(this.#floor)));
      this.#utterance.speechStarted(Math.min(from, this.#ring.end));
    } else {
      this.#utterance?.speechEnded(this.#ring.end, atMs);
      this.#dispensable?.withdraw();
    }
    this.#work();
  }

  finalize(): void {
    if (this.#closed) return;
    if (this.#answers.length >= MOST_ANSWERS) {
      this.#fail(new Error(`more than ${MOST_ANSWERS} final texts wait to be decoded`));
      return;
    }
    const to = this.#ring.end;
    const utterance = this.#hinted ? this.#utterance : this.#unhinted();
    if (utterance !== undefined) utterance.finalizedTo = to;
    this.#answers.push({ utterance, to, flush: true });
    this.#dispensable?.withdraw();
    this.#work();
  }

  endTurn(): void {
    const utterance = this.#utterance;
    if (this.#closed || utterance === undefined) return;
    const leftover = utterance
      .splitAt(utterance.finalizedTo ?? this.#ring.end)
      .filter((span) => (span.to ?? Infinity) - span.from >= LEFTOVER_SAMPLES);
    const [first] = leftover;
    utterance.closed = true;
    this.#floor = Math.max(this.#floor, utterance.speechEnd);
    this.#utterance = undefined;
    if (first !== undefined) this.#utterance = this.#newUtterance(msOf(first.from), leftover);
    else if (this.#speaking)
      this.#utterance = this.#newUtterance(msOf(this.#ring.end), [{ from: this.#ring.end, to: undefined }]);
    this.#work();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#answers.length = 0;
    this.#dispensable?.withdraw();
    this.#deps.closed(this);
  }

  #newUtterance(startMs: number, spans: readonly Readonly<{ from: number; to: number | undefined }>[] = []): Utterance {
    this.#utterances += 1;
    return new Utterance(this.#utterances, startMs, spans);
  }

  /** Without a detector's word, everything since the last turn is the utterance. */
  #unhinted(): Utterance {
    const from = Math.max(this.#floor, this.#ring.start);
    this.#utterance ??= this.#newUtterance(msOf(from), [{ from, to: undefined }]);
    this.#utterance.speechEnded(this.#ring.end, undefined);
    return this.#utterance;
  }

  /** Ends a rather long utterance that paused, so that what comes now is the next one. */
  #cutAtPause(): void {
    const utterance = this.#utterance;
    if (utterance === undefined || utterance.lengthAt(this.#ring.end) < LONG_AT_PAUSE_SAMPLES) return;
    utterance.closed = true;
    this.#answers.push({ utterance, to: this.#ring.end, flush: false });
    this.#floor = utterance.speechEnd;
    this.#utterance = undefined;
  }

  /** Ends a long utterance at a pause and goes on with the next; the text of the first stays. */
  #cut(utterance: Utterance): void {
    const span = utterance.lastSpan;
    if (span === undefined) return;
    const searchFrom = this.#ring.end - CUT_SEARCH_SAMPLES;
    const position =
      span.from > searchFrom && utterance.spanCount > 1
        ? span.from
        : this.#ring.quietest(Math.max(searchFrom, span.from), this.#ring.end - CUT_SPARE_SAMPLES, CUT_QUIET_SAMPLES);
    const rest = utterance.splitAt(position);
    utterance.closed = true;
    this.#answers.push({ utterance, to: position, flush: false });
    this.#utterance = this.#newUtterance(msOf(position), rest);
    this.#floor = position;
  }

  #work(): void {
    if (this.#working) return;
    this.#working = true;
    this.#workOn().catch((error: unknown) => {
      this.#fail(toError(error));
    });
  }

  async #workOn(): Promise<void> {
    try {
      for (let work = this.#nextWork(); work !== undefined; work = this.#nextWork()) await work();
    } finally {
      // At once, not in a later microtask: what comes in between must find nobody working and start again.
      this.#working = false;
    }
  }

  #nextWork(): (() => Promise<void>) | undefined {
    if (this.#closed) return undefined;
    const answer = this.#answers[0];
    if (answer !== undefined) return () => this.#answer(answer);
    const utterance = this.#utterance;
    if (utterance === undefined) return undefined;
    const { end } = this.#ring;
    if (!this.#speaking)
      return utterance.settled?.contentEnd === utterance.contentEndAt(end)
        ? undefined
        : () => this.#speculate(utterance);
    const length = utterance.lengthAt(end);
    const due = length - utterance.glancedLength >= Math.max(GLANCE_SAMPLES, GLANCE_SHARE * length);
    return due ? () => this.#glance(utterance) : undefined;
  }

  async #answer(answer: Answer): Promise<void> {
    const { utterance, to, flush } = answer;
    if (utterance !== undefined) {
      if (!(await this.#settle(utterance, to, "final"))) return;
      // Where two quick looks agreed on words, an empty last look is the engine's failure and not the caller's silence.
      const text = utterance.settled?.text || utterance.published;
      if (text !== "") this.#publish(utterance, text, true, to);
    }
    this.#answers.shift();
    if (flush) this.#listener.flushed();
  }

  async #speculate(utterance: Utterance): Promise<void> {
    const to = this.#ring.end;
    if (!(await this.#settle(utterance, to, "speculative")) || utterance.closed) return;
    const text = utterance.settled?.text ?? "";
    if (text !== "" && text !== utterance.published) this.#publish(utterance, text, false, to);
  }

  /** Decodes with care unless that text is known; false when it was withdrawn or the stream closed meanwhile. */
  async #settle(utterance: Utterance, to: number, urgency: Urgency): Promise<boolean> {
    const contentEnd = utterance.contentEndAt(to);
    if (utterance.settled?.contentEnd === contentEnd) return true;
    const text = await this.#run(urgency, () =>
      this.#deps.recognizer.decode(utterance.soundAt(this.#ring, contentEnd)),
    );
    if (text === undefined) return false;
    utterance.settled = { text, contentEnd };
    return true;
  }

  async #glance(utterance: Utterance): Promise<void> {
    let to = this.#ring.end;
    const text = await this.#run("interim", () => {
      to = this.#ring.end;
      utterance.glancedLength = utterance.lengthAt(to);
      return this.#deps.recognizer.glance(utterance.soundAt(this.#ring, to));
    });
    if (text === undefined || text === "") return;
    const stable = stablePrefix(utterance.glanced, text);
    utterance.glanced = text;
    if (utterance.closed || utterance.published.startsWith(stable)) return;
    this.#publish(utterance, stable, false, to);
  }

  async #run(urgency: Urgency, work: () => Promise<string>): Promise<string | undefined> {
    const ticket = this.#deps.queue.submit(urgency, work);
    this.#dispensable = urgency === "final" ? undefined : ticket;
    const text = await ticket.result;
    this.#dispensable = undefined;
    return this.#closed ? undefined : text;
  }

  #publish(utterance: Utterance, text: string, final: boolean, to: number): void {
    utterance.published = text;
    this.#listener.transcript({
      utterance: utterance.number,
      text,
      final,
      startMs: utterance.startMs,
      endMs: utterance.endMsAt(to),
    });
  }

  #fail(error: Error): void {
    if (this.#closed) return;
    this.close();
    this.#listener.failed(error);
  }
}
