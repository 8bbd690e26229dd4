import type { Phrase, Phrases } from "../../ports/phrases.ts";

/** No phrase may take more than this share of all room, so that one long greeting does not drive all others out. */
const MOST_SHARE = 0.25;

/** What a word time takes beside its text, roughly, in bytes. */
const WORD_BYTES = 64;

/** Phrases in this process, at most `mostBytes` of them; whoever was not asked for the longest time goes first. */
export const memoryPhrases = (mostBytes: number): Phrases => {
  const kept = new Map<string, Phrase>();
  let bytes = 0;
  const drop = (key: string, phrase: Phrase) => {
    kept.delete(key);
    bytes -= sizeOf(phrase);
  };
  return {
    get(key) {
      const phrase = kept.get(key);
      if (phrase === undefined) return undefined;
      // A map keeps the order in which keys were added: the first is the one that was asked for longest ago.
      kept.delete(key);
      kept.set(key, phrase);
      return phrase;
    },
    prefetch: () => Promise.resolve(),
    put(key, phrase) {
      if (sizeOf(phrase) > mostBytes * MOST_SHARE) return;
      const before = kept.get(key);
      if (before !== undefined) drop(key, before);
      kept.set(key, phrase);
      bytes += sizeOf(phrase);
      for (const [oldest, one] of kept) {
        if (bytes <= mostBytes) break;
        drop(oldest, one);
      }
    },
    close() {
      kept.clear();
      bytes = 0;
      return Promise.resolve();
    },
  };
};

/** Memory that a phrase takes, about, in bytes. */
const sizeOf = ({ audio, words = [] }: Phrase): number => audio.length + words.length * WORD_BYTES;
