/** Words that the scripted vendors know; each is heard where its byte sounds for long enough. */
export const WORDS = [
  "book", "a", "table", "for", "four", "people", "please", "call", "me", "back", "tomorrow", "morning",
  "naïve", "Zürich", "東京", "привет", "😀", "one", "two", "three", "five", "six", "seven", "eight", "nine", "ten",
] as const; // prettier-ignore

export type HeardWord = Readonly<{ text: string; startMs: number; endMs: number }>;

const SILENCE = 0xff;
const BYTES_PER_MS = 8;
const WORD_MS = 240;
const GAP_MS = 60;

/** A run of one byte that is shorter than this is noise. */
const SHORTEST_WORD_MS = 100;

/** 8 kHz µ-law in which each word is one byte over and over, with a gap behind it. */
export const sayBytes = (...words: readonly string[]): Uint8Array => {
  const sound = new Uint8Array(words.length * (WORD_MS + GAP_MS) * BYTES_PER_MS).fill(SILENCE);
  for (const [index, word] of words.entries()) {
    const known = (WORDS as readonly string[]).indexOf(word);
    if (known < 0) throw new RangeError(`nobody here knows the word ${word}`);
    const from = index * (WORD_MS + GAP_MS) * BYTES_PER_MS;
    sound.fill(known + 1, from, from + WORD_MS * BYTES_PER_MS);
  }
  return sound;
};

export const quietBytes = (ms: number): Uint8Array => new Uint8Array(ms * BYTES_PER_MS).fill(SILENCE);

/** Hears the words of {@link sayBytes} in order, with their times since the first byte, and so tells sound that was lost or came twice. */
export class ByteEars {
  readonly words: HeardWord[] = [];
  #at = 0;
  #byte = SILENCE;
  #from = 0;

  get heardMs(): number {
    return this.#at / BYTES_PER_MS;
  }

  /** Milliseconds since the last word ended; none while one is said. */
  get silentMs(): number {
    if (this.#byte !== SILENCE) return 0;
    return this.heardMs - (this.words.at(-1)?.endMs ?? 0);
  }

  feed(sound: Uint8Array): void {
    for (const byte of sound) {
      if (byte !== this.#byte) this.#turn(byte);
      this.#at += 1;
    }
  }

  #turn(byte: number): void {
    const [startMs, endMs] = [this.#from / BYTES_PER_MS, this.#at / BYTES_PER_MS];
    const text = WORDS[this.#byte - 1];
    if (text !== undefined && endMs - startMs >= SHORTEST_WORD_MS) this.words.push({ text, startMs, endMs });
    this.#byte = byte;
    this.#from = this.#at;
  }
}
