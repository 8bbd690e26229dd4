import { once } from "node:events";
import { WebSocket } from "ws";
import { machineMs } from "../../../src/adapters/clock/machine.ts";
import { SILENT_FRAME, voicedFrames } from "./spoken-frames.ts";

/** One question of the caller and what came of it; times on the machine's monotonic clock, in milliseconds. */
export type Turn = {
  /** When the first and the last voiced frame had been written. */
  readonly firstVoicedAt: number;
  lastVoicedAt: number;
  /** When the first `media` of the answer was read; absent: none came. */
  answeredAt?: number;
  /** Spoken into the answer before. */
  readonly interrupts: boolean;
  /** When `clear` was read, where it interrupts. */
  clearedAt?: number;
};

export type PhoneReport = Readonly<{
  callId: string;
  turns: readonly Turn[];
  /** How much later than the first frame of its answer, and 20 ms for each since, every `media` came; below 0: earlier. */
  lateness: readonly number[];
  /** Answers that never came, interruptions that stopped nothing. */
  lostTurns: number;
  missedInterruptions: number;
  closedEarly: boolean;
}>;

const FRAME_MS = 20;
const SPOKEN_FRAMES = 50;
const SPOKEN = voicedFrames(SPOKEN_FRAMES);
/** Into the answer, until an interruption. */
const INTERRUPT_MS = 1000;
/** An answer without sound for so long is over; and so long the caller then thinks. */
const OVER_MS = 300;
const THINK_MS = 400;
/** An answer that has not come by now never will. */
const PATIENCE_MS = 6000;

type Phase = "thinking" | "speaking" | "waiting" | "listening";

/**
 * A caller on a Twilio media stream who says a second's worth, waits for the answer, and interrupts every second one a second after it
 * began. `tick` is called when a frame is due; the owner keeps the time.
 */
export class BenchPhone {
  readonly callId: string;
  readonly #ws: WebSocket;
  readonly #turns: Turn[] = [];
  readonly #lateness: number[] = [];
  #phase: Phase = "thinking";
  #frames = 0;
  #spoken = 0;
  #phaseAt = 0;
  #lostTurns = 0;
  #missed = 0;
  #lastHeardAt = 0;
  #answer = { fromAt: 0, frames: 0 };
  #closed = false;
  #closedEarly = false;

  constructor(url: string, callId: string) {
    this.callId = callId;
    this.#ws = new WebSocket(url, { perMessageDeflate: false });
    this.#ws.on("message", (data: Buffer) => this.#heard(data.toString("latin1", 0, 32)));
    this.#ws.on("error", () => this.#ws.terminate());
    this.#ws.on("close", () => {
      this.#closedEarly = !this.#closed;
    });
  }

  /** Opens the stream; `thinkMs` until the first word. */
  async start(thinkMs: number): Promise<void> {
    await once(this.#ws, "open");
    const { callId } = this;
    const mediaFormat = { encoding: "audio/x-mulaw", sampleRate: 8000, channels: 1 };
    this.#send(JSON.stringify({ event: "connected", protocol: "Call", version: "1.0.0" }));
    const start = { streamSid: `MZ${callId}`, accountSid: "AC1", callSid: callId, tracks: ["inbound"], mediaFormat };
    this.#send(JSON.stringify({ event: "start", sequenceNumber: "1", streamSid: `MZ${callId}`, start }));
    this.#phaseAt = machineMs() + thinkMs;
  }

  tick(): void {
    if (this.#closed || this.#ws.readyState !== WebSocket.OPEN) return;
    const now = machineMs();
    this.#decide(now);
    const speaking = this.#phase === "speaking";
    this.#sendFrame(speaking ? (SPOKEN[this.#spoken] as string) : SILENT_FRAME);
    if (speaking) this.#hasSpoken(machineMs());
  }

  hangUp(): void {
    this.#closed = true;
    this.#send(`{"event":"stop","sequenceNumber":"${this.#frames + 2}","streamSid":"MZ${this.callId}"}`);
    this.#ws.close();
  }

  report(): PhoneReport {
    return {
      callId: this.callId,
      turns: this.#turns.filter(({ answeredAt }) => answeredAt !== undefined),
      lateness: this.#lateness,
      lostTurns: this.#lostTurns,
      missedInterruptions: this.#missed,
      closedEarly: this.#closedEarly,
    };
  }

  /** What the caller does from now on. */
  #decide(now: number): void {
    const interrupts = this.#turns.length % 2 === 0;
    switch (this.#phase) {
      case "thinking":
        if (now >= this.#phaseAt) this.#speak(now, false);
        break;
      case "waiting":
        if (now < this.#phaseAt + PATIENCE_MS) break;
        this.#lostTurns += 1;
        this.#think(now);
        break;
      case "listening":
        if (interrupts && now >= this.#answer.fromAt + INTERRUPT_MS) this.#speak(now, true);
        else if (now >= this.#lastHeardAt + OVER_MS) this.#think(now);
        break;
      case "speaking":
        break;
    }
  }

  #think(now: number): void {
    this.#phase = "thinking";
    this.#phaseAt = now + THINK_MS;
  }

  #speak(now: number, interrupts: boolean): void {
    this.#phase = "speaking";
    this.#spoken = 0;
    this.#turns.push({ firstVoicedAt: now, lastVoicedAt: now, interrupts });
  }

  #hasSpoken(now: number): void {
    const turn = this.#turns.at(-1);
    if (turn === undefined) return;
    turn.lastVoicedAt = now;
    this.#spoken += 1;
    if (this.#spoken < SPOKEN_FRAMES) return;
    if (turn.interrupts && turn.clearedAt === undefined) this.#missed += 1;
    this.#phase = "waiting";
    this.#phaseAt = now;
  }

  #heard(head: string): void {
    const now = machineMs();
    if (head.includes('"clear"')) this.#cleared(now);
    else if (head.includes('"media"')) this.#sound(now);
  }

  #cleared(now: number): void {
    const turn = this.#turns.at(-1);
    if (turn?.interrupts === true && this.#phase === "speaking") turn.clearedAt ??= now;
  }

  #sound(now: number): void {
    this.#lastHeardAt = now;
    if (this.#phase === "waiting") {
      this.#phase = "listening";
      this.#answer = { fromAt: now, frames: 0 };
      const turn = this.#turns.at(-1);
      if (turn !== undefined) turn.answeredAt = now;
    }
    if (this.#phase !== "listening") return;
    this.#lateness.push(now - this.#answer.fromAt - this.#answer.frames * FRAME_MS);
    this.#answer.frames += 1;
  }

  #sendFrame(payload: string): void {
    this.#frames += 1;
    const { callId } = this;
    const number = this.#frames;
    this.#send(
      `{"event":"media","sequenceNumber":"${number + 1}","media":{"track":"inbound","chunk":"${number}","timestamp":"${number * FRAME_MS}","payload":"${payload}"},"streamSid":"MZ${callId}"}`,
    );
  }

  #send(text: string): void {
    if (this.#ws.readyState === WebSocket.OPEN) this.#ws.send(text);
  }
}
