import { readAgent } from "../../catalogue/agents.ts";
import { createExtractor, deleteExtractor, readExtractor, updateExtractor } from "../../catalogue/extractors.ts";
import { CreateExtractorSchema, ExtractorSchema, UpdateExtractorSchema } from "../../model/extractor.ts";
import { PageQuerySchema } from "../../model/page.ts";
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

const LIST_PATH = "/agents/:agentId/extractors";
const PATH = `${LIST_PATH}/:id` as const;

/** Which values to take from finished calls. */
export const extractorRoutes = (api: Api, deps: RouteDeps): void => {
  const { catalogue } = deps.store;
  const useCase = { ...deps, catalogue };

  api.get(LIST_PATH, { schema: LIST }, async (request) => {
    const { workspaceId } = callerOf(request);
    const { agentId } = request.params;
    await readAgent(useCase, workspaceId, agentId);
    return answerPage(deps.pages, {
      query: request.query,
      workspaceId,
      endpoint: `agents/${agentId}/extractors`,
      read: (page) => catalogue.listExtractors(workspaceId, agentId, page),
    });
  });

  api.post(LIST_PATH, { schema: CREATE }, async (request, reply) => {
    const { workspaceId } = callerOf(request);
    return reply.code(201).send(await createExtractor(useCase, workspaceId, request.params.agentId, request.body));
  });

  api.get(PATH, { schema: READ }, async (request) =>
    readExtractor(useCase, { workspaceId: callerOf(request).workspaceId, ...request.params }),
  );

  api.put(PATH, { schema: UPDATE }, async (request) =>
    updateExtractor(useCase, { workspaceId: callerOf(request).workspaceId, ...request.params }, request.body),
  );

  api.delete(PATH, { schema: DELETE }, async (request) =>
    deleteExtractor(useCase, { workspaceId: callerOf(request).workspaceId, ...request.params }),
  );
};

const shared = { tags: ["extractors"], security: SECURITY.key };

const LIST = {
  ...shared,
  operationId: "listExtractors",
  summary: "List extractors",
  description: "The extractors of an agent, oldest first.",
  params: AgentParamsSchema,
  querystring: PageQuerySchema,
  response: { 200: pageOf(ExtractorSchema), ...COMMON_PROBLEMS, ...problems(404, 422) },
};

const CREATE = {
  ...shared,
  operationId: "createExtractor",
  summary: "Create an extractor",
  params: AgentParamsSchema,
  body: CreateExtractorSchema,
  response: { 201: ExtractorSchema, ...COMMON_PROBLEMS, ...problems(404), ...BODY_PROBLEMS },
};

const READ = {
  ...shared,
  operationId: "getExtractor",
  summary: "Get an extractor",
  params: AgentOwnedParamsSchema,
  response: { 200: ExtractorSchema, ...COMMON_PROBLEMS, ...problems(404) },
};

const UPDATE = {
  ...shared,
  operationId: "updateExtractor",
  summary: "Update an extractor",
  description: "Changes the fields that are present; `fields` is replaced whole.",
  params: AgentOwnedParamsSchema,
  body: UpdateExtractorSchema,
  response: { 200: ExtractorSchema, ...COMMON_PROBLEMS, ...problems(404), ...BODY_PROBLEMS },
};

const DELETE = {
  ...shared,
  operationId: "deleteExtractor",
  summary: "Delete an extractor",
  description: "Answers the extractor as it was.",
  params: AgentOwnedParamsSchema,
  response: { 200: ExtractorSchema, ...COMMON_PROBLEMS, ...problems(404) },
};
