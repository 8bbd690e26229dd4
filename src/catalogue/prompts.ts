import { checkFlow } from "../dialogue/flow/check-flow.ts";
import { outputSchemaOf } from "../dialogue/flow/output-schema.ts";
import { findOptionFault } from "../dials/choose-engines.ts";
import { functionIdsIn } from "../dials/dial-references.ts";
import type { Engines } from "../dials/engines.ts";
import { invalidField, Refusal } from "../dials/refusal.ts";
import type {
  CreateVersionedPrompt,
  FlowDefinition,
  UpdateVersionedPrompt,
  VersionedPrompt,
} from "../model/versioned-prompt.ts";
import { readAgent } from "./agents.ts";
import type { CatalogueDeps } from "./deps.ts";
import { putFields } from "./put-fields.ts";

/** Which prompt is meant. */
export type PromptName = Readonly<{ workspaceId: string; agentId: string; id: string }>;

/** @throws {Refusal} `agent_not_found`; for a model or option that is not there; for a flow that cannot be followed. */
export const createPrompt = async (
  deps: CatalogueDeps,
  workspaceId: string,
  agentId: string,
  body: CreateVersionedPrompt,
): Promise<VersionedPrompt> => {
  await readAgent(deps, workspaceId, agentId);
  await checkFlowOf(deps, workspaceId, body.flowDefinition);
  const prompt = settled(
    { id: deps.random.id(), ...body, agentType: body.agentType ?? "STANDARD", prompt: body.prompt ?? null },
    body,
    deps.engines,
  );
  if (!(await deps.catalogue.addPrompt(workspaceId, agentId, prompt))) await readAgent(deps, workspaceId, agentId);
  return prompt;
};

/** @throws {Refusal} `prompt_not_found`, also when the agent is unknown or of another workspace. */
export const readPrompt = async (
  { catalogue }: CatalogueDeps,
  { workspaceId, agentId, id }: PromptName,
): Promise<VersionedPrompt> => (await catalogue.findPrompt(workspaceId, agentId, id)) ?? notFound();

/**
 * Changes the fields that are present. A prompt that becomes STANDARD loses its flow.
 *
 * @throws {Refusal} as {@link createPrompt} and {@link readPrompt} do.
 */
export const updatePrompt = async (
  deps: CatalogueDeps,
  name: PromptName,
  body: UpdateVersionedPrompt,
): Promise<VersionedPrompt> => {
  const { workspaceId, agentId, id } = name;
  await readPrompt(deps, name);
  await checkFlowOf(deps, workspaceId, body.flowDefinition);
  const changed = await deps.catalogue.changePrompt(workspaceId, agentId, id, (before) =>
    settled(putFields<VersionedPrompt>(before, body, ["prompt"]), body, deps.engines),
  );
  return changed ?? notFound();
};

/** @throws {Refusal} `prompt_not_found`. */
export const deletePrompt = async (
  { catalogue }: CatalogueDeps,
  { workspaceId, agentId, id }: PromptName,
): Promise<VersionedPrompt> => (await catalogue.removePrompt(workspaceId, agentId, id)) ?? notFound();

/** A prompt as customers read it: each node that yields something says what. */
export const shownPrompt = (prompt: VersionedPrompt): VersionedPrompt => {
  const nodes = prompt.flowDefinition?.nodes;
  if (nodes === undefined) return prompt;
  const shown = nodes.map((node) => {
    const outputSchema = outputSchemaOf(node);
    return outputSchema === undefined ? node : { ...node, outputSchema };
  });
  return { ...prompt, flowDefinition: { ...prompt.flowDefinition, nodes: shown } };
};

const notFound = (): never => {
  throw new Refusal("prompt_not_found", "The agent has no prompt with this id.");
};

const checkFlowOf = async (
  { catalogue }: CatalogueDeps,
  workspaceId: string,
  flow: FlowDefinition | undefined,
): Promise<void> => {
  if (flow === undefined) return;
  const ids = functionIdsIn(flow);
  const functions = ids.length === 0 ? [] : await catalogue.findFunctions(workspaceId, ids);
  const faults = checkFlow(flow, functions).map(({ path, nodeId, message }) => ({
    path: `/flowDefinition${path}`,
    message: nodeId === undefined ? message : `${message} (node "${nodeId}")`,
  }));
  const [first] = faults;
  if (first === undefined) return;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
  throw new Refusal("invalid_flow", `${first.path} ${first.message}${more}`, faults);
};

/** The prompt with its fields made to fit together. */
const settled = (prompt: VersionedPrompt, body: UpdateVersionedPrompt, engines: Engines): VersionedPrompt => {
  if (body.aiModelId !== undefined || body.modelOptionValues !== undefined) checkModel(prompt, engines);
  if (prompt.agentType === "CUSTOM_FLOW") {
    if (prompt.flowDefinition === undefined) throw invalidField("/flowDefinition", "is required for a CUSTOM_FLOW");
    return prompt;
  }
  if (body.flowDefinition !== undefined) throw invalidField("/flowDefinition", "is for prompts of type CUSTOM_FLOW");
  if (prompt.prompt === null) throw invalidField("/prompt", "is required for a STANDARD prompt");
  const { flowDefinition: _, ...standard } = prompt;
  return standard;
};

const checkModel = ({ aiModelId, modelOptionValues = [] }: VersionedPrompt, { models }: Engines): void => {
  const model = aiModelId === undefined ? models[0] : models.find(({ id }) => id === aiModelId);
  if (model === undefined && aiModelId !== undefined)
    throw new Refusal("unknown_model", "There is no model with this id. GET /models lists them.", "/aiModelId");
  const fault = findOptionFault(model?.modelOptions ?? [], modelOptionValues);
  if (fault !== undefined)
    throw new Refusal("invalid_model_option", `The model ${fault.why}`, `/modelOptionValues${fault.path}`);
};
