import { Type, type Static, type TSchema } from "typebox";
import { Value } from "typebox/value";

/** Longest text of a node, in UTF-16 units; the same as a prompt's. */
const MAX_TEXT = 100_000;

const Text = Type.String({ minLength: 1, maxLength: MAX_TEXT });
const Name = Type.String({ minLength: 1, maxLength: 200 });

export const QuestionDataSchema = Type.Object({
  question: Text,
  questionType: Type.Enum(["multiple_choice", "multiple_select", "freeform", "numeric"]),
  options: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 500 }), { maxItems: 100 })),
  clarificationDetails: Type.Optional(Type.Union([Type.String({ maxLength: MAX_TEXT }), Type.Null()])),
});
export type QuestionData = Static<typeof QuestionDataSchema>;

export const FreeformDataSchema = Type.Object({ prompt: Text });
export type FreeformData = Static<typeof FreeformDataSchema>;

export const OutputSchema = Type.Object({
  name: Name,
  type: Type.Enum(["BOOLEAN", "STRING", "INTEGER", "FLOAT", "CUSTOM"]),
  nullable: Type.Optional(Type.Boolean()),
  description: Type.Optional(Type.Union([Type.String({ maxLength: 4000 }), Type.Null()])),
  customFieldJsonSchema: Type.Optional(Type.Union([Type.String({ maxLength: MAX_TEXT }), Type.Null()])),
});
export type Output = Static<typeof OutputSchema>;

export const FunctionCallDataSchema = Type.Object({
  functionId: Name,
  inputs: Type.Optional(Type.Array(Type.Object({ name: Name, value: Type.Unknown() }), { maxItems: 100 })),
  outputs: Type.Optional(Type.Array(OutputSchema, { maxItems: 100 })),
});
export type FunctionCallData = Static<typeof FunctionCallDataSchema>;

export const TransferDataSchema = Type.Object({
  functionId: Name,
  number: Name,
  /** Said when the transfer has failed and a rule leads on; words of the project's own when absent, nothing when empty. */
  failedMessage: Type.Optional(Type.String({ maxLength: MAX_TEXT })),
  /** What whoever picks up is told before they talk, where the function's transfers are warm; the model's own words when absent. */
  summary: Type.Optional(Type.String({ maxLength: MAX_TEXT })),
});
export type TransferData = Static<typeof TransferDataSchema>;

export const EndCallDataSchema = Type.Object({ message: Type.Optional(Type.String({ maxLength: MAX_TEXT })) });
export type EndCallData = Static<typeof EndCallDataSchema>;

/** `digits` may hold macros. */
export const PressDigitsDataSchema = Type.Object({ digits: Type.String({ minLength: 1, maxLength: 500 }) });
export type PressDigitsData = Static<typeof PressDigitsDataSchema>;

export const SetVariablesDataSchema = Type.Object({ values: Type.Record(Type.String(), Type.Unknown()) });
export type SetVariablesData = Static<typeof SetVariablesDataSchema>;

/** What a node of each type carries in `nodeData`. Further fields are left alone: editors keep positions and colours there. */
export const NODE_DATA = {
  question: QuestionDataSchema,
  freeform: FreeformDataSchema,
  function_call: FunctionCallDataSchema,
  transfer: TransferDataSchema,
  end_call: EndCallDataSchema,
  set_variables: SetVariablesDataSchema,
  press_digits: PressDigitsDataSchema,
} as const satisfies Record<string, TSchema>;

export type NodeType = keyof typeof NODE_DATA;

/** Whether a type of node is one that can be followed. */
export const isNodeType = (type: string): type is NodeType => Object.hasOwn(NODE_DATA, type);

/** A node's data after it was checked, told apart by `type`. */
export type NodeContent =
  | Readonly<{ type: "question"; data: QuestionData }>
  | Readonly<{ type: "freeform"; data: FreeformData }>
  | Readonly<{ type: "function_call"; data: FunctionCallData }>
  | Readonly<{ type: "transfer"; data: TransferData }>
  | Readonly<{ type: "end_call"; data: EndCallData }>
  | Readonly<{ type: "set_variables"; data: SetVariablesData }>
  | Readonly<{ type: "press_digits"; data: PressDigitsData }>;

/** A node's content; `undefined` when the type is unknown or the data does not fit it. An absent `nodeData` counts as empty. */
export const readContent = (type: string, nodeData: unknown): NodeContent | undefined => {
  if (!isNodeType(type)) return undefined;
  const data = nodeData ?? {};
  // The schema was chosen by the same type, which the compiler cannot follow.
  return Value.Check(NODE_DATA[type], data) ? ({ type, data } as NodeContent) : undefined;
};

/** What is wrong with a node's data: RFC 6901 paths below `nodeData`, at most ten. */
export const contentFaults = (
  type: NodeType,
  nodeData: unknown,
): readonly Readonly<{ path: string; message: string }>[] =>
  Value.Errors(NODE_DATA[type], nodeData ?? {})
    .slice(0, 10)
    .map(({ instancePath, message, keyword, params }) => {
      if (keyword === "enum")
        return { path: instancePath, message: `must be one of ${params.allowedValues.join(", ")}` };
      if (keyword !== "required") return { path: instancePath, message };
      return { path: `${instancePath}/${params.requiredProperties[0] ?? ""}`, message: "is required" };
    });
