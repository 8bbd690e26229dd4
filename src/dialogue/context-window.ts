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
  const text = last?.speaker === "caller" ? last.text : "";
  return (text.match(/[\u0600-\uFFFF]/gu)?.length ?? 0) > text.length / 2;
};
