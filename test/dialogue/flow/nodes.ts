import type { FlowNode, TransitionRule } from "../../../src/model/versioned-prompt.ts";

type Make<Data> = (id: string, data: Data, ...transitionRules: readonly TransitionRule[]) => FlowNode;

const make =
  (type: string): Make<Readonly<Record<string, unknown>>> =>
  (id, nodeData, ...transitionRules) => ({
    id,
    type,
    nodeData: { ...nodeData },
    transitionRules: [...transitionRules],
  });

export const question = make("question");
export const functionCall = make("function_call");
export const transfer = make("transfer");

export const setVariables: Make<Readonly<Record<string, unknown>>> = (id, values, ...rules) =>
  make("set_variables")(id, { values }, ...rules);

export const pressDigits: Make<string> = (id, digits, ...rules) => make("press_digits")(id, { digits }, ...rules);

export const freeform: Make<string> = (id, prompt, ...rules) => make("freeform")(id, { prompt }, ...rules);

export const endCall = (id: string, message?: string, ...rules: readonly TransitionRule[]): FlowNode =>
  make("end_call")(id, message === undefined ? {} : { message }, ...rules);

export const rule = (
  conditionType: NonNullable<TransitionRule["conditionType"]>,
  condition: Omit<TransitionRule, "conditionType" | "transitionNodeId">,
  transitionNodeId: string,
): TransitionRule => ({ conditionType, ...condition, transitionNodeId });

export const always = (transitionNodeId: string): TransitionRule => ({ conditionType: "always", transitionNodeId });
