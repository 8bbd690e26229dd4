import type { WordTiming } from "./synthesizer.ts";

/** The sound of one piece of text, complete; word times count from its beginning, and are absent where the voice gave none. */
export type Phrase = Readonly<{ audio: Uint8Array; words?: readonly WordTiming[] }>;

/** Sound of texts that are said again and again, by a key that stands for text, voice, options and encoding. Bounded. */
export interface Phrases {
  /** What lies ready in this process. */
  get(key: string): Phrase | undefined;
  /** Brings what other processes made into this one; resolves when that is done or has failed, within 200 ms. */
  prefetch(keys: readonly string[]): Promise<void>;
  /** Keeps a phrase, and lets others go for it; returns at once. One that is too long to be kept is not. */
  put(key: string, phrase: Phrase): void;
  close(): Promise<void>;
}
