import { decodeSamples } from "../audio/convert.ts";
import { ToneFinder } from "../audio/tone-finder.ts";
import { Resampler } from "../audio/resampler.ts";
import { Sibilance } from "../endpointing/sibilance.ts";
import { closedGate, DEFAULT_THRESHOLDS, observe, type SpeechGate } from "../endpointing/speech-gate.ts";
import { RecentLeast } from "../kit/recent-least.ts";
import { millisecondsOf, type AudioFormat, type AudioFrame } from "../model/audio.ts";
import type { Clock } from "../ports/clock.ts";
import type { Transcriber, TranscriberHints } from "../ports/transcriber.ts";
import type { TurnDetector } from "../ports/turn-detector.ts";
import { HEARING_RATE, type VadStream, type VoiceActivityDetector } from "../ports/vad.ts";
import { Ear } from "./ear.ts";
import type { CallHappening } from "./events.ts";
import { eventLater } from "./later.ts";
import type { CallRules } from "./rules.ts";
import { TurnSound } from "./turn-sound.ts";

/** What turns speech into text, and what it is told about it. */
export type Listening = Readonly<{ transcriber: Transcriber; hints: TranscriberHints }>;

export type HearingDeps = Readonly<{
  clock: Clock;
  vad: VoiceActivityDetector;
  listening: Listening;
  /** Hears whether turns are over, where the deployment has one. */
  turnDetector?: TurnDetector | undefined;
  /** Signals of machines are listened for where the rules say what to do about a voicemail, endings of turns where they are weighed. */
  rules?: Pick<CallRules, "voicemail" | "weighsSound">;
  /** Milliseconds since answer for a moment of the monotonic clock. */
  toCallMs(monotonicMs: number): number;
  emit(happening: CallHappening): void;
  /** Sees why an engine failed; what to do about it is decided elsewhere. */
  failed(part: "vad" | "transcriber", error: Error): void;
  /** Samples of the caller at the line's rate; time from the monotonic clock. */
  heard(samples: Int16Array, atMs: number): void;
}>;

/** A hole in the line's timeline larger than this is filled with silence, so that times stay true; in milliseconds. */
const GAP_MS = 30;

/** Machines pick up in the beginning; beeps later in a call are something else. In milliseconds of sound. */
const TONES_MS = 120_000;

/** The line's clock is compared with ours by what came soonest in one to two windows of this length. */
const ZERO_WINDOW_MS = 10_000;

/** A hole is filled up to this length; a carrier that jumps further has lost its clock, and the timeline follows it. */
const MAX_GAP_MS = 10_000;

/**
 * The agent's ear: takes frames from the line, keeps their timeline whole, and feeds the voice activity detector, the
 * transcriber and the recording. What they find out goes into the inbox; no decision is made here.
 */
export class Hearing {
  readonly #deps: HearingDeps;
  readonly #format: AudioFormat;
  readonly #toHearing: Resampler;
  readonly #tones: ToneFinder | undefined;
  readonly #sibilance = new Sibilance();
  #listening: Listening;
  #streams: Streams | undefined;
  #closed = false;
  /** The line's timeline: where the first frame began, and how much was taken in since. */
  #lineStartMs: number | undefined;
  #takenMs = 0;
  /** Monotonic time at which the line's first sample was heard, or would have been by the pace that its clock has had lately. */
  #zeroMs = 0;
  readonly #zeros = new RecentLeast(ZERO_WINDOW_MS);
  #voicedUntilMs = 0;
  /** The highest utterance so far. */
  #utterances = 0;

