import { readAgent } from "../../catalogue/agents.ts";
import { createPrompt, deletePrompt, readPrompt, shownPrompt, updatePrompt } from "../../catalogue/prompts.ts";
import { PageQuerySchema } from "../../model/page.ts";
import {
  CreateVersionedPromptSchema,
  UpdateVersionedPromptSchema,
  VersionedPromptSchema,
} from "../../model/versioned-prompt.ts";
import { callerOf } from "../auth.ts";
import { answerPage } from "../pages.ts";
import {
  AgentOwnedParamsSchema,
  AgentParamsSchema,
  BODY_PROBLEMS,
  COMMON_PROBLEMS,
  pageOf,
  problems,
  SECURITY,
  type Api,
  type RouteDeps,
} from "../route.ts";

const LIST_PATH = "/agents/:agentId/versioned_prompts";
const PATH = `${LIST_PATH}/:id` as const;

/** Largest body with a prompt, in bytes: a flow of some hundred nodes, each with its text. */
const BODY_LIMIT = 1_048_576;

/** What agents say and do. */
export const promptRoutes = (api: Api, deps: RouteDeps): void => {
  const { catalogue } = deps.store;
  const useCase = { ...deps, catalogue };

  api.get(LIST_PATH, { schema: LIST }, async (request) => {
    const { workspaceId } = callerOf(request);
    const { agentId } = request.params;
    await readAgent(useCase, workspaceId, agentId);
    const { data, cursor } = await answerPage(deps.pages, {
      query: request.query,
      workspaceId,
      endpoint: `agents/${agentId}/versioned_prompts`,
      read: (page) => catalogue.listPrompts(workspaceId, agentId, page),
    });
    return { data: data.map(shownPrompt), cursor };
  });

  api.post(LIST_PATH, { schema: CREATE, bodyLimit: BODY_LIMIT }, async (request, reply) => {
    const { workspaceId } = callerOf(request);
    const prompt = await createPrompt(useCase, workspaceId, request.params.agentId, request.body);
    return reply.code(201).send(shownPrompt(prompt));
  });

  api.get(PATH, { schema: READ }, async (request) =>
    shownPrompt(await readPrompt(useCase, { workspaceId: callerOf(request).workspaceId, ...request.params })),
  );

  api.put(PATH, { schema: UPDATE, bodyLimit: BODY_LIMIT }, async (request) => {
    const { workspaceId } = callerOf(request);
    return shownPrompt(await updatePrompt(useCase, { workspaceId, ...request.params }, request.body));
  });

  api.delete(PATH, { schema: DELETE }, async (request) =>
    shownPrompt(await deletePrompt(useCase, { workspaceId: callerOf(request).workspaceId, ...request.params })),
  );
};

const shared = { tags: ["versioned prompts"], security: SECURITY.key };

const LIST = {
  ...shared,
  operationId: "listVersionedPrompts",
  summary: "List versioned prompts",
  description: "The prompts of an agent, oldest first.",
  params: AgentParamsSchema,
  querystring: PageQuerySchema,
  response: { 200: pageOf(VersionedPromptSchema), ...COMMON_PROBLEMS, ...problems(404, 422) },
};

const CREATE = {
  ...shared,
  operationId: "createVersionedPrompt",
  summary: "Create a versioned prompt",
  description:
    "A STANDARD prompt needs `prompt`, a CUSTOM_FLOW needs `flowDefinition`, which is checked as a whole. The body may have 1 MB.",
  params: AgentParamsSchema,
  body: CreateVersionedPromptSchema,
  response: { 201: VersionedPromptSchema, ...COMMON_PROBLEMS, ...problems(404), ...BODY_PROBLEMS },
};

const READ = {
  ...shared,
  operationId: "getVersionedPrompt",
  summary: "Get a versioned prompt",
  params: AgentOwnedParamsSchema,
  response: { 200: VersionedPromptSchema, ...COMMON_PROBLEMS, ...problems(404) },
};

const UPDATE = {
  ...shared,
  operationId: "updateVersionedPrompt",
  summary: "Update a versioned prompt",
  description:
    "Changes the fields that are present. `outputSchema` of a node is derived and not part of the request. A prompt that becomes STANDARD loses its flow. The body may have 1 MB.",
  params: AgentOwnedParamsSchema,
  body: UpdateVersionedPromptSchema,
  response: { 200: VersionedPromptSchema, ...COMMON_PROBLEMS, ...problems(404), ...BODY_PROBLEMS },
};

const DELETE = {
  ...shared,
  operationId: "deleteVersionedPrompt",
  summary: "Delete a versioned prompt",
  description: "Answers the prompt as it was. Calls on their way keep it.",
  params: AgentOwnedParamsSchema,
  response: { 200: VersionedPromptSchema, ...COMMON_PROBLEMS, ...problems(404) },
};
