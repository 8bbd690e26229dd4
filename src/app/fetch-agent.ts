import { Value } from "typebox/value";
import { AgentDefinitionSchema, type AgentDefinition } from "../chat/agent-definition.ts";
import { UnusableFile } from "../chat/unusable-file.ts";
import { createClient, type Client } from "../client/client.ts";

/**
 * An agent of a running service by its id, or by its name where only one has it, with the prompt, the functions and the extractor that
 * its calls would have.
 *
 * @throws {UnusableFile} when there is no such agent, or it has no prompt.
 */
export const fetchAgent = async (
  service: Readonly<{ baseUrl: string; apiKey: string }>,
  name: string,
): Promise<AgentDefinition> => {
  const client = createClient(service);
  const { id, ...agent } = await findAgent(client, name);
  const prompt = await findPrompt(client, id, agent.defaultVersionedPromptId);
  if (prompt === undefined) throw new UnusableFile([`the agent "${name}" has no prompt`]);
  const ids = new Set([
    ...(agent.linkedFunctionDefinitions ?? []).map(({ functionDefinitionId }) => functionDefinitionId),
    ...(prompt.flowDefinition?.nodes ?? []).flatMap(({ nodeData }) => {
      const functionId = nodeData?.["functionId"];
      return typeof functionId === "string" ? [functionId] : [];
    }),
  ]);
  const functions = [];
  for (const functionId of ids) functions.push(await client.getFunction({ id: functionId }));
  const { defaultExtractorId: extractorId } = agent;
  const extractor =
    typeof extractorId === "string" ? await client.getExtractor({ agentId: id, id: extractorId }) : undefined;
  const { id: _prompt, ...shown } = prompt;
  const definition = Value.Clean(
    AgentDefinitionSchema,
    structuredClone({
      agent,
      prompt: shown,
      functions,
      ...(extractor === undefined ? {} : { extractor }),
    }),
  );
  if (Value.Check(AgentDefinitionSchema, definition)) return definition;
  throw new UnusableFile([`the service answered an agent "${name}" that this version does not know`]);
};

const findAgent = async (client: Client, name: string) => {
  const found = [];
  for await (const agent of client.pages.listAgents()) {
    if (agent.id === name) return agent;
    if (agent.name === name) found.push(agent);
  }
  const [first] = found;
  if (first === undefined) throw new UnusableFile([`the service has no agent with the id or name "${name}"`]);
  if (found.length > 1) throw new UnusableFile([`${found.length} agents are called "${name}": give an id`]);
  return first;
};

/** The agent's default prompt, else its newest. */
const findPrompt = async (client: Client, agentId: string, defaultId: string | undefined) => {
  let newest;
  for await (const prompt of client.pages.listVersionedPrompts({ agentId })) {
    if (prompt.id === defaultId) return prompt;
    // Ids are in the order of time.
    if (newest === undefined || prompt.id > newest.id) newest = prompt;
  }
  return newest;
};
