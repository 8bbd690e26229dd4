import type { AudioFormat } from "../../model/audio.ts";
import { millisecondsOf } from "../../model/audio.ts";
import type { Clock, Timer } from "../../ports/clock.ts";
import type { Transcriber, TranscriberListener, TranscriberStream } from "../../ports/transcriber.ts";
import type { Note } from "./event-log.ts";
import { meanAmplitude } from "./loudness.ts";
import type { Scenario } from "./scenario.ts";

export type ScriptedParts = Readonly<{
  clock: Clock;
  /** The machine's monotonic clock, in milliseconds. */
  now(): number;
  scenario: Scenario;
  note: Note;
}>;

/** Hears the same sentence in every stretch of loud sound, and is certain of it exactly `sttFinalMs` after the last loud frame. */
export const scriptedTranscriber = (name: string, parts: ScriptedParts): Transcriber => ({
  name,
  finalMs: parts.scenario.sttFinalMs,
  // It answers whenever there was voice by its own measure; nobody stands behind it.
  silentMs: 60_000,
  supports: () => true,
  open: (_hints, listener) => new ScriptedHearing(parts, listener),
  close: async () => undefined,
});

class ScriptedHearing implements TranscriberStream {
  readonly format: AudioFormat;
  readonly #parts: ScriptedParts;
  readonly #listener: TranscriberListener;
  readonly #words: readonly string[];
  #utterance = 0;
  #open = false;
  #asked = false;
  #heardMs = 0;
  #startMs = 0;
  #interimAt = 0;
  #lastVoicedAt = 0;
  #final: Timer | undefined;

  constructor(parts: ScriptedParts, listener: TranscriberListener) {
    this.#parts = parts;
    this.#listener = listener;
    this.format = { encoding: "linear16", sampleRate: parts.scenario.sttRate };
    this.#words = parts.scenario.transcript.split(" ");
  }

  push(payload: Uint8Array): void {
    const { scenario } = this.#parts;
    const fromMs = this.#heardMs;
    this.#heardMs += millisecondsOf(this.format, payload.length);
    if (meanAmplitude(payload) <= scenario.energyThreshold) return;
    this.#lastVoicedAt = this.#parts.now();
    if (!this.#open) {
      this.#open = true;
      this.#utterance += 1;
      this.#startMs = fromMs;
      this.#interimAt = fromMs + scenario.sttInterimEveryMs;
    }
    if (this.#heardMs >= this.#interimAt) this.#tellInterim();
    // One timer a stretch: set anew with every frame it would cost more than the frame.
    this.#final ??= this.#wait(scenario.sttFinalMs);
  }

  speech(): void {
    // It has its own measure of voice.
  }

  finalize(): void {
    if (this.#open) this.#asked = true;
    else queueMicrotask(() => this.#listener.flushed());
  }

  endTurn(): void {
    // Each stretch is an utterance of its own.
  }

  close(): void {
    this.#final?.cancel();
  }

  #wait(ms: number): Timer {
    return this.#parts.clock.setTimer(ms, () => {
      const left = this.#lastVoicedAt + this.#parts.scenario.sttFinalMs - this.#parts.now();
      if (left > 0.2) this.#final = this.#wait(left);
      else this.#tellFinal();
    });
  }

  #tellInterim(): void {
    this.#interimAt = this.#heardMs + this.#parts.scenario.sttInterimEveryMs;
    this.#tell(this.#words.slice(0, Math.max(1, Math.ceil(this.#words.length / 2))).join(" "), false);
  }

  #tellFinal(): void {
    const { note, scenario } = this.#parts;
    this.#final = undefined;
    this.#open = false;
    note("stt_last_voiced", this.#lastVoicedAt);
    note("stt_final");
    this.#tell(scenario.transcript, true);
    if (this.#asked) this.#listener.flushed();
    this.#asked = false;
  }

  #tell(text: string, final: boolean): void {
    this.#listener.transcript({
      utterance: this.#utterance,
      text,
      final,
      startMs: this.#startMs,
      endMs: this.#heardMs,
    });
  }
}
