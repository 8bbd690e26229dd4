import type { CallPlan } from "../model/call-plan.ts";
import type { Clock } from "../ports/clock.ts";
import type { LanguageModel, ModelEvent, ModelMessage, ModelRequest, Tool } from "../ports/language-model.ts";
import { ProviderError } from "../ports/provider-error.ts";
import { withinWindow } from "./context-window.ts";
import type { Dialogue, DialogueMove, Exchange } from "./dialogue.ts";
import { builtInTools, END_CALL, offerFunctions, PRESS_DIGITS } from "./functions.ts";
import { keysIn } from "./keys.ts";
import { ownWords } from "./own-words.ts";
import { spokenLanguage } from "./spoken-language.ts";
import { fillIn, systemMessage } from "./system-message.ts";
import { untilAborted } from "./until-aborted.ts";

/** A language model and the id by which it is asked for. */
export type ChosenModel = Readonly<{ model: LanguageModel; modelId: string }>;

/** The dialogue of a STANDARD prompt: one model, one text of instructions, the agent's functions as tools. */
export class PromptDialogue implements Dialogue {
  readonly #plan: CallPlan;
  readonly #chosen: ChosenModel;
  readonly #system: ModelMessage & Readonly<{ role: "system" }>;
  readonly #tools: readonly Tool[];

  constructor(plan: CallPlan, chosen: ChosenModel, clock: Clock) {
    this.#plan = plan;
    this.#chosen = chosen;
    this.#system = { role: "system", text: systemMessage(plan, fillIn(plan, plan.prompt.prompt ?? ""), clock.now()) };
    this.#tools = [
      ...offerFunctions(plan.functions, plan.language).map((offered) => offered.tool),
      ...builtInTools(plan),
    ];
  }

  async *open(signal: AbortSignal): AsyncGenerator<DialogueMove> {
    if (signal.aborted) return;
    if (this.#plan.openingLine !== undefined && this.#plan.openingLine.trim() !== "") {
      yield { type: "say", text: this.#plan.openingLine };
      return;
    }
    const start: ModelMessage = {
      role: "user",
      text: "[The call is connected. Speak first: greet and open the call.]",
    };
    yield* answer(this.#chosen, this.#request([this.#system, start], []), this.#plan.language, signal);
  }

  respond(history: readonly Exchange[], signal: AbortSignal): AsyncIterable<DialogueMove> {
    const request = this.#request(withinWindow(this.#chosen, this.#system, history, this.#tools), this.#tools);
    return answer(this.#chosen, request, spokenLanguage(this.#plan, history), signal);
  }

  #request(messages: readonly ModelMessage[], tools: readonly Tool[]): ModelRequest {
    return { model: this.#chosen.modelId, messages, tools, options: optionsOf(this.#plan) };
  }
}

/** The prompt's model options by their ids. */
export const optionsOf = (plan: CallPlan): Readonly<Record<string, string>> =>
  Object.fromEntries((plan.prompt.modelOptionValues ?? []).map((option) => [option.optionId, option.value]));

/**
 * One answer of a model as moves. A hang-up comes after everything that was said and never without a word of goodbye; when the
 * model wants a function in the same answer, that comes first and the model decides anew with its result. An empty answer is asked for
 * once more.
 *
 * @throws {ProviderError} when the model says and does nothing, since silence would leave the other party waiting.
 */
export async function* answer(
  chosen: ChosenModel,
  request: ModelRequest,
  language: string,
  signal: AbortSignal,
): AsyncGenerator<DialogueMove> {
  let said = false;
  let called = false;
  let hangUp = false;
  let pressed = false;
  for await (const event of untilAborted(askedAgain(chosen, request, signal), signal)) {
    if (event.type === "text" && event.text !== "") {
      said ||= event.text.trim() !== "";
      yield { type: "say", text: event.text };
    } else if (event.type === "call") {
      const digits = event.call.name === PRESS_DIGITS.name ? keysIn(event.call) : undefined;
      if (event.call.name === END_CALL.name) hangUp = true;
      else if (digits !== undefined) {
        pressed = true;
        yield { type: "press-digits", digits };
      } else {
        called = true;
        yield { type: "call", call: event.call };
      }
    }
  }
  if (signal.aborted || called || (pressed && !hangUp)) return;
  if (!said && !hangUp) throw new ProviderError(chosen.model.name, "unavailable", "the model gave an empty answer");
  if (!hangUp) return;
  if (!said) yield { type: "say", text: ownWords(language).goodbye };
  yield { type: "hang-up", reason: "agent_hangup" };
}

/** The model's answer, or its second one when the first is empty: servers drop whole answers at times, and repeat them rarely. */
async function* askedAgain(
  chosen: ChosenModel,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  let empty = true;
  for await (const event of chosen.model.generate(request, signal)) {
    if (event.type === "call" || (event.type === "text" && event.text.trim() !== "")) empty = false;
    yield event;
  }
  if (empty && !signal.aborted && !chosen.model.scripted) yield* chosen.model.generate(request, signal);
}
