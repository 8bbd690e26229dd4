import { withDeadline, type Clock } from "../ports/clock.ts";
import type { CatalogueModel, LanguageModel, ModelEvent, ModelRequest } from "../ports/language-model.ts";
import type { TextClock } from "./text-clock.ts";

/** In real time, a model that says nothing more for this long has failed, in milliseconds; nobody waits on a line. */
const STALLED_MS = 30_000;

/** A model that is asked in real time while the conversation's own time stands still. */
export class OutsideModel implements LanguageModel {
  readonly name: string;
  readonly scripted: boolean;
  readonly models: readonly CatalogueModel[];
  readonly #model: LanguageModel;
  readonly #conversation: TextClock;
  readonly #machine: Clock;

  constructor(model: LanguageModel, conversation: TextClock, machine: Clock) {
    this.name = model.name;
    this.scripted = model.scripted;
    this.models = model.models;
    this.#model = model;
    this.#conversation = conversation;
    this.#machine = machine;
  }

  async *generate(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const events = this.#model.generate(request, signal)[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = withDeadline(this.#machine, STALLED_MS, "the model's next word", events.next());
        const event = await this.#conversation.outside(next);
        if (event.done === true) return;
        yield event.value;
      }
    } finally {
      // The model stops by its signal; one that does not would hold up the conversation.
      void events.return?.(undefined).catch(() => undefined);
    }
  }

  /** The model stays its owner's. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}
