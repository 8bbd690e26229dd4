import type { Dialogue, DialogueMove, Exchange } from "./dialogue.ts";
import { farEndOf, withoutMachine } from "./far-end.ts";

/**
 * Two dialogues in one: while an automated menu is on the line `menu` speaks, else `main`, which gets to know nothing that was said to
 * the menu. Who is on the line is read from the history alone, so an answer that is dropped leaves nothing behind.
 */
export class IvrDialogue implements Dialogue {
  readonly #main: Dialogue;
  readonly #menu: Pick<Dialogue, "respond">;

  constructor(main: Dialogue, menu: Pick<Dialogue, "respond">) {
    this.#main = main;
    this.#menu = menu;
  }

  open(signal: AbortSignal): AsyncIterable<DialogueMove> {
    return this.#main.open(signal);
  }

  respond(history: readonly Exchange[], signal: AbortSignal): AsyncIterable<DialogueMove> {
    if (farEndOf(history) === "ivr") return this.#menu.respond(history, signal);
    return this.#main.respond(withoutMachine(history), signal);
  }
}
