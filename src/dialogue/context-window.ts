import type { LanguageModel, ModelMessage, Tool } from "../ports/language-model.ts";
import type { Exchange } from "./dialogue.ts";
import { HISTORY_BUDGET, toMessages } from "./messages.ts";

/** A model, as far as its window is concerned. */
type Asked = Readonly<{ model: Pick<LanguageModel, "models">; modelId: string }>;

/** What a token is worth at the least, in UTF-16 units: about four in English, three in other languages in letters, one in others. */
const UNITS_PER_TOKEN = 3;
const UNITS_PER_TOKEN_IN_SCRIPT = 1;

/** Kept free for the answer, which is a few sentences or the call of a function, in tokens. */
const ANSWER_TOKENS = 800;

/** The last few turns are kept whatever the window is, in UTF-16 units; without them no answer makes sense. */
const LEAST_HISTORY = 2000;

/**
 * The instructions and as much of the history as fits behind them into the model's window, where that is known. Servers that are sent
 * more cut off the beginning, which is the instructions.
 */
export const withinWindow = (
  chosen: Asked,
  system: ModelMessage & Readonly<{ role: "system" }>,
  history: readonly Exchange[],
  tools: readonly Tool[],
): readonly ModelMessage[] => [system, ...toMessages(history, historyBudget(chosen, system.text, history, tools))];

/**
 * Messages that were made for one model, with the oldest left out that another one, whose window is smaller, has no room for. The
 * instructions stay whole, and the rest begins with words of the other party and a note that something is missing.
 */
export const fitMessages = (
  { model, modelId }: Asked,
  messages: readonly ModelMessage[],
  tools: readonly Tool[],
): readonly ModelMessage[] => {
  const window = model.models.find(({ id }) => id === modelId)?.contextTokens;
  if (window === undefined) return messages;
  const [instructions, talk] = [
    messages.filter(({ role }) => role === "system"),
    messages.filter(({ role }) => role !== "system"),
  ];
  const perToken = manySigns(talk.findLast(({ role }) => role === "user"))
    ? UNITS_PER_TOKEN_IN_SCRIPT
    : UNITS_PER_TOKEN;
  const room = (window - ANSWER_TOKENS) * perToken - sizeOf(instructions) - JSON.stringify(tools).length;
  const left = Math.max(LEAST_HISTORY, room);
  if (sizeOf(talk) <= left) return messages;
  const begins = talk.findIndex((message, index) => message.role === "user" && sizeOf(talk.slice(index)) <= left);
  const kept = talk.slice(begins >= 0 ? begins : talk.findLastIndex(({ role }) => role === "user"));
  const [first, ...rest] = kept;
  if (first?.role !== "user") return [...instructions, ...kept];
  return [...instructions, { ...first, text: `[The beginning of the call is left out here.]\n${first.text}` }, ...rest];
};

const sizeOf = (messages: readonly ModelMessage[]): number =>
  messages.reduce((sum, message) => {
    if (message.role === "tool") return sum + message.result.length;
    const calls = message.role === "assistant" ? (message.calls ?? []) : [];
    return calls.reduce((size, call) => size + call.args.length, sum + message.text.length);
  }, 0);

const historyBudget = (
  { model, modelId }: Asked,
  instructions: string,
  history: readonly Exchange[],
  tools: readonly Tool[],
): number => {
  const window = model.models.find(({ id }) => id === modelId)?.contextTokens;
  if (window === undefined) return HISTORY_BUDGET;
  const units = (window - ANSWER_TOKENS) * (inScript(history) ? UNITS_PER_TOKEN_IN_SCRIPT : UNITS_PER_TOKEN);
  const left = units - instructions.length - JSON.stringify(tools).length;
  return Math.max(LEAST_HISTORY, Math.min(HISTORY_BUDGET, left));
};

/** Whether people speak a language whose signs are tokens of their own, judged by what the caller said last. */
const inScript = (history: readonly Exchange[]): boolean => {
  const last = history.findLast((exchange) => exchange.speaker === "caller" && exchange.text.length > 5);
  return inSigns(last?.speaker === "caller" ? last.text : "");
};

const manySigns = (message: ModelMessage | undefined): boolean => inSigns(message?.role === "user" ? message.text : "");

const inSigns = (text: string): boolean => (text.match(/[\u0600-\uFFFF]/gu)?.length ?? 0) > text.length / 2;
