import type { Dialogue, DialogueMove, Exchange } from "./dialogue.ts";

/** Characters of one answer that are spoken, about six minutes; a model that goes on for longer has lost its way. */
export const MAX_SPOKEN_LENGTH = 6_000;

/**
 * A dialogue whose answers have an end: what one of them says beyond `MAX_SPOKEN_LENGTH` is dropped, at the last space before
 * it, while everything else that the answer does still counts. An announced transfer would otherwise hold the caller for as
 * long as a model finds words.
 */
export class BoundedDialogue implements Dialogue {
  readonly #dialogue: Dialogue;

  constructor(dialogue: Dialogue) {
    this.#dialogue = dialogue;
  }

  open(signal: AbortSignal): AsyncIterable<DialogueMove> {
    return bounded(this.#dialogue.open(signal));
  }

  respond(history: readonly Exchange[], signal: AbortSignal): AsyncIterable<DialogueMove> {
    return bounded(this.#dialogue.respond(history, signal));
  }
}

async function* bounded(moves: AsyncIterable<DialogueMove>): AsyncGenerator<DialogueMove> {
  let left = MAX_SPOKEN_LENGTH;
  for await (const move of moves) {
    if (move.type !== "say") yield move;
    else if (move.text.length <= left) {
      left -= move.text.length;
      yield move;
    } else if (left > 0) {
      const end = move.text.lastIndexOf(" ", left);
      left = 0;
      if (end > 0) yield { type: "say", text: move.text.slice(0, end) };
    }
  }
}
