import { plainNumber } from "../../catalogue/do-not-call.ts";
import { eraseDial, eraseMarked } from "../../dials/erase.ts";
import { readDial } from "../../dials/read-dial.ts";
import { DialSchema } from "../../model/dial.ts";
import { CreateErasureSchema, ErasureSchema } from "../../model/erasure.ts";
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

/** Taking out what calls tell of people, by call and by number. */
export const erasureRoutes = (api: Api, deps: RouteDeps): void => {
  const { erasures } = deps.store;
  const useCase = { ...deps, erasures };

  api.delete("/dials/:id", { schema: ERASE_DIAL }, async (request, reply) => {
    const { workspaceId } = callerOf(request);
    const { id } = request.params;
    const done = await eraseDial(useCase, workspaceId, id);
    const baseUrl = `${deps.publicUrl()}/api`;
    return reply.code(done ? 200 : 202).send(await readDial(deps.store.dials, baseUrl, workspaceId, id));
  });

  api.get("/erasures", { schema: LIST }, async (request) => {
    const { workspaceId } = callerOf(request);
    return answerPage(deps.pages, {
      query: request.query,
      workspaceId,
      endpoint: "erasures",
      read: (page) => erasures.list(workspaceId, page),
    });
  });

  api.post("/erasures", { schema: ERASE_NUMBER }, async (request, reply) => {
    const { workspaceId } = callerOf(request);
    // Names of SIP users are no numbers, and are taken as they are.
    const number = plainNumber(request.body.number) ?? request.body.number;
    const erasure = await erasures.markNumber(workspaceId, deps.random.id(), number);
    await eraseMarked(useCase, workspaceId);
    return reply.code(201).send(erasure);
  });
};

const shared = { tags: ["erasures"], security: SECURITY.key };

const ERASE_DIAL = {
  ...shared,
  operationId: "eraseDial",
  summary: "Erase a dial",
  description:
    "Takes out all that the dial tells of the person: numbers, inputs, transcript, turns, recordings, `aiResult`, and what webhooks " +
    "that are kept said of these. What remains is that there was a call, when, and how it ended; it is answered. 202: a part did not " +
    "answer, and it will be done within a day. A dial whose call goes on is refused.",
  params: IdParamsSchema,
  response: {
    200: DialSchema,
    202: DialSchema,
    ...COMMON_PROBLEMS,
    ...problems(404, 409),
  },
};

const ERASE_NUMBER = {
  ...shared,
  operationId: "eraseNumber",
  summary: "Erase everything of a number",
  description:
    "Erases every dial to the number, and every call from it, as `DELETE /dials/{id}` does; at once where it can, else within a day. " +
    "Calls that go on are erased once they are over. Whether the number may be called again is another matter: see `/do_not_call`, " +
    "whose entry stays.",
  body: CreateErasureSchema,
  response: { 201: ErasureSchema, ...COMMON_PROBLEMS, ...BODY_PROBLEMS },
};

const LIST = {
  ...shared,
  operationId: "listErasures",
  summary: "List erasures",
  description: "What was erased and why, oldest first. No entry tells whom it was about.",
  querystring: PageQuerySchema,
  response: { 200: pageOf(ErasureSchema), ...COMMON_PROBLEMS, ...problems(422) },
};
