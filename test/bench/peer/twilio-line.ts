import { decodeMulaw, encodeMulaw } from "../../../src/audio/g711.ts";

/** What a carrier's message says, as far as a call is concerned. */
export type LineMessage =
  | Readonly<{ event: "start"; callId: string; streamId: string }>
  | Readonly<{ event: "media"; /** 8 kHz. */ samples: Int16Array }>;

const FRAME_MS = 20;
const FRAME_BYTES = 160;
const RATE = 8000;
/** Sent ahead of real time, as engine and floor do. */
const LEAD_MS = 40;
const SILENCE = 0xff;
const NOTHING = new Uint8Array();

/** What a message of a Twilio media stream says; `undefined` for those that a call does not need. */
export const readMessage = (text: string): LineMessage | undefined => {
  const { event, start, streamSid, media } = JSON.parse(text) as {
    event: string;
    streamSid?: string;
    start?: { callSid: string };
    media?: { payload: string };
  };
  if (event === "media" && media !== undefined)
    return { event, samples: decodeMulaw(Buffer.from(media.payload, "base64")) };
  if (event === "start" && start !== undefined)
    return { event, callId: start.callSid, streamId: streamSid ?? start.callSid };
  return undefined;
};

/** The way out of a call: sound is cut into frames of 20 ms and sent when they are due. `pace` is to be called every few milliseconds. */
export class TwilioLine {
  readonly #send: (text: string) => void;
  readonly #now: () => number;
  readonly #streamId: string;
  readonly #prefix: string;
  /** Frames that were not sent, and what is to be told once those before it were played. */
  #due: (Uint8Array | (() => void))[] = [];
  #rest: Uint8Array = NOTHING;
  /** When what was sent will have been played. */
  #playedAt = 0;
  #sentMs = 0;

  /** `now`: milliseconds of a clock that never goes back. */
  constructor(streamId: string, send: (text: string) => void, now: () => number) {
    this.#streamId = streamId;
    this.#send = send;
    this.#now = now;
    this.#prefix = `{"event":"media","streamSid":"${streamId}","media":{"payload":"`;
  }

  /** Says these samples at 8 kHz after all that is to be said before. */
  say(samples: Int16Array): void {
    const bytes = encodeMulaw(samples);
    const rest = this.#rest;
    const sound = rest.length === 0 ? bytes : new Uint8Array(rest.length + bytes.length);
    if (rest.length > 0) {
      sound.set(rest);
      sound.set(bytes, rest.length);
    }
    const whole = sound.length - (sound.length % FRAME_BYTES);
    for (let from = 0; from < whole; from += FRAME_BYTES) this.#due.push(sound.subarray(from, from + FRAME_BYTES));
    this.#rest = sound.subarray(whole);
    this.pace(this.#now());
  }

  /** The utterance is complete; `heard` is told how many milliseconds it was, once it was played. */
  end(heard: (ms: number) => void): void {
    if (this.#rest.length > 0) {
      const last = new Uint8Array(FRAME_BYTES).fill(SILENCE);
      last.set(this.#rest);
      this.#due.push(last);
      this.#rest = NOTHING;
    }
    this.#due.push(() => {
      const ms = this.#sentMs;
      this.#sentMs = 0;
      heard(ms);
    });
  }

  /** Stops at once, here and at the carrier's; answers how many milliseconds of the utterance were heard. */
  clear(): number {
    const heardMs = Math.max(0, this.#sentMs - Math.max(0, this.#playedAt - this.#now()));
    this.#due = [];
    this.#rest = NOTHING;
    this.#playedAt = 0;
    this.#sentMs = 0;
    this.#send(`{"event":"clear","streamSid":"${this.#streamId}"}`);
    return heardMs;
  }

  /** Sends what is due at `now`. */
  pace(now: number): void {
    for (let next = this.#due[0]; next !== undefined; next = this.#due[0]) {
      if (typeof next === "function") {
        if (this.#playedAt > now) return;
        this.#due.shift();
        next();
        continue;
      }
      if (this.#playedAt - now >= LEAD_MS) return;
      this.#due.shift();
      this.#playedAt = Math.max(this.#playedAt, now) + FRAME_MS;
      this.#sentMs += FRAME_MS;
      const bytes = Buffer.from(next.buffer, next.byteOffset, next.byteLength);
      this.#send(`${this.#prefix}${bytes.toString("base64")}"}}`);
    }
  }
}

/** The rate of {@link LineMessage} and {@link TwilioLine.say}, in Hz. */
export const LINE_RATE = RATE;
