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

const nodeFields = {
  id: Type.String({ minLength: 1, maxLength: 200 }),
  name: Type.Optional(Type.String({ maxLength: 200 })),
  type: Type.String({ maxLength: 50 }),
  transitionRules: Type.Optional(Type.Array(TransitionRuleSchema, { maxItems: 100 })),
  nodeData: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
};

export const FlowNodeSchema = Type.Object({
  ...nodeFields,
  outputSchema: Type.Optional(Type.String({ description: "JSON Schema as a string; responses only." })),
});
export type FlowNode = Static<typeof FlowNodeSchema>;

const flowFields = {
  globalContext: Type.Optional(Type.String({ maxLength: 100_000 })),
  aiOpen: Type.Optional(Type.Boolean()),
  openingLineType: Type.Optional(Type.Enum(["INBOUND_ONLY", "INBOUND_OUTBOUND", "NONE"])),
};

export const FlowDefinitionSchema = Type.Object({
  nodes: Type.Optional(Type.Array(FlowNodeSchema, { maxItems: 500 })),
  ...flowFields,
});
export type FlowDefinition = Static<typeof FlowDefinitionSchema>;

/** A flow as it is sent: what is derived from its nodes is not part of it. */
const FlowDefinitionInputSchema = Type.Object(
  {
    nodes: Type.Optional(Type.Array(Type.Object(nodeFields, { additionalProperties: false }), { maxItems: 500 })),
    ...flowFields,
  },
  { additionalProperties: false },
);

const name = Type.String({ minLength: 1, maxLength: 200 });
const agentType = Type.Enum(["STANDARD", "CUSTOM_FLOW"]);
const aiModelId = Type.Optional(Type.String({ maxLength: 200 }));
const modelOptionValues = Type.Optional(Type.Array(OptionValueSchema, { maxItems: 100 }));

const EXAMPLE = {
  name: "Front desk",
  agentType: "STANDARD",
  prompt: "You are Robin. Help {{customerName}} to book an appointment.",
} as const;

export const VersionedPromptSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    agentType,
    prompt: Nullable(Type.String()),
    flowDefinition: Type.Optional(FlowDefinitionSchema),
    aiModelId,
    modelOptionValues,
  },
  {
    $id: "VersionedPrompt",
    description: "What an agent says and does: a prompt or a node flow, and the model that speaks it.",
    examples: [{ id: "01988f5e-7c1b-7f05-a2c4-9e1d7b3f5a22", ...EXAMPLE }],
  },
);
export type VersionedPrompt = Static<typeof VersionedPromptSchema>;

const promptFields = {
  agentType: Type.Optional(agentType),
  prompt: Type.Optional(Nullable(Type.String({ maxLength: 100_000 }))),
  flowDefinition: Type.Optional(FlowDefinitionInputSchema),
  aiModelId,
  modelOptionValues,
};

/** `agentType` is STANDARD unless it is given. */
export const CreateVersionedPromptSchema = Type.Object(
  { name, ...promptFields },
  { additionalProperties: false, $id: "CreateVersionedPrompt", examples: [EXAMPLE] },
);
export type CreateVersionedPrompt = Static<typeof CreateVersionedPromptSchema>;

export const UpdateVersionedPromptSchema = Type.Object(
  { name: Type.Optional(name), ...promptFields, aiModelId: Type.Optional(Nullable(Type.String({ maxLength: 200 }))) },
  { additionalProperties: false, $id: "UpdateVersionedPrompt", examples: [{ prompt: "You are Robin. Be brief." }] },
);
export type UpdateVersionedPrompt = Static<typeof UpdateVersionedPromptSchema>;
