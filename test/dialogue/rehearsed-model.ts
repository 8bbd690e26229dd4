import { sleep, type Clock } from "../../src/ports/clock.ts";
import type { LanguageModel, ModelEvent, ModelRequest } from "../../src/ports/language-model.ts";

/** What a rehearsed model does when asked once: events in order, or a failure; numbers wait for milliseconds, `hang` for the abort. */
export type Rehearsal = readonly (ModelEvent | Error | "hang" | number)[];

/** A model that gives prepared answers in order, keeps what it was asked, and knows whether all of it was used. */
export class RehearsedModel implements LanguageModel {
  readonly name = "rehearsed";
  readonly scripted = false;
  readonly models = [];
  readonly requests: ModelRequest[] = [];
  /** Answers that were stopped before their end. */
  stopped = 0;
  readonly #answers: Rehearsal[];
  #clock: Clock | undefined;

  constructor(...answers: readonly Rehearsal[]) {
    this.#answers = [...answers];
  }

  /** The clock that its waits go by. */
  by(clock: Clock): this {
    this.#clock = clock;
    return this;
  }

  /** Answers that nobody asked for; a test ends with 0. */
  get left(): number {
    return this.#answers.length;
  }

  async *generate(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    this.requests.push(request);
    const answer = this.#answers.shift();
    if (answer === undefined) throw new Error("the model was asked more often than rehearsed");
    let finished = false;
    try {
      for (const step of answer) {
        if (step === "hang") await waitFor(signal);
        else if (typeof step === "number") await this.#wait(step, signal);
        else if (step instanceof Error) throw step;
        else yield step;
      }
      finished = true;
    } finally {
      if (!finished) this.stopped += 1;
    }
  }

  #wait(ms: number, signal: AbortSignal): Promise<void> {
    if (this.#clock === undefined) throw new Error("a rehearsal that waits needs a clock");
    return sleep(this.#clock, ms, signal);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const waitFor = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => {
      reject(new Error("aborted"));
    });
  });
