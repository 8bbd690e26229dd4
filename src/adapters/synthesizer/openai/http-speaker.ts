import { Agent, request } from "undici";
import type { AudioFormat } from "../../../model/audio.ts";
import type { Clock } from "../../../ports/clock.ts";
import { kindOfStatus, ProviderError } from "../../../ports/provider-error.ts";
import type { PieceChunk, PieceSpeaker, VendorVoice } from "../streaming/piece-speaker.ts";

/** What the vendor's raw sound is; it offers no other. */
export const OPENAI_FORMAT: AudioFormat = { encoding: "linear16", sampleRate: 24_000 };

export const DEFAULT_MODEL = "gpt-4o-mini-tts";

/** A vendor that owes sound and sends nothing for this long has failed; callers look for another voice long before. */
const STALLED_MS = 5000;

/** Connections stay open between replies. */
const KEEP_ALIVE_MS = 60_000;

/** Asks for each piece by one request, and passes its sound on as it comes. */
export class HttpSpeaker implements PieceSpeaker {
  readonly #name: string;
  readonly #baseUrl: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #clock: Clock;
  readonly #agent = new Agent({ keepAliveTimeout: KEEP_ALIVE_MS, bodyTimeout: 0, headersTimeout: 0 });
  readonly #open = new Set<AbortController>();
  #closing: Promise<void> | undefined;

  constructor(name: string, baseUrl: string, apiKey: string, clock: Clock) {
    this.#name = name;
    this.#baseUrl = baseUrl;
    this.#headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
    this.#clock = clock;
  }

  async *speak(
    text: string,
    voice: VendorVoice,
    _format: AudioFormat,
    signal: AbortSignal,
  ): AsyncGenerator<PieceChunk, void, undefined> {
    if (signal.aborted) return;
    const attempt = new AbortController();
    const stop = () => {
      attempt.abort(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
    this.#open.add(attempt);
    try {
      for await (const audio of this.#sound(text, voice, attempt)) {
        if (isAborted(signal)) return;
        yield { audio };
      }
    } catch (error) {
      if (!isAborted(signal)) throw this.#closing === undefined ? error : this.#failure("unavailable", "is closed");
    } finally {
      signal.removeEventListener("abort", stop);
      this.#open.delete(attempt);
      attempt.abort();
    }
  }

  /** A small question leaves a connection open for the first piece. */
  warm(): void {
    if (this.#closing !== undefined) return;
    const attempt = new AbortController();
    this.#open.add(attempt);
    const timer = this.#clock.setTimer(STALLED_MS, () => {
      attempt.abort();
    });
    const { signal } = attempt;
    request(`${this.#baseUrl}/models/${DEFAULT_MODEL}`, { dispatcher: this.#agent, headers: this.#headers, signal })
      .then(({ body }) => body.dump())
      .catch(() => undefined)
      .finally(() => {
        timer.cancel();
        this.#open.delete(attempt);
      });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    for (const attempt of this.#open) attempt.abort();
    await this.#agent.destroy();
  }

  async *#sound(text: string, { id, options }: VendorVoice, attempt: AbortController): AsyncGenerator<Uint8Array> {
    const state = { stalled: false };
    const stall = () => {
      state.stalled = true;
      attempt.abort();
    };
    let watch = this.#clock.setTimer(STALLED_MS, stall);
    const { speed, instructions, model = DEFAULT_MODEL } = options;
    try {
      const { statusCode, body } = await request(`${this.#baseUrl}/audio/speech`, {
        method: "POST",
        dispatcher: this.#agent,
        headers: this.#headers,
        signal: attempt.signal,
        body: JSON.stringify({
          model,
          voice: id,
          input: text,
          response_format: "pcm",
          ...(speed === undefined ? {} : { speed: Number(speed) }),
          ...(instructions === undefined || instructions === "" ? {} : { instructions }),
        }),
      });
      const kind = kindOfStatus(statusCode);
      if (kind !== undefined) {
        await body.dump();
        throw this.#failure(kind, `answered with status ${statusCode}`);
      }
      for await (const chunk of body) {
        watch.cancel();
        yield chunk as Uint8Array;
        watch = this.#clock.setTimer(STALLED_MS, stall);
      }
    } catch (cause) {
      if (cause instanceof ProviderError) throw cause;
      throw state.stalled
        ? this.#failure("timeout", `sent nothing for ${STALLED_MS} ms`)
        : this.#failure("unavailable", "broke off or could not be reached", cause);
    } finally {
      watch.cancel();
    }
  }

  #failure(kind: ProviderError["kind"], what: string, cause?: unknown): ProviderError {
    return new ProviderError(this.#name, kind, what, cause);
  }
}

/** A function, because the compiler takes a signal that was once found live for live for ever. */
const isAborted = (signal: AbortSignal): boolean => signal.aborted;
