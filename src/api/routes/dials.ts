import { Type } from "typebox";
import { createDial } from "../../dials/create-dial.ts";
import { hangUp } from "../../dials/hang-up.ts";
import { longestCallMs } from "../../dials/plan-call.ts";
import { dialNotFound, readDial } from "../../dials/read-dial.ts";
import { CreateDialSchema, CreatedDialSchema, DialSchema } from "../../model/dial.ts";
import { callerOf } from "../auth.ts";
import { Problem } from "../problem.ts";
import { COMMON_PROBLEMS, IdParamsSchema, problems, SECURITY, type Api, type RouteDeps } from "../route.ts";

const DialTokenSchema = Type.Object(
  { dialToken: Type.String() },
  { $id: "DialToken", description: "A new token of the dial." },
);

/** Making, reading and ending dials. */
export const dialRoutes = (api: Api, deps: RouteDeps): void => {
  const { catalogue, dials } = deps.store;
  const useCase = { ...deps, catalogue, dials };
  const baseUrl = () => `${deps.publicUrl()}/api`;

  api.post("/dials", { schema: CREATE }, async (request, reply) => {
    const created = await createDial(useCase, {
      workspaceId: callerOf(request).workspaceId,
      body: request.body,
      idempotencyKey: idempotencyKey(request.headers["idempotency-key"]),
    });
    const { dialToken, sessionId, dialId, replayed } = created;
    if (replayed) void reply.header("idempotency-replayed", "true");
    return reply.code(replayed ? 200 : 201).send({ dialToken, sessionId, dialId });
  });

  api.get("/dials/:id", { schema: READ, config: { access: "key-or-dial-token" } }, async (request) =>
    readDial(dials, baseUrl(), callerOf(request).workspaceId, request.params.id),
  );

  api.post(
    "/dials/:id/hangup",
    { schema: HANG_UP, config: { access: "key-or-dial-token" } },
    async (request, reply) => {
      const { workspaceId } = callerOf(request);
      await hangUp(useCase, workspaceId, request.params.id);
      return reply.code(202).send(await readDial(dials, baseUrl(), workspaceId, request.params.id));
    },
  );

  api.post("/dials/:id/token", { schema: TOKEN, config: { access: "key-or-dial-token" } }, async (request, reply) => {
    const dial = await dials.find(callerOf(request).workspaceId, request.params.id);
    if (dial === undefined) throw dialNotFound();
    return reply.code(201).send({ dialToken: await deps.tokens.mint(dial.id, longestCallMs(dial.agent)) });
  });
};

const idempotencyKey = (header: string | readonly string[] | undefined): string | undefined => {
  if (header === undefined) return undefined;
  if (typeof header === "string" && /^[!-~]{1,255}$/.test(header)) return header;
  throw new Problem("invalid_idempotency_key", "Idempotency-Key must have 1 to 255 visible ASCII characters.");
};

const CREATE = {
  operationId: "createDial",
  tags: ["dials"],
  security: SECURITY.key,
  summary: "Create a dial",
  description:
    "Rings a person and lets an agent speak with them. The answer comes at once; what became of the call is told by `GET /dials/{id}`. The header `Idempotency-Key` makes a repeated request safe for 7 days: it answers 200 with the first dial and `Idempotency-Replayed: true`.",
  headers: Type.Object({
    "idempotency-key": Type.Optional(Type.String({ description: "1 to 255 visible ASCII characters." })),
  }),
  body: CreateDialSchema,
  response: {
    201: CreatedDialSchema,
    200: CreatedDialSchema,
    ...COMMON_PROBLEMS,
    ...problems(400, 404, 413, 415, 422),
  },
};

const READ = {
  operationId: "getDial",
  tags: ["dials"],
  security: SECURITY.keyOrDialToken,
  summary: "Get a dial",
  description: "The record of one call, also while it goes on: status, transcript, recordings, timings of each turn.",
  params: IdParamsSchema,
  response: { 200: DialSchema, ...COMMON_PROBLEMS, ...problems(404) },
};

const HANG_UP = {
  operationId: "hangUpDial",
  tags: ["dials"],
  security: SECURITY.keyOrDialToken,
  summary: "Hang up",
  description:
    "Ends a call, or cancels a dial that nobody has answered yet. A dial that is over stays as it is. The end itself follows shortly; see `status`.",
  params: IdParamsSchema,
  response: { 202: DialSchema, ...COMMON_PROBLEMS, ...problems(404) },
};

const TOKEN = {
  operationId: "createDialToken",
  tags: ["dials"],
  security: SECURITY.keyOrDialToken,
  summary: "Mint another dial token",
  params: IdParamsSchema,
  response: { 201: DialTokenSchema, ...COMMON_PROBLEMS, ...problems(404) },
};
