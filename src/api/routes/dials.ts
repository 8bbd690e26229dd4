import { Type } from "typebox";
import { createDial } from "../../dials/create-dial.ts";
import { RepeatedExtractions } from "../../dials/extract-again.ts";
import { hangUp } from "../../dials/hang-up.ts";
import { longestCallMs } from "../../dials/plan-call.ts";
import { dialNotFound, readDial } from "../../dials/read-dial.ts";
import { DialStatusSchema } from "../../model/call-end.ts";
import { CreateDialSchema, CreatedDialSchema, DialSchema, DialSummarySchema } from "../../model/dial.ts";
import { PageQuerySchema } from "../../model/page.ts";
import { callerOf } from "../auth.ts";
import { answerPage } from "../pages.ts";
import { Problem } from "../problem.ts";
import { COMMON_PROBLEMS, IdParamsSchema, pageOf, problems, SECURITY, type Api, type RouteDeps } from "../route.ts";

const DialTokenSchema = Type.Object(
  { dialToken: Type.String() },
  { $id: "DialToken", description: "A new token of the dial." },
);

/** Making, reading and ending dials. */
export const dialRoutes = (api: Api, deps: RouteDeps): void => {
  const { catalogue, dials } = deps.store;
  const useCase = { ...deps, catalogue, dials };
  const baseUrl = () => `${deps.publicUrl()}/api`;

  api.get("/dials", { schema: LIST }, async (request) => {
    const { workspaceId } = callerOf(request);
    const { callAgentId, status, createdAfter, createdBefore, ...query } = request.query;
    const filter = {
      agentId: callAgentId,
      status,
      createdAfter: readTime("createdAfter", createdAfter),
      createdBefore: readTime("createdBefore", createdBefore),
    };
    return answerPage(deps.pages, {
      query,
      workspaceId,
      endpoint: "dials",
      read: (page) => dials.list(workspaceId, filter, page),
    });
  });

  api.post("/dials", { schema: CREATE, config: { access: "any-key" } }, async (request, reply) => {
    const caller = callerOf(request);
    const created = await createDial(useCase, {
      workspaceId: caller.workspaceId,
      onlyAgents: caller.type === "key" ? caller.onlyAgents : [],
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

  const extractions = new RepeatedExtractions({ ...deps, catalogue, dials });
  api.post("/dials/:id/extraction", { schema: EXTRACT }, async (request) => {
    const { workspaceId } = callerOf(request);
    const { id: dialId } = request.params;
    await extractions.run({ workspaceId, dialId, extractorId: request.body.callAgentExtractorId });
    return readDial(dials, baseUrl(), workspaceId, dialId);
  });

  api.post("/dials/:id/token", { schema: TOKEN, config: { access: "key-or-dial-token" } }, async (request, reply) => {
    const dial = await dials.find(callerOf(request).workspaceId, request.params.id);
    if (dial === undefined) throw dialNotFound();
    return reply.code(201).send({ dialToken: deps.tokens.mint(dial.id, longestCallMs(dial.agent)) });
  });
};

const idempotencyKey = (header: string | readonly string[] | undefined): string | undefined => {
  if (header === undefined) return undefined;
  if (typeof header === "string" && /^[!-~]{1,255}$/.test(header)) return header;
  throw new Problem("invalid_idempotency_key", "Idempotency-Key must have 1 to 255 visible ASCII characters.");
};

/** A moment as ISO 8601 in UTC with milliseconds, which is what dials carry. */
const readTime = (name: string, text: string | undefined): string | undefined => {
  if (text === undefined) return undefined;
  const time = MOMENT.test(text) && isDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN;
  if (time >= EARLIEST && time <= LATEST) return new Date(time).toISOString();
  const message = "must be a moment in ISO 8601, such as 2026-01-05T09:00:00Z";
  throw new Problem("validation_failed", `${name} ${message}`, { errors: [{ path: `/${name}`, message }] });
};

/** With a zone, because a time without one is another moment for every reader. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** Years that ISO 8601 writes with four digits and the database knows, which has no year 0. */
const EARLIEST = Date.parse("0001-01-01T00:00:00Z");
const LATEST = Date.parse("9999-12-31T23:59:59.999Z");

/** Whether the calendar has this day; `Date.parse` takes 30 February for 2 March. */
const isDay = (day: string): boolean => {
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
};

const DialQuerySchema = Type.Object(
  {
    ...PageQuerySchema.properties,
    callAgentId: Type.Optional(Type.String({ maxLength: 200, description: "Only dials of this agent." })),
    status: Type.Optional(DialStatusSchema),
    createdAfter: Type.Optional(Type.String({ maxLength: 40, description: "ISO 8601; dials of later moments." })),
    createdBefore: Type.Optional(Type.String({ maxLength: 40, description: "ISO 8601; dials of earlier moments." })),
  },
  { additionalProperties: false },
);

const LIST = {
  operationId: "listDials",
  tags: ["dials"],
  security: SECURITY.key,
  summary: "List dials",
  description: "Newest first, without transcripts, turns and recordings. An unknown `callAgentId` has no dials.",
  querystring: DialQuerySchema,
  response: { 200: pageOf(DialSummarySchema), ...COMMON_PROBLEMS, ...problems(422) },
};

const CREATE = {
  operationId: "createDial",
  tags: ["dials"],
  security: SECURITY.key,
  summary: "Create a dial",
  description:
    "Rings a person and lets an agent speak with them; with `browserCall`, waits for a visitor who connects to `/browser/{dialId}` with the `dialToken`. The answer comes at once; what became of the call is told by `GET /dials/{id}`. The header `Idempotency-Key` makes a repeated request safe for 7 days: it answers 200 with the first dial and `Idempotency-Replayed: true`.",
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

const EXTRACT = {
  operationId: "extractDial",
  tags: ["dials"],
  security: SECURITY.key,
  summary: "Extract once more",
  description:
    "Takes the values of an extractor, as it is now, out of a call that is over: the agent's own extractor, or the one that is named. Answers when the dial has its new `aiResult` and `aiResultEvidence`, after 90 s at most. Asking again does no harm; `dial.extractor` is told of the first result only.",
  params: IdParamsSchema,
  body: Type.Object(
    { callAgentExtractorId: Type.Optional(Type.String({ maxLength: 200 })) },
    { additionalProperties: false },
  ),
  response: { 200: DialSchema, ...COMMON_PROBLEMS, ...problems(400, 404, 409, 413, 415, 422) },
};

const TOKEN = {
  operationId: "createDialToken",
  tags: ["dials"],
  security: SECURITY.keyOrDialToken,
  summary: "Mint another dial token",
  params: IdParamsSchema,
  response: { 201: DialTokenSchema, ...COMMON_PROBLEMS, ...problems(404) },
};
