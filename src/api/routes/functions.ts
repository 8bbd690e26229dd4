import { createFunction, deleteFunction, readFunction, updateFunction } from "../../catalogue/functions.ts";
import {
  CreateFunctionSchema,
  FunctionDefinitionSchema,
  UpdateFunctionSchema,
} from "../../model/function-definition.ts";
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

/** What agents can do besides speaking. */
export const functionRoutes = (api: Api, deps: RouteDeps): void => {
  const { catalogue } = deps.store;
  const useCase = { ...deps, catalogue };

  api.get("/functions", { schema: LIST }, async (request) => {
    const { workspaceId } = callerOf(request);
    return answerPage(deps.pages, {
      query: request.query,
      workspaceId,
      endpoint: "functions",
      read: (page) => catalogue.listFunctions(workspaceId, page),
    });
  });

  api.post("/functions", { schema: CREATE }, async (request, reply) =>
    reply.code(201).send(await createFunction(useCase, callerOf(request).workspaceId, request.body)),
  );

  api.get("/functions/:id", { schema: READ }, async (request) =>
    readFunction(useCase, callerOf(request).workspaceId, request.params.id),
  );

  api.put("/functions/:id", { schema: UPDATE }, async (request) =>
    updateFunction(useCase, callerOf(request).workspaceId, request.params.id, request.body),
  );

  api.delete("/functions/:id", { schema: DELETE }, async (request) =>
    deleteFunction(useCase, callerOf(request).workspaceId, request.params.id),
  );
};

const shared = { tags: ["functions"], security: SECURITY.key };

const LIST = {
  ...shared,
  operationId: "listFunctions",
  summary: "List functions",
  description: "Oldest first.",
  querystring: PageQuerySchema,
  response: { 200: pageOf(FunctionDefinitionSchema), ...COMMON_PROBLEMS, ...problems(422) },
};

const CREATE = {
  ...shared,
  operationId: "createFunction",
  summary: "Create a function",
  description:
    "`type` decides which fields there are: a transfer function needs `allowedNumbers`, an api function `apiPath`. An agent can call it once it is in the agent's `linkedFunctionDefinitions`.",
  body: CreateFunctionSchema,
  response: { 201: FunctionDefinitionSchema, ...COMMON_PROBLEMS, ...BODY_PROBLEMS },
};

const READ = {
  ...shared,
  operationId: "getFunction",
  summary: "Get a function",
  params: IdParamsSchema,
  response: { 200: FunctionDefinitionSchema, ...COMMON_PROBLEMS, ...problems(404) },
};

const UPDATE = {
  ...shared,
  operationId: "updateFunction",
  summary: "Update a function",
  description:
    "Changes the fields that are present. `allowedNumbers` is required for a transfer function. A function that changes its type loses the fields of the other one.",
  params: IdParamsSchema,
  body: UpdateFunctionSchema,
  response: { 200: FunctionDefinitionSchema, ...COMMON_PROBLEMS, ...problems(404), ...BODY_PROBLEMS },
};

const DELETE = {
  ...shared,
  operationId: "deleteFunction",
  summary: "Delete a function",
  description: "Answers the function as it was. Agents that it is linked to go on without it.",
  params: IdParamsSchema,
  response: { 200: FunctionDefinitionSchema, ...COMMON_PROBLEMS, ...problems(404) },
};
