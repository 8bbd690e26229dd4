import type {
  Transcriber,
  TranscriberHints,
  TranscriberListener,
  TranscriberStream,
} from "../../../ports/transcriber.ts";
import { DecodeQueue } from "./decode-queue.ts";
import { correctionOf } from "./keywords.ts";
import type { Lexicon } from "./lexicon.ts";
import { withKeywords } from "./recognizer-with-keywords.ts";
import type { Recognizer } from "./recognizer.ts";
import { LocalStream } from "./stream.ts";

/** Decodes that may wait before new ones are refused; a stream has one at a time, so this is also the most streams. */
const MOST_WAITING = 256;

/**
 * Moonshine for every stream of the process. English only. The network takes no keywords, so that they are put into its texts where
 * something sounds nearly like them.
 */
export class LocalTranscriber implements Transcriber {
  readonly name = "local";
  /** Moonshine base with both cores busy: 411 ms in the median. */
  readonly finalMs = 400;
  // A long turn on a busy machine is decoded in its own time; nobody else would be quicker there.
  readonly silentMs = 2000;
  readonly #recognizer: Recognizer;
  readonly #lexicon: Lexicon;
  readonly #queue: DecodeQueue;
  readonly #streams = new Set<LocalStream>();
  #closed = false;

  /** `slots` decodes run at once, each on a core of its own. */
  constructor(recognizer: Recognizer, lexicon: Lexicon, slots: number) {
    this.#recognizer = recognizer;
    this.#lexicon = lexicon;
    this.#queue = new DecodeQueue(slots, MOST_WAITING);
  }

  supports(language: string): boolean {
    return /^en(?:-|$)/i.test(language);
  }

  open({ keywords }: TranscriberHints, listener: TranscriberListener): TranscriberStream {
    if (this.#closed) throw new Error("the transcriber is closed");
    const stream = new LocalStream(listener, {
      recognizer:
        keywords.length === 0
          ? this.#recognizer
          : withKeywords(this.#recognizer, correctionOf(keywords, this.#lexicon)),
      queue: this.#queue,
      closed: (closed) => this.#streams.delete(closed),
    });
    this.#streams.add(stream);
    return stream;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const stream of this.#streams) stream.close();
  }
}
