import type { Transcriber, TranscriberHints, TranscriberListener, TranscriberStream } from "../ports/transcriber.ts";
import { FallbackHearing, type FallbackTranscriberParts } from "./fallback-hearing.ts";

/**
 * A transcriber with others behind it. When one fails, or says nothing after speech, the sound of the turn goes to the next one, which
 * stays until it fails itself; the first is asked again for a later turn, once it has rested. One per call.
 */
export class FallbackTranscriber implements Transcriber {
  readonly name: string;
  readonly finalMs?: number;
  readonly #parts: FallbackTranscriberParts;
  readonly #first: Transcriber;
  readonly #restUntilMs = new Map<Transcriber, number>();

  constructor(parts: FallbackTranscriberParts) {
    const [first] = parts.candidates;
    if (first === undefined) throw new RangeError("a fallback needs a transcriber to fall back from");
    this.#parts = parts;
    this.#first = first;
    this.name = first.name;
    if (first.finalMs !== undefined) this.finalMs = first.finalMs;
  }

  supports(language: string): boolean {
    return this.#first.supports(language);
  }

  open(hints: TranscriberHints, listener: TranscriberListener): TranscriberStream {
    return new FallbackHearing(this.#parts, this.#restUntilMs, hints, listener);
  }

  /** The transcribers belong to the process. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}
