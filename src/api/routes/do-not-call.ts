import { Type } from "typebox";
import { listNumber, soughtNumber, unlistNumber } from "../../catalogue/do-not-call.ts";
import { CreateDoNotCallSchema, DoNotCallSchema } from "../../model/do-not-call.ts";
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

/** The numbers that a workspace does not call. */
export const doNotCallRoutes = (api: Api, deps: RouteDeps): void => {
  const { catalogue } = deps.store;
  const useCase = { ...deps, catalogue };

  api.get("/do_not_call", { schema: LIST }, async (request) => {
    const { workspaceId } = callerOf(request);
    const { number, ...query } = request.query;
    const only = number === undefined ? undefined : soughtNumber(number);
    return answerPage(deps.pages, {
      query,
      workspaceId,
      endpoint: "do_not_call",
      read: (page) => catalogue.listDoNotCall(workspaceId, page, only),
    });
  });

  api.post("/do_not_call", { schema: ADD }, async (request, reply) => {
    const { entry, added } = await listNumber(useCase, callerOf(request).workspaceId, request.body);
    return reply.code(added ? 201 : 200).send(entry);
  });

  api.delete("/do_not_call/:id", { schema: DELETE }, async (request) =>
    unlistNumber(useCase, callerOf(request).workspaceId, request.params.id),
  );
};

const shared = { tags: ["do not call"], security: SECURITY.key };

const LIST = {
  ...shared,
  operationId: "listDoNotCall",
  summary: "List numbers that are not called",
  description: "Oldest first; with `number`, only the entry of that number.",
  querystring: Type.Object(
    {
      ...PageQuerySchema.properties,
      number: Type.Optional(Type.String({ maxLength: 40, description: "E.164; the plus sign is written %2B." })),
    },
    { additionalProperties: false },
  ),
  response: { 200: pageOf(DoNotCallSchema), ...COMMON_PROBLEMS, ...problems(422) },
};

const ADD = {
  ...shared,
  operationId: "addDoNotCall",
  summary: "Do not call a number any more",
  description:
    "Holds at once: dials to the number are refused (`do_not_call`), and those that wait end as `compliance_blocked` instead of being " +
    "placed. A number that is listed already is answered with 200, as it stands.",
  body: CreateDoNotCallSchema,
  response: { 200: DoNotCallSchema, 201: DoNotCallSchema, ...COMMON_PROBLEMS, ...BODY_PROBLEMS },
};

const DELETE = {
  ...shared,
  operationId: "deleteDoNotCall",
  summary: "Allow a number to be called again",
  description: "Answers the entry as it was.",
  params: IdParamsSchema,
  response: { 200: DoNotCallSchema, ...COMMON_PROBLEMS, ...problems(404) },
};
