import type { Announce, Bridge } from "../dialogue/announced-dialogue.ts";
import { findFunction } from "../dialogue/functions.ts";
import { ownWords, ownWordsIn } from "../dialogue/own-words.ts";
import { spokenLanguage } from "../dialogue/spoken-language.ts";
import { renderTemplate, TemplateTooLong } from "../dialogue/template.ts";
import { transferTarget } from "../dialogue/transfer-target.ts";
import type { Agent } from "../model/agent.ts";
import type { CallPlan } from "../model/call-plan.ts";
import type { FunctionDefinition } from "../model/function-definition.ts";
import { pick, type Random } from "../ports/random.ts";
import { whyNeverRung } from "./destination.ts";

/**
 * The messages of each function, by its id, with macros filled: the agent's own where it has some for the function, else the
 * function's. Blank ones count as none.
 */
export const startedMessages = (
  agent: Agent,
  functions: readonly FunctionDefinition[],
  inputs: Readonly<Record<string, unknown>>,
): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    functions.flatMap((definition) => {
      const linked = agent.linkedFunctionDefinitions?.find((one) => one.functionDefinitionId === definition.id);
      const messages = linked?.lifecycleMessagesOverride?.started ?? definition.lifecycleMessages?.started ?? [];
      const spoken = messages.map((message) => filled(message, agent, inputs)).filter((message) => message !== "");
      return spoken.length === 0 ? [] : [[definition.id, spoken] as const];
    }),
  );

/**
 * How long a function may run before something is said of it where nothing was, in milliseconds: with the end of the turn and the model's
 * thinking before it, a second makes two of silence, beyond which people ask whether somebody is there.
 */
const FIRST_WORD_MS = 1000;

/** Silence after words before the next ones, and about how long a letter takes to be said, in milliseconds. */
const GAP_MS = 1800;
const LETTER_MS = 60;

/** Words that are heard for longer have mostly been heard by the time that a function is called behind them. */
const LONGEST_HEARD_MS = 4500;

/** A message that its values make too long for anybody to listen to is none. */
const filled = (message: string, agent: Agent, inputs: Readonly<Record<string, unknown>>): string => {
  try {
    return renderTemplate(message, inputs, { fillEmpty: agent.fillEmptyStringVariables ?? false }).trim();
  } catch (error) {
    if (error instanceof TemplateTooLong) return "";
    throw error;
  }
};

/**
 * What a call says while its functions run. A transfer is never made in silence, and one that will be refused is not announced.
 */
export const announceFunctions =
  (plan: CallPlan, random: Random): Announce =>
  (call, said, history) => {
    const definition = findFunction(plan.functions, call.name);
    if (definition === undefined) return undefined;
    const connects = definition.type === "transfer";
    if (connects && transferTarget(definition, call.args, whyNeverRung).type === "refused") return undefined;
    const message = pick(random, plan.startedMessages?.[definition.id] ?? []);
    if (message !== undefined || !connects || said) return message;
    return ownWords(spokenLanguage(plan, history)).connecting;
  };

/** Keeps the other party company while functions run; `stillRunning` says after a time whether one still does. */
export const bridgeSilence =
  (
    plan: Pick<CallPlan, "language" | "languages">,
    stillRunning: (ms: number, signal: AbortSignal) => Promise<boolean>,
  ): Bridge =>
  async (said, count, signal, history) => {
    const words = ownWordsIn(spokenLanguage(plan, history));
    const text = words && [...words.waiting, ...words.fillers.slice(-1)][count];
    if (text === undefined) return undefined;
    const heardMs = Math.min(LONGEST_HEARD_MS, said.length * LETTER_MS);
    return (await stillRunning(said === "" ? FIRST_WORD_MS : heardMs + GAP_MS, signal)) ? text : undefined;
  };
