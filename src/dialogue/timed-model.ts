import type { Clock } from "../ports/clock.ts";
import type { CatalogueModel, LanguageModel, ModelEvent, ModelRequest } from "../ports/language-model.ts";
import type { AnswerMetrics } from "../ports/metrics.ts";

/**
 * A model of which is counted how long it takes to begin. A turn's stages cannot tell: what is said while it thinks is the first word
 * that the caller hears. Answers that are to be JSON are for nobody on the line, and are not counted.
 */
export class TimedModel implements LanguageModel {
  readonly name: string;
  readonly scripted: boolean;
  readonly models: readonly CatalogueModel[];
  readonly #model: LanguageModel;
  readonly #clock: Clock;
  readonly #metrics: Partial<Pick<AnswerMetrics, "modelBegan">>;

  constructor(model: LanguageModel, clock: Clock, metrics: Partial<Pick<AnswerMetrics, "modelBegan">>) {
    this.name = model.name;
    this.scripted = model.scripted;
    this.models = model.models;
    this.#model = model;
    this.#clock = clock;
    this.#metrics = metrics;
  }

  async *generate(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const askedAt = this.#clock.monotonic();
    let waits = request.answer === undefined && !this.scripted;
    for await (const event of this.#model.generate(request, signal)) {
      if (waits && (event.type === "call" || (event.type === "text" && event.text !== ""))) {
        waits = false;
        this.#metrics.modelBegan?.(`${this.name}/${request.model}`, this.#clock.monotonic() - askedAt);
      }
      yield event;
    }
  }

  warm(): void {
    this.#model.warm?.();
  }

  close(): Promise<void> {
    return this.#model.close();
  }
}
