import type { WebSocket } from "ws";
import { machineMs } from "../../../src/adapters/clock/machine.ts";
import type { EventLog, Note } from "../../../src/app/bench-engine/event-log.ts";
import type { Scenario } from "../../../src/app/bench-engine/scenario.ts";
import { decodeMulaw, encodeMulaw } from "../../../src/audio/g711.ts";
import { HalfbandDown, HalfbandUp } from "../../../src/audio/halfband.ts";

type Timer = ReturnType<typeof setTimeout>;

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
  readonly #ws: WebSocket;
  readonly #scenario: Scenario;
  readonly #log: EventLog;
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

  constructor(ws: WebSocket, scenario: Scenario, log: EventLog) {
    this.#ws = ws;
    this.#scenario = scenario;
    this.#log = log;
    ws.on("message", (data: Buffer) => this.#read(data.toString("latin1")));
    ws.on("close", () => this.#forget());
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
      this.#ws.send(`${this.#prefix}${bytes.toString("base64")}"}}`);
    }
  }

  #read(text: string): void {
    const at = text.indexOf(PAYLOAD);
    if (at >= 0) this.#hear(text.slice(at + PAYLOAD.length, text.indexOf('"', at + PAYLOAD.length)));
    else if (text.includes('"start"')) {
      const { streamSid, start } = JSON.parse(text) as { streamSid: string; start: { callSid: string } };
      this.#note = this.#log.of(start.callSid);
      this.#prefix = `{"event":"media","streamSid":"${streamSid}","media":{"payload":"`;
    }
  }

  #hear(payload: string): void {
    const samples = this.#toHearing.process(decodeMulaw(Buffer.from(payload, "base64")));
    let sum = 0;
    for (const sample of samples) sum += Math.abs(sample);
    if (sum / samples.length <= this.#scenario.energyThreshold) {
      this.#loud = 0;
      return;
    }
    this.#loud += 1;
    this.#lastLoudAt = machineMs();
    if (this.#loud * FRAME_MS === this.#scenario.vadStartMs && this.#playedAt > this.#lastLoudAt) this.#interrupt();
    this.#final ??= setTimeout(() => this.#finalDue(), this.#scenario.sttFinalMs);
  }

  #finalDue(): void {
    const left = this.#lastLoudAt + this.#scenario.sttFinalMs - machineMs();
    if (left > 0.2) {
      this.#final = setTimeout(() => this.#finalDue(), left);
      return;
    }
    this.#final = undefined;
    this.#note("stt_last_voiced", this.#lastLoudAt);
    this.#note("stt_final");
    this.#answer();
  }

  #answer(): void {
    const { reply, llmTtftMs, llmTokenMs } = this.#scenario;
    this.#note("llm_request");
    const from = machineMs() + llmTtftMs;
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
    const { ttsTtfbMs, ttsChunkMs, ttsChunkEveryMs, ttsMsPerChar } = this.#scenario;
    this.#note("tts_request");
    const from = machineMs() + ttsTtfbMs;
    const chunks = Math.ceil((sentence.length * ttsMsPerChar) / ttsChunkMs);
    for (let chunk = 0; chunk < chunks; chunk += 1)
      this.#after(from + chunk * ttsChunkEveryMs, () => {
        if (chunk === 0) this.#note("tts_first_audio");
        this.#sound.push(encodeMulaw(this.#toLine.process(toneOf(ttsChunkMs))));
        this.pace(machineMs());
      });
  }

  #interrupt(): void {
    this.#ws.send(`{"event":"clear","streamSid":"${this.#prefix.split('"')[7]}"}`);
    this.#sound = [];
    this.#sentOfFirst = 0;
    this.#playedAt = 0;
    this.#cancelTimers();
  }

  #after(atMs: number, then: () => void): void {
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        then();
      },
      Math.max(0, atMs - machineMs()),
    );
    this.#timers.add(timer);
  }

  #forget(): void {
    this.#cancelTimers();
    clearTimeout(this.#final);
  }

  #cancelTimers(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}

const TONE = Int16Array.from({ length: 16_000 }, (_, at) => 8192 * Math.sin((2 * Math.PI * 300 * at) / 16_000));

const toneOf = (ms: number): Int16Array => TONE.subarray(0, ms * 16);
