import { Type, type Static } from "typebox";
import { findOptionFault } from "../dials/choose-engines.ts";
import type { Engines } from "../dials/engines.ts";
import { planCall } from "../dials/plan-call.ts";
import { checkFlow } from "../dialogue/flow/check-flow.ts";
import { CreateAgentSchema } from "../model/agent.ts";
import type { CallPlan } from "../model/call-plan.ts";
import type { Direction } from "../model/dial.ts";
import { CreateExtractorSchema } from "../model/extractor.ts";
import { CreateFunctionSchema, type FunctionDefinition } from "../model/function-definition.ts";
import { CreateVersionedPromptSchema, type VersionedPrompt } from "../model/versioned-prompt.ts";
import type { CatalogueModel } from "../ports/language-model.ts";
import { UnusableFile } from "./unusable-file.ts";

const strict = { additionalProperties: false } as const;

/** An agent with everything that belongs to it, in one file: the bodies that the API takes, side by side. */
export const AgentDefinitionSchema = Type.Object(
  {
    agent: CreateAgentSchema,
    prompt: Type.Object(
      { ...CreateVersionedPromptSchema.properties, name: Type.Optional(CreateVersionedPromptSchema.properties.name) },
      strict,
    ),
    functions: Type.Optional(
      Type.Array(
        Type.Object({ ...CreateFunctionSchema.properties, id: Type.Optional(Type.String({ minLength: 1 })) }, strict),
        { maxItems: 100, description: "All of them are offered; `id` is the name unless it is given." },
      ),
    ),
    extractor: Type.Optional(CreateExtractorSchema),
  },
  { ...strict, $id: "AgentDefinition" },
);
export type AgentDefinition = Static<typeof AgentDefinitionSchema>;

/** How one conversation differs from others with the same agent. */
export type Occasion = Readonly<{ inputs: Readonly<Record<string, unknown>>; direction: Direction }>;

/** The models that can be asked. */
export type KnownModels = Readonly<{ models: readonly CatalogueModel[]; scripted: boolean }>;

/**
 * The plan of a call with this agent, by the rules that plan every call; what hears and speaks is text.
 *
 * @throws {UnusableFile} for a flow that cannot be followed, or options that the model does not have.
 */
export const planOf = (definition: AgentDefinition, known: KnownModels, occasion: Occasion): CallPlan => {
  const agent = { ...definition.agent, id: "agent" };
  const functions = functionsOf(definition);
  const prompt = promptOf(definition);
  checkPrompt(prompt, functions, known);
  const linked = agent.linkedFunctionDefinitions ?? functions.map(({ id }) => ({ functionDefinitionId: id }));
  const plan = planCall({
    dialId: "conversation",
    workspaceId: "conversation",
    agent: { ...agent, linkedFunctionDefinitions: linked },
    prompt,
    functions,
    ...(definition.extractor === undefined ? {} : { extractor: { ...definition.extractor, id: "extractor" } }),
    from: { id: "number", number: "+12025550100", type: "PSTN" },
    toNumber: "+12025550123",
    request: { callAgentId: agent.id, callAgentInput: { ...occasion.inputs } },
    engines: textEngines(agent, known),
    warnings: [],
  });
  return { ...plan, direction: occasion.direction };
};

const functionsOf = ({ functions = [] }: AgentDefinition): readonly FunctionDefinition[] =>
  functions.map(({ id, ...body }) => ({ ...body, id: id ?? body.name, allowedNumbers: body.allowedNumbers ?? [] }));

const promptOf = ({ prompt }: AgentDefinition): VersionedPrompt => ({
  ...prompt,
  id: "prompt",
  name: prompt.name ?? "Prompt",
  agentType: prompt.agentType ?? (prompt.flowDefinition === undefined ? "STANDARD" : "CUSTOM_FLOW"),
  prompt: prompt.prompt ?? null,
});

const checkPrompt = (prompt: VersionedPrompt, functions: readonly FunctionDefinition[], known: KnownModels): void => {
  const { agentType, flowDefinition, aiModelId, modelOptionValues = [] } = prompt;
  if (agentType === "STANDARD" && prompt.prompt === null)
    throw new UnusableFile(["/prompt/prompt is required for a STANDARD prompt"]);
  if (agentType === "CUSTOM_FLOW") {
    const faults = checkFlow(flowDefinition ?? {}, functions);
    if (faults.length > 0)
      throw new UnusableFile(
        faults.map(({ path, nodeId, message }) => {
          const node = nodeId === undefined ? "" : ` (node "${nodeId}")`;
          return `/prompt/flowDefinition${path} ${message}${node}`;
        }),
      );
  }
  const model = known.models.find(({ id }) => id === aiModelId);
  const fault = model === undefined ? undefined : findOptionFault(model.modelOptions, modelOptionValues);
  if (fault !== undefined) throw new UnusableFile([`/prompt/modelOptionValues${fault.path}: the model ${fault.why}`]);
};

/** Text hears and speaks every language, by whatever name an agent asks for. */
const textEngines = (
  { transcriberParams, defaultVoiceId = "text" }: AgentDefinition["agent"],
  { models, scripted }: KnownModels,
): Engines => ({
  transcribers: [{ name: transcriberParams?.type ?? "text", supports: () => true }],
  knownTranscribers: [],
  synthesizers: [
    {
      voices: [{ id: defaultVoiceId, name: "Text", voiceType: "text", voiceTier: "STANDARD", description: "" }],
      supports: () => true,
    },
  ],
  models,
  scripted,
});
