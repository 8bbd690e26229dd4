import type { EventLog, Note } from "../../../src/app/bench-engine/event-log.ts";
import type { Scenario } from "../../../src/app/bench-engine/scenario.ts";
import { decodeMulaw, encodeMulaw } from "../../../src/audio/g711.ts";
import { HalfbandDown, HalfbandUp } from "../../../src/audio/halfband.ts";
import type { Clock, Timer } from "../../../src/ports/clock.ts";
import type { MediaSocket } from "../../../src/ports/media-socket.ts";

type FloorParts = Readonly<{
  clock: Clock;
  /** The clock that events are noted by, in milliseconds. */
  now(): number;
  scenario: Scenario;
  log: EventLog;
}>;

const FRAME_MS = 20;
const FRAME_BYTES = 160;
/** Sent ahead of real time, as the engine does. */
const LEAD_MS = 40;
const PAYLOAD = '"payload":"';

/**
 * One call without an engine: the whole job in a straight line. Sound in, decoded, resampled and measured; scripted providers; the
 * answer resampled, encoded and paced out. Nothing is kept, nothing can fail, nobody else could be plugged in.
 */
export class FloorCall {
  readonly #socket: Pick<MediaSocket, "listen" | "send">;
  readonly #parts: FloorParts;
  readonly #toHearing = new HalfbandUp();
  readonly #timers = new Set<Timer>();
  #note: Note = () => undefined;
  #prefix = "";
  #loud = 0;
  #lastLoudAt = 0;
  #final: Timer | undefined;
  readonly #toLine = new HalfbandDown();
  /** The answer's sound at 8 kHz that was not sent yet, and how much of the first piece was. */
  #sound: Uint8Array[] = [];
  #sentOfFirst = 0;
  /** When what was sent will have been played. */
  #playedAt = 0;

  constructor(socket: Pick<MediaSocket, "listen" | "send">, parts: FloorParts) {
    this.#socket = socket;
    this.#parts = parts;
    socket.listen({ message: (data) => this.#read(data as string), closed: () => this.#forget() });
  }

  /** Sends what is due. */
  pace(now: number): void {
    while (this.#sound.length > 0 && Math.max(this.#playedAt, now) - now < LEAD_MS) {
      const first = this.#sound[0] as Uint8Array;
      const frame = first.subarray(this.#sentOfFirst, this.#sentOfFirst + FRAME_BYTES);
      this.#sentOfFirst += FRAME_BYTES;
      if (this.#sentOfFirst >= first.length) {
        this.#sound.shift();
        this.#sentOfFirst = 0;
      }
      this.#playedAt = Math.max(this.#playedAt, now) + FRAME_MS;
      const bytes = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength);
      this.#socket.send(`${this.#prefix}${bytes.toString("base64")}"}}`);
    }
  }

  #read(text: string): void {
    const at = text.indexOf(PAYLOAD);
    if (at >= 0) this.#hear(text.slice(at + PAYLOAD.length, text.indexOf('"', at + PAYLOAD.length)));
    else if (text.includes('"start"')) {
      const { streamSid, start } = JSON.parse(text) as { streamSid: string; start: { callSid: string } };
      this.#note = this.#parts.log.of(start.callSid);
      this.#prefix = `{"event":"media","streamSid":"${streamSid}","media":{"payload":"`;
    }
  }

  #hear(payload: string): void {
    const samples = this.#toHearing.process(decodeMulaw(Buffer.from(payload, "base64")));
    let sum = 0;
    for (const sample of samples) sum += Math.abs(sample);
    if (sum / samples.length <= this.#parts.scenario.energyThreshold) {
      this.#loud = 0;
      return;
    }
    this.#loud += 1;
    this.#lastLoudAt = this.#parts.now();
    if (this.#loud * FRAME_MS === this.#parts.scenario.vadStartMs && this.#playedAt > this.#lastLoudAt)
      this.#interrupt();
    this.#final ??= this.#wait(this.#parts.scenario.sttFinalMs);
  }

  #wait(ms: number): Timer {
    return this.#parts.clock.setTimer(ms, () => this.#finalDue());
  }

  #finalDue(): void {
    const left = this.#lastLoudAt + this.#parts.scenario.sttFinalMs - this.#parts.now();
    if (left > 0.2) {
      this.#final = this.#wait(left);
      return;
    }
    this.#final = undefined;
    this.#note("stt_last_voiced", this.#lastLoudAt);
    this.#note("stt_final");
    this.#answer();
  }

  #answer(): void {
    const { reply, llmTtftMs, llmTokenMs } = this.#parts.scenario;
    this.#note("llm_request");
    const from = this.#parts.now() + llmTtftMs;
    let words = 0;
    for (const [index, sentence] of reply.entries()) {
      words += sentence.split(" ").length;
      this.#after(from + (words - 1) * llmTokenMs, () => {
        if (index === 0) this.#note("llm_sentence_end");
        this.#speak(sentence);
      });
    }
  }

  #speak(sentence: string): void {
    const { ttsTtfbMs, ttsChunkMs, ttsChunkEveryMs, ttsMsPerChar } = this.#parts.scenario;
    this.#note("tts_request");
    const from = this.#parts.now() + ttsTtfbMs;
    const chunks = Math.ceil((sentence.length * ttsMsPerChar) / ttsChunkMs);
    for (let chunk = 0; chunk < chunks; chunk += 1)
      this.#after(from + chunk * ttsChunkEveryMs, () => {
        if (chunk === 0) this.#note("tts_first_audio");
        this.#sound.push(encodeMulaw(this.#toLine.process(toneOf(ttsChunkMs))));
        this.pace(this.#parts.now());
      });
  }

  #interrupt(): void {
    this.#socket.send(`{"event":"clear","streamSid":"${this.#prefix.split('"')[7]}"}`);
    this.#sound = [];
    this.#sentOfFirst = 0;
    this.#playedAt = 0;
    this.#cancelTimers();
  }

  #after(atMs: number, then: () => void): void {
    const timer = this.#parts.clock.setTimer(Math.max(0, atMs - this.#parts.now()), () => {
      this.#timers.delete(timer);
      then();
    });
    this.#timers.add(timer);
  }

  #forget(): void {
    this.#cancelTimers();
    this.#final?.cancel();
  }

  #cancelTimers(): void {
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
  }
}

const TONE = Int16Array.from({ length: 16_000 }, (_, at) => 8192 * Math.sin((2 * Math.PI * 300 * at) / 16_000));

const toneOf = (ms: number): Int16Array => TONE.subarray(0, ms * 16);
