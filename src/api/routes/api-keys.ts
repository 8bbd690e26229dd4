import { createApiKey, deleteApiKey } from "../../catalogue/api-keys.ts";
import { ApiKeySchema, CreateApiKeySchema, CreatedApiKeySchema } from "../../model/api-key.ts";
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

/** The keys of a workspace. */
export const apiKeyRoutes = (api: Api, deps: RouteDeps): void => {
  const { catalogue } = deps.store;
  const useCase = { ...deps, catalogue };

  api.get("/api_keys", { schema: LIST }, async (request) => {
    const { workspaceId } = callerOf(request);
    return answerPage(deps.pages, {
      query: request.query,
      workspaceId,
      endpoint: "api_keys",
      read: (page) => catalogue.listApiKeys(workspaceId, page),
    });
  });

  api.post("/api_keys", { schema: CREATE }, async (request, reply) =>
    reply.code(201).send(await createApiKey(useCase, callerOf(request).workspaceId, request.body)),
  );

  api.delete("/api_keys/:id", { schema: DELETE }, async (request) => {
    const caller = callerOf(request);
    const used = caller.type === "key" ? caller.keyId : undefined;
    const revoked = await deleteApiKey(useCase, caller.workspaceId, request.params.id, used);
    deps.keys.forget(revoked.id);
    return revoked;
  });
};

const shared = { tags: ["API keys"], security: SECURITY.key };

const LIST = {
  ...shared,
  operationId: "listApiKeys",
  summary: "List API keys",
  description: "Oldest first, without the keys themselves.",
  querystring: PageQuerySchema,
  response: { 200: pageOf(ApiKeySchema), ...COMMON_PROBLEMS, ...problems(422) },
};

const CREATE = {
  ...shared,
  operationId: "createApiKey",
  summary: "Create an API key",
  description:
    "The answer shows the key this once. A public key needs `allowedAgentIds`; it may only create browser dials for them.",
  body: CreateApiKeySchema,
  response: { 201: CreatedApiKeySchema, ...COMMON_PROBLEMS, ...BODY_PROBLEMS },
};

const DELETE = {
  ...shared,
  operationId: "deleteApiKey",
  summary: "Revoke an API key",
  description:
    "Holds at once; in other processes of the same deployment within 5 seconds. The key of the request itself cannot be revoked by it.",
  params: IdParamsSchema,
  response: { 200: ApiKeySchema, ...COMMON_PROBLEMS, ...problems(404, 409) },
};
