import type { ModelMessage, ToolCall } from "../ports/language-model.ts";
import type { Exchange } from "./dialogue.ts";

/**
 * Longest history that ever goes to a model, in UTF-16 units: about 12 000 tokens of English, which is half an hour of talk, fits a
 * 16 k context beside a prompt, and keeps the first token quick.
 */
export const HISTORY_BUDGET = 48_000;

/** Longest function result that goes to a model, in UTF-16 units; the rest is cut off, and the model is told. */
export const RESULT_BUDGET = 8000;

/** What stands in for the result of a function whose result never came. */
export const NO_RESULT = "No result: the conversation went on before it was there.";

/**
 * The history as messages for a model. Roles alternate and the first one is the user's, as several chat templates demand;
 * there is no system message after the first for the same reason. What is not the caller's word stands in square brackets,
 * which are taken out of the caller's own words. Every call is followed by its result.
 *
 * When the history is longer than `budget` (UTF-16 units), its oldest part is left out.
 */
export const toMessages = (history: readonly Exchange[], budget = HISTORY_BUDGET): readonly ModelMessage[] => {
  const start = firstKept(history, budget);
  const builder = new MessageBuilder();
  builder.note(start === 0 ? "The call is connected." : "The beginning of the call is left out here.");
  for (let index = start; index < history.length; index++) {
    const exchange = history[index];
    if (exchange !== undefined) add(builder, exchange, history, index);
  }
  return builder.finish();
};

const add = (builder: MessageBuilder, exchange: Exchange, history: readonly Exchange[], index: number): void => {
  if (exchange.speaker === "caller") builder.user(exchange.text.replaceAll("[", "(").replaceAll("]", ")"));
  else if (exchange.speaker === "event") builder.note(exchange.text);
  else if (exchange.speaker === "agent") {
    const calls = exchange.calls ?? [];
    builder.assistant(exchange.text, calls);
    for (const call of calls) builder.result(call, resultOf(call, history, index + 1));
    if (exchange.interrupted)
      builder.note(
        exchange.text.trim() === ""
          ? "You began to answer, but were interrupted before anything was heard."
          : "You were interrupted there; nothing of your answer after that was heard.",
      );
  }
};

const resultOf = (call: ToolCall, history: readonly Exchange[], from: number): string => {
  for (let index = from; index < history.length; index++) {
    const exchange = history[index];
    if (exchange?.speaker === "function" && exchange.callId === call.id) return shortened(exchange.result);
  }
  return NO_RESULT;
};

const shortened = (result: string): string =>
  result.length <= RESULT_BUDGET ? result : `${result.slice(0, RESULT_BUDGET)} … (cut off here)`;

const sizeOf = (exchange: Exchange): number => {
  if (exchange.speaker === "function") return Math.min(exchange.result.length, RESULT_BUDGET);
  if (exchange.speaker === "flow") return 0;
  if (exchange.speaker !== "agent") return exchange.text.length;
  return (exchange.calls ?? []).reduce((sum, call) => sum + call.args.length, exchange.text.length);
};

/** Exchanges that are left out at a time, so that the kept part begins alike for several turns and providers can cache it. */
const STEP = 8;

const firstKept = (history: readonly Exchange[], budget: number): number => {
  let size = 0;
  let exact = history.length;
  while (exact > 0) {
    const exchange = history[exact - 1];
    if (exchange !== undefined) size += sizeOf(exchange);
    // The newest exchange always stays, however long.
    if (size > budget && exact < history.length) break;
    exact -= 1;
  }
  if (exact === 0) return 0;
  const stepped = Math.ceil(exact / STEP) * STEP;
  return history.length - stepped < STEP ? exact : stepped;
};

class MessageBuilder {
  readonly #messages: ModelMessage[] = [];
  /** Lines of the user message that is being put together. */
  #lines: string[] = [];

  user(text: string): void {
    if (text.trim() !== "") this.#lines.push(text);
  }

  note(text: string): void {
    this.#lines.push(`[${text}]`);
  }

  assistant(text: string, calls: readonly ToolCall[]): void {
    if (text.trim() === "" && calls.length === 0) return;
    this.#flush();
    const last = this.#messages.at(-1);
    const goesOn = last?.role === "assistant" && last.calls === undefined;
    if (goesOn) this.#messages.pop();
    const whole = goesOn ? `${last.text} ${text}`.trim() : text;
    this.#messages.push({ role: "assistant", text: whole, ...(calls.length > 0 ? { calls } : {}) });
  }

  result(call: ToolCall, result: string): void {
    this.#messages.push({ role: "tool", callId: call.id, name: call.name, result });
  }

  finish(): readonly ModelMessage[] {
    if (this.#lines.length === 0 && this.#messages.at(-1)?.role === "assistant")
      this.note("The other party is waiting for you to go on.");
    this.#flush();
    return this.#messages;
  }

  #flush(): void {
    if (this.#lines.length === 0) return;
    this.#messages.push({ role: "user", text: this.#lines.join("\n") });
    this.#lines = [];
  }
}
