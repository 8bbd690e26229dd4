import type { FlowDefinition, FlowNode } from "../../model/versioned-prompt.ts";
import { readKeys } from "../keys.ts";
import { cyclesOf, deadEnds, unreachableNodes } from "./check-graph.ts";
import { checkRules } from "./check-rules.ts";
import type { FlowFault } from "./flow-fault.ts";
import { macrosIn, readField, type Yields } from "./field.ts";
import { contentFaults, isNodeType, NODE_DATA, readContent, type NodeContent } from "./node-data.ts";
import { ANSWER, parseSchema } from "./output-schema.ts";

/** A function that the flow may call, as far as it matters here. */
export type KnownFunction = Readonly<{ id: string; type: string }>;

/** Faults that are told at most; a definition of megabytes can hold thousands. */
const MOST_FAULTS = 100;

/**
 * Everything that is wrong with a flow, in the order of its nodes; nothing when it can be followed. What depends on a call is
 * not known here: whether a variable has a value, and whether a transfer's number, which may be a macro, is one that its
 * function allows; both are settled when the call comes there.
 */
export const checkFlow = (flow: FlowDefinition, functions: readonly KnownFunction[]): readonly FlowFault[] => {
  const nodes = flow.nodes ?? [];
  if (nodes.length === 0) return [{ path: "/nodes", message: "must have at least one node: the first one opens" }];
  const yields = yieldsOf(nodes);
  return [
    ...duplicates(nodes),
    ...checkText("/globalContext", flow.globalContext, yields),
    ...nodes.flatMap((node, index) => checkNode(node, `/nodes/${index}`, { nodes, yields, functions })),
    ...unreachableNodes(nodes),
    ...deadEnds(nodes),
    ...cyclesOf(nodes),
  ].slice(0, MOST_FAULTS);
};

/** The names of what every node of a flow yields. */
export const yieldsOf = (nodes: readonly FlowNode[]): Yields =>
  new Map(
    nodes.map((node) => {
      const content = readContent(node.type, node.nodeData);
      if (content?.type === "question") return [node.id, [ANSWER]];
      return [node.id, content?.type === "function_call" ? (content.data.outputs ?? []).map(({ name }) => name) : []];
    }),
  );

type Surroundings = Readonly<{
  nodes: readonly FlowNode[];
  yields: Yields;
  functions: readonly KnownFunction[];
}>;

const duplicates = (nodes: readonly FlowNode[]): readonly FlowFault[] => {
  const seen = new Set<string>();
  return nodes.flatMap(({ id }, index) => {
    const twice = seen.has(id);
    seen.add(id);
    return twice ? [{ path: `/nodes/${index}/id`, nodeId: id, message: "is the id of another node too" }] : [];
  });
};

const checkNode = (node: FlowNode, path: string, around: Surroundings): readonly FlowFault[] => {
  const fault = (where: string, message: string): FlowFault => ({ path: `${path}${where}`, nodeId: node.id, message });
  const rules = checkRules(node, path, around);
  if (node.id.trim() === "") return [fault("/id", "must not be empty")];
  if (!isNodeType(node.type)) return [fault("/type", `must be one of ${Object.keys(NODE_DATA).join(", ")}`), ...rules];
  const content = readContent(node.type, node.nodeData);
  if (content === undefined) {
    const faults = contentFaults(node.type, node.nodeData).map((one) => fault(`/nodeData${one.path}`, one.message));
    return [...faults, ...rules];
  }
  return [
    ...checkContent(content, around).map((one) => fault(`/nodeData${one.path}`, one.message)),
    ...textsOf(content).flatMap(([where, text]) => checkText(`${path}/nodeData${where}`, text, around.yields, node.id)),
    ...rules,
  ];
};

type Found = readonly Readonly<{ path: string; message: string }>[];

