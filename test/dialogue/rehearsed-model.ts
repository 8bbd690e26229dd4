import type { LanguageModel, ModelEvent, ModelRequest } from "../../src/ports/language-model.ts";

/** What a rehearsed model does when asked once: events in order, or a failure; `hang` waits for the abort. */
export type Rehearsal = readonly (ModelEvent | Error | "hang")[];

/** A model that gives prepared answers in order, keeps what it was asked, and knows whether all of it was used. */
export class RehearsedModel implements LanguageModel {
  readonly name = "rehearsed";
  readonly scripted = false;
  readonly models = [];
  readonly requests: ModelRequest[] = [];
  /** Answers that were stopped before their end. */
  stopped = 0;
  readonly #answers: Rehearsal[];

  constructor(...answers: readonly Rehearsal[]) {
    this.#answers = [...answers];
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
        else if (step instanceof Error) throw step;
        else yield step;
      }
      finished = true;
    } finally {
      if (!finished) this.stopped += 1;
    }
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
