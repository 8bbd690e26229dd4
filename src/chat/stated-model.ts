import { asksToExtract } from "../dialogue/extraction.ts";
import { normalizeText } from "../dialogue/flow/conditions.ts";
import { judgedConditions } from "../dialogue/flow/judgement-request.ts";
import { sleep, type Clock } from "../ports/clock.ts";
import type { CatalogueModel, LanguageModel, ModelEvent, ModelRequest } from "../ports/language-model.ts";
import { ProviderError } from "../ports/provider-error.ts";
import type { Conversation, StatedAnswers } from "./conversation-schema.ts";

/** What is said where a conversation states no words. */
const NO_WORDS = "I see.";

/**
 * The language model of a conversation that states itself what its model judges and says, so that flows with conditions in words go the
 * same way each time, without a model to ask. What it states is read as a model's answer would be.
 */
export class StatedModel implements LanguageModel {
  readonly name = "stated";
  /** It stands in for a model that judges, which the built-in script does not. */
  readonly scripted = false;
  readonly models: readonly CatalogueModel[] = [];
  /** Conditions that are stated to hold and were not among those that were asked about. */
  readonly unknown: string[] = [];
  readonly #clock: Clock;
  #stated: StatedAnswers = {};
  #said = 0;
  #extracted = 0;

  /** `clock`: the conversation's, in which `afterMs` passes. */
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What counts from now on. */
  state(stated: StatedAnswers): void {
    this.#stated = stated;
    this.#said = 0;
    this.#extracted = 0;
  }

  async *generate({ messages }: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const { afterMs = 0, fails } = this.#stated;
    const extracting = asksToExtract(messages);
    // Nobody waits for what is taken out of a call that is over, and its time stands still.
    if (afterMs > 0 && !extracting) await sleep(this.#clock, afterMs, signal).catch(() => undefined);
    if (signal.aborted) return;
    if (fails === true) throw new ProviderError(this.name, "unavailable", "the conversation lets its model fail");
    const conditions = judgedConditions(messages);
    if (conditions !== undefined) yield { type: "text", text: this.#judged(conditions) };
    else if (extracting) yield { type: "text", text: this.#extract() };
    else yield* this.#words();
    yield { type: "done" };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #judged(conditions: readonly string[]): string {
    const { answer = null, holds = [] } = this.#stated;
    const asked = conditions.map(normalizeText);
    for (const condition of holds) if (!asked.includes(normalizeText(condition))) this.unknown.push(condition);
    const stated = new Set(holds.map(normalizeText));
    const numbers = asked.flatMap((condition, index) => (stated.has(condition) ? [index + 1] : []));
    return JSON.stringify({ answer, holds: numbers });
  }

  #extract(): string {
    const all = list(this.#stated.extracts);
    const one = all[Math.min(this.#extracted++, all.length - 1)] ?? {};
    return typeof one === "string" ? one : JSON.stringify(one);
  }

  *#words(): Generator<ModelEvent> {
    const number = this.#said++;
    const one = list(this.#stated.says)[number] ?? NO_WORDS;
    const { text = "", calls = [] } = typeof one === "string" ? { text: one } : one;
    if (text !== "") yield { type: "text", text };
    for (const [index, { name, args = {} }] of calls.entries()) {
      const id = `stated_${number}_${index}`;
      yield { type: "call", call: { id, name, args: typeof args === "string" ? args : JSON.stringify(args) } };
    }
  }
}

/** Whether a conversation states what its model judges and says. */
export const statesModel = ({ model, steps = [] }: Partial<Pick<Conversation, "model" | "steps">>): boolean =>
  model !== undefined || steps.some((step) => step.model !== undefined);

const list = <T>(value: T | readonly T[] | undefined): readonly T[] => {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly T[]) : [value as T];
};
