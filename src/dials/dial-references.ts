import type { Agent } from "../model/agent.ts";
import type { CreateDial } from "../model/dial.ts";
import type { Extractor } from "../model/extractor.ts";
import type { FunctionDefinition } from "../model/function-definition.ts";
import type { FlowDefinition, VersionedPrompt } from "../model/versioned-prompt.ts";
import type { DialNames, DialReferences } from "../ports/store.ts";
import { Refusal } from "./refusal.ts";

/** A reference of an agent that was followed, and what the customer should know about it. */
export type Found<T> = Readonly<{ value: T; warnings: readonly string[] }>;

/** What has to be read to grant a request. */
export const namesIn = (body: CreateDial, idempotencyKey: string | undefined): DialNames => ({
  agentId: body.callAgentId,
  promptIds: [body.versionedModelId, body.ivrVersionedPromptId].filter((id) => id !== undefined),
  extractorId: body.callAgentExtractorId,
  fromNumberId: body.fromNumberId ?? undefined,
  toNumber: body.toNumber ?? undefined,
  idempotencyKey,
});

/**
 * The prompt that the request names, else the agent's default, else its newest.
 *
 * @throws {Refusal} `unknown_prompt` for what the request names, or `agent_has_no_prompt`.
 */
export const choosePrompt = (read: DialReferences, agent: Agent, body: CreateDial): Found<VersionedPrompt> => {
  const asked = namedPrompt(read, body, "versionedModelId");
  if (asked !== undefined) return { value: asked, warnings: [] };
  const id = agent.defaultVersionedPromptId;
  const chosen = promptOf(read, id);
  if (chosen !== undefined) return { value: chosen, warnings: [] };
  const newest = promptOf(read, read.newestPromptId);
  if (newest === undefined && body.browserCall === true) return { value: NO_PROMPT, warnings: [WHY_NO_PROMPT] };
  if (newest === undefined)
    throw new Refusal("agent_has_no_prompt", "The agent has no prompt. Create a versioned prompt for it first.");
  const warnings =
    id === undefined ? [] : ["The agent's default prompt does not exist; its newest one is used instead."];
  return { value: newest, warnings };
};

/** Stands in a browser dial's plan for the prompt that its agent does not have. */
export const NO_PROMPT: VersionedPrompt = { id: "", name: "", agentType: "STANDARD", prompt: null };

const WHY_NO_PROMPT =
  "The agent has no prompt: the call fails when its visitor comes. Create one and make another dial.";

/**
 * The prompt that the request names for automated menus.
 *
 * @throws {Refusal} `unknown_prompt`.
 */
export const chooseIvrPrompt = (read: DialReferences, body: CreateDial): VersionedPrompt | undefined =>
  namedPrompt(read, body, "ivrVersionedPromptId");

/** The agent's linked functions, and those that its flow calls. */
export const chooseFunctions = (
  read: DialReferences,
  agent: Agent,
  prompt: VersionedPrompt,
): Found<readonly FunctionDefinition[]> => {
  const linked = (agent.linkedFunctionDefinitions ?? []).map(({ functionDefinitionId }) => functionDefinitionId);
  const ids = [...new Set([...linked, ...functionIdsIn(prompt.flowDefinition)])];
  const found = ids.flatMap((id) => read.functions.find((one) => one.id === id) ?? []);
  const missing = ids.filter((id) => !found.some((one) => one.id === id));
  const leadsNowhere = ({ type, allowedNumbers }: FunctionDefinition) =>
    type === "transfer" && allowedNumbers.length === 0;
  return {
    value: found.filter((one) => !leadsNowhere(one)),
    warnings: [
      ...missing.map((id) => `The agent's function "${id}" does not exist and cannot be called.`),
      ...found.filter(leadsNowhere).map(({ name }) => `The function "${name}" has no numbers and cannot be called.`),
    ],
  };
};

/**
 * The extractor that the request names, else the agent's own.
 *
 * @throws {Refusal} `unknown_extractor` for what the request names.
 */
export const chooseExtractor = (
  { extractor: value }: DialReferences,
  agent: Agent,
  body: CreateDial,
): Found<Extractor | undefined> => {
  const id = body.callAgentExtractorId ?? agent.defaultExtractorId ?? undefined;
  if (id === undefined || value !== undefined) return { value, warnings: [] };
  if (body.callAgentExtractorId !== undefined)
    throw new Refusal("unknown_extractor", "The agent has no extractor with this id.", "/callAgentExtractorId");
  return { value, warnings: ["The agent's default extractor does not exist; nothing is extracted from the call."] };
};

const promptOf = ({ prompts }: DialReferences, id: string | undefined): VersionedPrompt | undefined =>
  prompts.find((one) => one.id === id);

const namedPrompt = (
  read: DialReferences,
  body: CreateDial,
  field: "versionedModelId" | "ivrVersionedPromptId",
): VersionedPrompt | undefined => {
  const id = body[field];
  if (id === undefined) return undefined;
  const found = promptOf(read, id);
  if (found === undefined) throw new Refusal("unknown_prompt", "The agent has no prompt with this id.", `/${field}`);
  return found;
};

/** Ids of the functions that the nodes of a flow name, each once. */
export const functionIdsIn = (flow: FlowDefinition | undefined): readonly string[] => {
  const ids = (flow?.nodes ?? []).map(({ nodeData }) => nodeData?.["functionId"]);
  return [...new Set(ids.filter((id) => typeof id === "string"))];
};
