/** What reasoning models behind many local servers put before their answer, in the answer's own text. */
const OPENING = "<think>";
const CLOSING = "</think>";

/**
 * Takes a model's thoughts out of its answer as it streams: a `<think>` block at the very beginning, which nobody may hear.
 * Anywhere else the tags are text. Holds back only what may still become a tag.
 */
export class ThoughtFilter {
  #state: "start" | "inside" | "after" = "start";
  #held = "";

  /** The part of the answer that is now certain to be no thought. */
  push(piece: string): string {
    if (this.#state === "after") return piece;
    this.#held += piece;
    if (this.#state === "start") {
      const text = this.#held.trimStart();
      if (text.length < OPENING.length && OPENING.startsWith(text)) return "";
      if (!text.startsWith(OPENING)) return this.#release(this.#held);
      this.#state = "inside";
      this.#held = text.slice(OPENING.length);
    }
    const close = this.#held.indexOf(CLOSING);
    if (close < 0) {
      this.#held = this.#held.slice(-(CLOSING.length - 1));
      return "";
    }
    return this.#afterThought(this.#held.slice(close + CLOSING.length));
  }

  /** What was held back when the answer ended; an unfinished thought stays unsaid. */
  end(): string {
    return this.#state === "start" ? this.#release(this.#held) : "";
  }

  #afterThought(text: string): string {
    // Blank lines follow the thought; what comes after them may hold a second one.
    this.#state = "start";
    this.#held = "";
    return text === "" ? "" : this.push(text);
  }

  #release(text: string): string {
    this.#state = "after";
    this.#held = "";
    return text.trimStart();
  }
}