  constructor(format: AudioFormat, deps: HearingDeps) {
    this.#deps = deps;
    this.#format = format;
    this.#listening = deps.listening;
    this.#toHearing = new Resampler(format.sampleRate, HEARING_RATE);
    if (deps.rules?.voicemail !== undefined)
      this.#tones = new ToneFinder((tone, endMs) => {
        deps.emit({ type: "tone", tone, endMs: deps.toCallMs(this.#zeroMs + endMs) });
      });
  }

  /** When the caller's voice was last there, in milliseconds since answer. */
  get voicedUntilMs(): number {
    return this.#voicedUntilMs;
  }

  /** Opens the engines; frames that come before are heard by nobody. */
  open(): void {
    this.#streams = this.#openStreams();
  }

  /** Opens the engines anew after one of them failed. What was said while they were away is lost. */
  reopen(): void {
    this.#streams?.close();
    this.#streams = this.#openStreams();
  }

  /** Listens with another engine, or for another language, from now on. Whoever is speaking goes on speaking. */
  listenWith(listening: Listening): void {
    this.#listening = listening;
    this.#streams?.changeEar();
  }

  frame(frame: AudioFrame): void {
    // The line stays open for its owner to close, and goes on bringing sound until then.
    if (this.#closed) return;
    if (this.#lineStartMs === undefined) {
      this.#lineStartMs = frame.atMs;
      this.#beginAt(frame);
    }
    this.#learnZero(frame, this.#lineStartMs);
    const gapMs = frame.atMs - (this.#lineStartMs + this.#takenMs);
    if (Math.abs(gapMs) > MAX_GAP_MS) this.#follow(gapMs, frame);
    else if (gapMs > GAP_MS)
      this.#take(new Int16Array(Math.round((gapMs * this.#format.sampleRate) / 1000)), undefined);
    this.#take(decodeSamples(this.#format.encoding, frame.payload), frame.payload);
  }

  finalize(): void {
    this.#streams?.ear().finalize();
  }

  endTurn(): void {
    this.#streams?.turnSound?.turnTaken();
    this.#streams?.ear().endTurn();
  }

  close(): void {
    this.#closed = true;
    this.#streams?.close();
    this.#streams = undefined;
    this.#toHearing.close();
  }

  /**
   * Nobody hears a sound before it was made: a frame that comes sooner than the first one promised tells that that one was late. The first
   * ones mostly are, because they waited until the call was ready; all that came after would be taken for later than it is. When for
   * some time none comes as soon as was promised, the line's clock is slower than ours, by half a second in half an hour where it is
   * wrong by 300 millionths.
   */
  #learnZero({ atMs, payload }: AudioFrame, lineStartMs: number): void {
    const beganMs = Math.min(atMs - lineStartMs, this.#takenMs);
    const now = this.#deps.clock.monotonic();
    this.#zeros.see(now - millisecondsOf(this.#format, payload.length) - beganMs, now);
    this.#zeroMs = this.#zeros.value;
  }

  /** The line's time has jumped; what comes now is heard now, whatever it was in between. */
  #follow(gapMs: number, frame: AudioFrame): void {
    this.#lineStartMs = (this.#lineStartMs ?? 0) + gapMs;
    this.#beginAt(frame);
  }

  /** What comes now is heard now. */
  #beginAt({ payload }: AudioFrame): void {
    const now = this.#deps.clock.monotonic();
    this.#zeroMs = now - millisecondsOf(this.#format, payload.length) - this.#takenMs;
    this.#zeros.restart(this.#zeroMs, now);
  }

  /** `payload` is the same sound as it came, when it came. */
  #take(samples: Int16Array, payload: Uint8Array | undefined): void {
    this.#deps.heard(samples, this.#zeroMs + this.#takenMs);
    this.#takenMs += (samples.length / this.#format.sampleRate) * 1000;
    const resampled = this.#toHearing.process(samples);
    if (this.#takenMs < TONES_MS) this.#tones?.push(resampled);
    this.#sibilance.push(resampled);
    const streams = this.#streams;
    if (streams === undefined) return;
    streams.turnSound?.push(resampled);
    streams.vad.push(resampled);
    streams.ear().push(samples, resampled, payload);
  }

  #openStreams(): Streams {
    const { vad, turnDetector, rules, emit, failed } = this.#deps;
    const openedMs = this.#takenMs;
    const turnSound = rules?.weighsSound === false ? undefined : new TurnSound(turnDetector);
    let gate: SpeechGate = closedGate;
    let open = true;
    const fail = (part: "vad" | "transcriber", error: Error) => {
      if (!open) return;
      open = false;
      failed(part, error);
      emit({ type: "hearing-failed", part });
    };
    let ear = this.#openEar(fail);
    const toCall = (streamMs: number) => this.#deps.toCallMs(this.#zeroMs + openedMs + streamMs);
    const voice = vad.open({
      probability: (probability, endMs) => {
        if (!open) return;
        const observed = observe(gate, probability, endMs, DEFAULT_THRESHOLDS, this.#sibilance.hissingMs);
        gate = observed.gate;
        if (gate.speaking) this.#voicedUntilMs = toCall(gate.lastVoicedMs);
        const { change } = observed;
        if (change?.type === "suspected") emit({ type: "speech-suspected" });
        else if (change?.type === "started") {
          ear.speech("started", openedMs + change.onsetMs);
          turnSound?.speechStarted(change.onsetMs);
          emit({ type: "speech-started", onsetMs: toCall(change.onsetMs) });
        } else if (change?.type === "ended") {
          ear.speech("ended", openedMs + change.lastVoicedMs);
          const prosody = turnSound?.speechEnded(change.lastVoicedMs, (probability) => {
            if (open) emit({ type: "turn-judged", probability });
          });
          const lastVoicedMs = toCall(change.lastVoicedMs);
          emit({ type: "speech-ended", lastVoicedMs, ...(prosody === undefined ? {} : { prosody }) });
        }
      },
      failed: (error) => {
        fail("vad", error);
      },
    });
    return {
      vad: voice,
      turnSound,
      ear: () => ear,
      changeEar: () => {
        const before = ear;
        ear = this.#openEar(fail);
        before.close();
        if (gate.speaking) ear.speech("started", this.#takenMs);
        // Somebody waits for the last words of the one that is gone.
        if (before.asked) ear.finalize();
      },
      close: () => {
        open = false;
        voice.close();
        ear.close();
      },
    };
  }

  #openEar(fail: (part: "transcriber", error: Error) => void): Ear {
    const { emit, toCallMs } = this.#deps;
    return new Ear({
      ...this.#listening,
      openedMs: this.#takenMs,
      utterancesBefore: this.#utterances,
      transcript: (event) => {
        this.#utterances = Math.max(this.#utterances, event.utterance);
        emit({ type: "transcript", ...eventLater(event, toCallMs(this.#zeroMs)) });
      },
      flushed: () => {
        emit({ type: "flushed" });
      },
      turnJudged: (probability) => {
        emit({ type: "turn-judged", probability });
      },
      failed: (error) => {
        fail("transcriber", error);
      },
    });
  }
}

type Streams = Readonly<{
  vad: VadStream;
  turnSound: TurnSound | undefined;
  ear(): Ear;
  changeEar(): void;
  close(): void;
}>;
