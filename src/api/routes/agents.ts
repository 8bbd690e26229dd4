import { createAgent, deleteAgent, readAgent, updateAgent } from "../../catalogue/agents.ts";
import { AgentSchema, CreateAgentSchema, UpdateAgentSchema } from "../../model/agent.ts";
import { PageQuerySchema } from "../../model/page.ts";
import { callerOf } from "../auth.ts";
import { answerPage } from "../pages.ts";
import {
  BODY_PROBLEMS,
  COMMON_PROBLEMS,
  IdParamsSchema,
  pageOf,
  problems,
  SECURITY,
  type Api,
  type RouteDeps,
} from "../route.ts";

/** Making, reading, changing and deleting agents. */
export const agentRoutes = (api: Api, deps: RouteDeps): void => {
  const { catalogue } = deps.store;
  const useCase = { ...deps, catalogue };

  api.get("/agents", { schema: LIST }, async (request) => {
    const { workspaceId } = callerOf(request);
    return answerPage(deps.pages, {
      query: request.query,
      workspaceId,
      endpoint: "agents",
      read: (page) => catalogue.listAgents(workspaceId, page),
    });
  });

  api.post("/agents", { schema: CREATE }, async (request, reply) =>
    reply.code(201).send(await createAgent(useCase, callerOf(request).workspaceId, request.body)),
  );

  api.get("/agents/:id", { schema: READ }, async (request) =>
    readAgent(useCase, callerOf(request).workspaceId, request.params.id),
  );

  api.put("/agents/:id", { schema: UPDATE }, async (request) =>
    updateAgent(useCase, callerOf(request).workspaceId, request.params.id, request.body),
  );

  api.delete("/agents/:id", { schema: DELETE }, async (request) =>
    deleteAgent(useCase, callerOf(request).workspaceId, request.params.id),
  );
};

const shared = { tags: ["agents"], security: SECURITY.key };

const LIST = {
  ...shared,
  operationId: "listAgents",
  summary: "List agents",
  description: "Oldest first.",
  querystring: PageQuerySchema,
  response: { 200: pageOf(AgentSchema), ...COMMON_PROBLEMS, ...problems(422) },
};

const CREATE = {
  ...shared,
  operationId: "createAgent",
  summary: "Create an agent",
  description: "Its prompts and extractors come after it, since they belong to it.",
  body: CreateAgentSchema,
  response: { 201: AgentSchema, ...COMMON_PROBLEMS, ...BODY_PROBLEMS },
};

const READ = {
  ...shared,
  operationId: "getAgent",
  summary: "Get an agent",
  params: IdParamsSchema,
  response: { 200: AgentSchema, ...COMMON_PROBLEMS, ...problems(404) },
};

const UPDATE = {
  ...shared,
  operationId: "updateAgent",
  summary: "Update an agent",
  description:
    "Changes the fields that are present; objects and arrays are replaced whole. Calls on their way keep what they run with.",
  params: IdParamsSchema,
  body: UpdateAgentSchema,
  response: { 200: AgentSchema, ...COMMON_PROBLEMS, ...problems(404), ...BODY_PROBLEMS },
};

const DELETE = {
  ...shared,
  operationId: "deleteAgent",
  summary: "Delete an agent",
  description:
    "Answers the agent as it was. Its prompts and extractors go with it and its numbers become free; its dials stay, and live calls go on.",
  params: IdParamsSchema,
  response: { 200: AgentSchema, ...COMMON_PROBLEMS, ...problems(404) },
};
