import { toError } from "../kit/errors.ts";
import { Scope } from "../kit/scope.ts";
import type { AudioFormat } from "../model/audio.ts";
import type { SpeechSynthesizer, SpokenChunk, VoiceSettings } from "../ports/synthesizer.ts";

/**
 * One piece of text that another voice begins to speak before it is known whether it will be needed. Its sound is kept until somebody
 * asks for it; a piece is at most some ten seconds of it.
 */
export class HeadStart {
  readonly text: string;
  readonly #scope = new Scope("a head start");
  readonly #chunks: SpokenChunk[] = [];
  #end: Readonly<{ error?: Error }> | undefined;
  #wake: (() => void) | undefined;

  constructor(text: string, voice: SpeechSynthesizer, settings: VoiceSettings, line: AudioFormat) {
    this.text = text;
    void this.#make(voice.synthesize(only(text), settings, line, this.#scope.signal));
  }

  /** The sound of the piece, from its beginning; fails as the voice does. Read by one reader, once. */
  async *sound(signal: AbortSignal): AsyncGenerator<SpokenChunk> {
    const stop = () => this.#wake?.();
    signal.addEventListener("abort", stop, { once: true });
    try {
      while (!isAborted(signal)) {
        const chunk = this.#chunks.shift();
        if (chunk !== undefined) yield chunk;
        else if (this.#end?.error !== undefined) throw this.#end.error;
        else if (this.#end !== undefined) return;
        else
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
      }
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  /** Stops the voice; nobody needs it, or what it made was used. */
  async close(): Promise<void> {
    await this.#scope.close();
  }

  async #make(sound: AsyncIterable<SpokenChunk>): Promise<void> {
    try {
      for await (const chunk of sound) {
        this.#chunks.push(chunk);
        this.#wake?.();
      }
      this.#end = {};
    } catch (error) {
      this.#end = { error: toError(error) };
    }
    this.#wake?.();
  }
}

async function* only(text: string): AsyncGenerator<string> {
  yield text;
}

/** A function, because the compiler takes a signal that was once found live for live for ever. */
const isAborted = (signal: AbortSignal): boolean => signal.aborted;
