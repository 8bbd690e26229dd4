import type { Announce } from "../dialogue/announced-dialogue.ts";
import { findFunction } from "../dialogue/functions.ts";
import { renderTemplate, TemplateTooLong } from "../dialogue/template.ts";
import { transferTarget } from "../dialogue/transfer-target.ts";
import type { Agent } from "../model/agent.ts";
import type { CallPlan } from "../model/call-plan.ts";
import type { FunctionDefinition } from "../model/function-definition.ts";
import { pick, type Random } from "../ports/random.ts";
import { whyNeverRung } from "./destination.ts";

/** What is said before somebody is connected elsewhere, when neither the function nor the model says anything. */
const CONNECTING: Readonly<Record<string, string>> = {
  de: "Einen Moment bitte, ich verbinde Sie.",
  en: "One moment, please. I'm connecting you now.",
  es: "Un momento, por favor, le comunico.",
  fr: "Un instant, je vous mets en relation.",
  it: "Un momento, la metto in contatto.",
  nl: "Een ogenblik, ik verbind u door.",
  pt: "Um momento, vou transferir a chamada.",
};

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
  (call, said) => {
    const definition = findFunction(plan.functions, call.name);
    if (definition === undefined) return undefined;
    const connects = definition.type === "transfer";
    if (connects && transferTarget(definition, call.args, whyNeverRung).type === "refused") return undefined;
    const message = pick(random, plan.startedMessages?.[definition.id] ?? []);
    return (
      message ??
      (connects && !said ? (CONNECTING[plan.language.split("-", 1)[0] ?? ""] ?? CONNECTING["en"]) : undefined)
    );
  };