/** What a schema cannot say. */
const checkContent = (content: NodeContent, { functions }: Surroundings): Found => {
  switch (content.type) {
    case "question":
      return checkOptions(content.data.questionType, content.data.options ?? []);
    case "function_call":
      return [
        ...checkFunction(content.data.functionId, "api", functions),
        ...checkNames("/inputs", content.data.inputs ?? []),
        ...checkNames("/outputs", content.data.outputs ?? []),
        ...(content.data.outputs ?? []).flatMap(({ customFieldJsonSchema: schema }, index) =>
          schema && parseSchema(schema) === undefined
            ? [{ path: `/outputs/${index}/customFieldJsonSchema`, message: "must be a JSON Schema object as a string" }]
            : [],
        ),
      ];
    case "transfer":
      return checkFunction(content.data.functionId, "transfer", functions);
    case "set_variables":
      return Object.keys(content.data.values).flatMap((name) =>
        name.trim() === "" || /[{}\r\n]/u.test(name) || name.startsWith("node.")
          ? [
              {
                path: "/values",
                message: `"${name}" is no name of a variable: no braces, line breaks or leading "node."`,
              },
            ]
          : [],
      );
    case "press_digits":
      return macrosIn(content.data.digits).length > 0 || readKeys(content.data.digits) !== undefined
        ? []
        : [{ path: "/digits", message: "must be 1 to 32 of 0-9, * and #, with commas for pauses" }];
    default:
      return [];
  }
};

const checkOptions = (questionType: string, options: readonly string[]): Found => {
  const chooses = questionType === "multiple_choice" || questionType === "multiple_select";
  if (chooses && options.length === 0)
    return [{ path: "/options", message: `must name what a ${questionType} offers` }];
  const seen = new Set<string>();
  return options.flatMap((option, index) => {
    const key = option.trim().toLowerCase();
    const bad = key === "" || seen.has(key);
    seen.add(key);
    return bad ? [{ path: `/options/${index}`, message: "must not be blank or the same as another option" }] : [];
  });
};

const checkFunction = (id: string, type: string, functions: readonly KnownFunction[]): Found => {
  const found = functions.find((one) => one.id === id);
  if (found === undefined) return [{ path: "/functionId", message: "there is no function with this id" }];
  if (found.type === type) return [];
  return [{ path: "/functionId", message: `must be a function of type ${type}; this one is of type ${found.type}` }];
};

const checkNames = (path: string, named: readonly Readonly<{ name: string }>[]): Found => {
  const seen = new Set<string>();
  return named.flatMap(({ name }, index) => {
    const twice = seen.has(name);
    seen.add(name);
    return twice ? [{ path: `${path}/${index}/name`, message: "is used twice" }] : [];
  });
};

/** The texts of a node in which macros are filled in. */
const textsOf = (content: NodeContent): readonly (readonly [path: string, text: unknown])[] => {
  switch (content.type) {
    case "question":
      return [
        ["/question", content.data.question],
        ["/clarificationDetails", content.data.clarificationDetails],
      ];
    case "freeform":
      return [["/prompt", content.data.prompt]];
    case "function_call":
      return (content.data.inputs ?? []).map(({ value }, index) => [`/inputs/${index}/value`, value]);
    case "transfer":
      return [
        ["/number", content.data.number],
        ["/failedMessage", content.data.failedMessage],
        ["/summary", content.data.summary],
      ];
    case "end_call":
      return [["/message", content.data.message]];
    case "press_digits":
      return [["/digits", content.data.digits]];
    case "set_variables":
      return Object.entries(content.data.values).map(([name, value]) => [`/values/${pointer(name)}`, value]);
  }
};

/** A reference to a node that does not exist would be read out to the caller. */
const checkText = (path: string, text: unknown, yields: Yields, nodeId?: string): readonly FlowFault[] => {
  if (typeof text !== "string") return [];
  return macrosIn(text).flatMap((name) =>
    readField(name, yields).type === "unknown"
      ? [{ path, ...(nodeId === undefined ? {} : { nodeId }), message: `nothing yields {{${name}}}` }]
      : [],
  );
};

const pointer = (name: string): string => name.slice(0, 200).replaceAll("~", "~0").replaceAll("/", "~1");
