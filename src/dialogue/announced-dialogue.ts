import type { ToolCall } from "../ports/language-model.ts";
import type { Dialogue, DialogueMove, Exchange } from "./dialogue.ts";

/** What is said while a function runs; `undefined` says nothing. `said`: whether the agent has spoken in the same answer. */
export type Announce = (call: ToolCall, said: boolean) => string | undefined;

/**
 * A dialogue whose functions are announced: the words follow what the dialogue itself said, belong to the same answer and count as
 * said like all others. A function that is called twice in one answer is announced once.
 */
export class AnnouncedDialogue implements Dialogue {
  readonly #dialogue: Dialogue;
  readonly #announce: Announce;

  constructor(dialogue: Dialogue, announce: Announce) {
    this.#dialogue = dialogue;
    this.#announce = announce;
  }

  open(signal: AbortSignal): AsyncIterable<DialogueMove> {
    return this.#announced(this.#dialogue.open(signal));
  }

  respond(history: readonly Exchange[], signal: AbortSignal): AsyncIterable<DialogueMove> {
    return this.#announced(this.#dialogue.respond(history, signal));
  }

  async *#announced(moves: AsyncIterable<DialogueMove>): AsyncGenerator<DialogueMove> {
    const announced = new Set<string>();
    let said = "";
    for await (const move of moves) {
      yield move;
      if (move.type === "say") said += move.text;
      if (move.type !== "call" || announced.has(move.call.name)) continue;
      announced.add(move.call.name);
      const text = this.#announce(move.call, said.trim() !== "");
      if (text === undefined || text.trim() === "") continue;
      const gap = said === "" || /\s$/u.test(said) ? "" : " ";
      said += `${gap}${text} `;
      yield { type: "say", text: `${gap}${text} ` };
    }
  }
}
