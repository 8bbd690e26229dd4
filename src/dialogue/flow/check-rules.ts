import type { FlowNode, TransitionRule } from "../../model/versioned-prompt.ts";
import type { FlowFault } from "./flow-fault.ts";
import { macrosIn, readField, type Yields } from "./field.ts";
import { parseNumber } from "./number-words.ts";

/** What is wrong with the rules of one node, whose path is given. */
export const checkRules = (
  node: FlowNode,
  path: string,
  around: Readonly<{ nodes: readonly FlowNode[]; yields: Yields }>,
): readonly FlowFault[] =>
  (node.transitionRules ?? []).flatMap((rule, index) =>
    [
      ...checkTarget(rule, around.nodes),
      ...checkCondition(rule),
      ...checkField(rule, around.yields),
      ...checkMacros(rule, around.yields),
    ].map(([field, message]) => ({ path: `${path}/transitionRules/${index}/${field}`, nodeId: node.id, message })),
  );

type Found = readonly (readonly [field: keyof TransitionRule, message: string])[];

const checkTarget = ({ transitionNodeId: target }: TransitionRule, nodes: readonly FlowNode[]): Found => {
  if (target === undefined) return [["transitionNodeId", "is required: the node to go to"]];
  return nodes.some(({ id }) => id === target) ? [] : [["transitionNodeId", "there is no node with this id"]];
};

/** What a condition is compared with. */
const checkCondition = (rule: TransitionRule): Found => {
  const { conditionType, value, values } = rule;
  const valueMissing = value === undefined || value.trim() === "";
  if (conditionType === undefined) return [["conditionType", "is required"]];
  switch (conditionType) {
    case "always":
      return [];
    case "equal":
      return value === undefined ? [["value", "is required for equal"]] : [];
    case "in":
      return values === undefined || values.length === 0 ? [["values", "must have at least one value for in"]] : [];
    case "greater":
    case "less":
      if (valueMissing) return [["value", `is required for ${conditionType}`]];
      return macrosIn(value).length === 0 && parseNumber(value) === undefined
        ? [["value", `must be a number for ${conditionType}`]]
        : [];
    case "language":
      return valueMissing ? [["value", "is required for language: the condition in plain words"]] : [];
  }
};

const checkField = ({ conditionType, field }: TransitionRule, yields: Yields): Found => {
  if (conditionType === undefined || conditionType === "always") return [];
  const missing = field === undefined || field.trim() === "";
  // A condition in words is judged by the whole conversation; a field beside it is not looked at.
  if (conditionType === "language") return [];
  if (missing) return [["field", `is required for ${conditionType}`]];
  const reference = readField(field, yields);
  if (reference.type === "unknown") return [["field", `nothing yields ${reference.text}`]];
  if (reference.type === "name" && (reference.name === "" || /[{}\r\n]/u.test(reference.name)))
    return [["field", "must be node.<id>.<output>, an output of this node or a variable"]];
  return [];
};

const checkMacros = ({ value, values }: TransitionRule, yields: Yields): Found => {
  const found = (field: "value" | "values", text: string): Found =>
    macrosIn(text).flatMap((name) =>
      readField(name, yields).type === "unknown" ? [[field, `nothing yields {{${name}}}`] as const] : [],
    );
  return [
    ...(value === undefined ? [] : found("value", value)),
    ...(values ?? []).flatMap((text) => found("values", text)),
  ];
};
