import type { ToolCall } from "../ports/language-model.ts";
import { PRESS_DIGITS } from "./functions.ts";
import type { Dialogue, DialogueMove, Exchange } from "./dialogue.ts";

/** What is said while a function runs; `undefined` says nothing. `said`: whether the agent has spoken in the same answer. */
export type Announce = (call: ToolCall, said: boolean, history: readonly Exchange[]) => string | undefined;

/**
 * Bridges the silence while functions run: what to say next, `undefined` as soon as there is nothing to wait for any more. `said`: what
 * is being heard meanwhile, of the same answer or of the last bridge; `count`: how often this was asked before.
 */
export type Bridge = (
  said: string,
  count: number,
  signal: AbortSignal,
  history: readonly Exchange[],
) => Promise<string | undefined>;

/**
 * A dialogue whose functions are announced and waited for with a word: the words follow what the dialogue itself said, belong to the same answer and count as
 * said like all others. A function that is called twice in one answer is announced once.
 */
export class AnnouncedDialogue implements Dialogue {
  readonly #dialogue: Dialogue;
  readonly #announce: Announce;
  readonly #bridge: Bridge;

  constructor(dialogue: Dialogue, announce: Announce, bridge: Bridge) {
    this.#dialogue = dialogue;
    this.#announce = announce;
    this.#bridge = bridge;
  }

  open(signal: AbortSignal): AsyncIterable<DialogueMove> {
    return this.#announced(this.#dialogue.open(signal), [], signal);
  }

  respond(history: readonly Exchange[], signal: AbortSignal): AsyncIterable<DialogueMove> {
    return this.#announced(this.#dialogue.respond(history, signal), history, signal);
  }

  async *#announced(
    moves: AsyncIterable<DialogueMove>,
    history: readonly Exchange[],
    signal: AbortSignal,
  ): AsyncGenerator<DialogueMove> {
    const announced = new Set<string>();
    let said = "";
    const say = (text: string): DialogueMove => {
      const gap = said === "" || /\s$/u.test(said) ? "" : " ";
      said += `${gap}${text} `;
      return { type: "say", text: `${gap}${text} ` };
    };
    for await (const move of moves) {
      yield move;
      if (move.type === "say") said += move.text;
      if (move.type !== "call" || announced.has(move.call.name)) continue;
      announced.add(move.call.name);
      const text = this.#announce(move.call, said.trim() !== "", history);
      if (text !== undefined && text.trim() !== "") yield say(text);
    }
    let last = said.trim();
    // Whoever speaks while a function runs is answered, and then waits on.
    if (announced.size === 0 && (said.trim() === "" || !isOpen(history))) return;
    for (let count = 0; ; count++) {
      const text = await this.#bridge(last, count, signal, history);
      if (text === undefined) return;
      last = text;
      yield say(text);
    }
  }
}

/** Whether a function of the history has not answered yet; keys that were pressed need no answer. */
const isOpen = (history: readonly Exchange[]): boolean => {
  const answered = new Set(history.flatMap((one) => (one.speaker === "function" ? [one.callId] : [])));
  return history.some(
    (one) =>
      one.speaker === "agent" &&
      (one.calls ?? []).some(({ id, name }) => name !== PRESS_DIGITS.name && !answered.has(id)),
  );
};
