import { Type, type Static } from "typebox";
import { Nullable } from "./nullable.ts";

export const OptionValueSchema = Type.Object(
  { optionId: Type.String(), value: Type.String({ maxLength: 4000 }) },
  { additionalProperties: false },
);
export type OptionValue = Static<typeof OptionValueSchema>;

export const TransitionRuleSchema = Type.Object(
  {
    conditionType: Type.Optional(Type.Enum(["always", "equal", "in", "greater", "less", "language"])),
    arrayConditionType: Type.Optional(Type.Enum(["any", "all"])),
    field: Type.Optional(Type.String({ maxLength: 200 })),
    value: Type.Optional(Type.String({ maxLength: 2000 })),
    values: Type.Optional(Type.Array(Type.String({ maxLength: 2000 }), { maxItems: 200 })),
    transitionNodeId: Type.Optional(Type.String({ maxLength: 200 })),
  },
  { additionalProperties: false },
);
export type TransitionRule = Static<typeof TransitionRuleSchema>;

export const FlowNodeSchema = Type.Object({
  id: Type.String({ maxLength: 200 }),
  name: Type.Optional(Type.String({ maxLength: 200 })),
  type: Type.String({ maxLength: 50 }),
  transitionRules: Type.Optional(Type.Array(TransitionRuleSchema, { maxItems: 100 })),
  outputSchema: Type.Optional(Type.String({ description: "JSON Schema as a string; responses only." })),
  nodeData: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
export type FlowNode = Static<typeof FlowNodeSchema>;

export const FlowDefinitionSchema = Type.Object({
  nodes: Type.Optional(Type.Array(FlowNodeSchema, { maxItems: 500 })),
  globalContext: Type.Optional(Type.String({ maxLength: 100_000 })),
  aiOpen: Type.Optional(Type.Boolean()),
  openingLineType: Type.Optional(Type.Enum(["INBOUND_ONLY", "INBOUND_OUTBOUND", "NONE"])),
});
export type FlowDefinition = Static<typeof FlowDefinitionSchema>;

export const VersionedPromptSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    agentType: Type.Enum(["STANDARD", "CUSTOM_FLOW"]),
    prompt: Nullable(Type.String()),
    flowDefinition: Type.Optional(FlowDefinitionSchema),
    aiModelId: Type.Optional(Type.String()),
    modelOptionValues: Type.Optional(Type.Array(OptionValueSchema, { maxItems: 100 })),
  },
  {
    $id: "VersionedPrompt",
    description: "What an agent says and does: a prompt or a node flow, and the model that speaks it.",
  },
);
export type VersionedPrompt = Static<typeof VersionedPromptSchema>;
