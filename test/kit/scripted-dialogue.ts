import type { Dialogue, DialogueMove, Exchange } from "../../src/dialogue/dialogue.ts";
import { sleep, type Clock } from "../../src/ports/clock.ts";

/** One answer: moves, with waits in milliseconds between them, or a failure. */
export type Answer = readonly (DialogueMove | number | Error)[];

export const says = (text: string): DialogueMove => ({ type: "say", text });
export const hangsUp: DialogueMove = { type: "hang-up", reason: "agent_hangup" };

/** Says what the script says, in order, and remembers what it was told. A test that ends with answers left over has failed. */
export class ScriptedDialogue implements Dialogue {
  readonly asked: (readonly Exchange[])[] = [];
  readonly #clock: Clock;
  readonly #opening: Answer;
  readonly #answers: Answer[];

  constructor(clock: Clock, opening: Answer, answers: readonly Answer[]) {
    this.#clock = clock;
    this.#opening = opening;
    this.#answers = [...answers];
  }

  get left(): number {
    return this.#answers.length;
  }

  /** Drops the answers that are left, where how many are asked for is not the point. */
  forget(): void {
    this.#answers.length = 0;
  }

  open(signal: AbortSignal): AsyncIterable<DialogueMove> {
    return this.#give(this.#opening, signal);
  }

  respond(history: readonly Exchange[], signal: AbortSignal): AsyncIterable<DialogueMove> {
    this.asked.push(history);
    const answer = this.#answers.shift();
    if (answer === undefined) throw new Error("the dialogue was asked more often than its script has answers");
    return this.#give(answer, signal);
  }

  async *#give(answer: Answer, signal: AbortSignal): AsyncGenerator<DialogueMove> {
    for (const move of answer) {
      if (move instanceof Error) throw move;
      if (typeof move === "number") await sleep(this.#clock, move, signal);
      else yield move;
    }
  }
}
