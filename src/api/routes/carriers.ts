import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from "fastify";
import { Type } from "typebox";
import { InboundCalls } from "../../dials/answer-inbound.ts";
import { createCallbackTokens, type CallbackTokens } from "../../dials/callback-token.ts";
import { connectAgain } from "../../dials/connect-again.ts";
import { report } from "../../dials/report.ts";
import type { CallbackAnswer, CallbackRequest } from "../../ports/carrier.ts";
import type { ListeningCarrier } from "../deps.ts";
import { Problem } from "../problem.ts";
import { problems, type Api, type RouteDeps } from "../route.ts";

/** Largest callback of a carrier, in bytes; theirs have a few hundred. */
const CALLBACK_LIMIT = 65_536;

/** Of a path that names one dial. */
type Addressed = Readonly<{ account: string; id: string; token: string }>;

/**
 * Where carriers report on calls and ask what to do with them. The body is kept as it came, because carriers sign its bytes, and each
 * carrier reads its own format. A wrong token, account or dial is answered alike, so that nothing can be found out by trying.
 */
export const carrierRoutes = (app: Api, deps: RouteDeps): void => {
  const tokens = createCallbackTokens(deps.deploymentSecret);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "*",
    { parseAs: "buffer", bodyLimit: CALLBACK_LIMIT },
    async (_request: unknown, body: unknown) => body,
  );
  app.post("/carriers/:account/status/:id/:token", { schema: STATUS }, async (request, reply) => {
    const { id } = request.params;
    const said = genuine(addressed(deps, tokens, request.params).readCallback(id, asCallback(deps, request)));
    if (said !== undefined) {
      await report({ ...deps, dials: deps.store.dials }, { ...said, dialId: id });
      deps.onReport(id);
    }
    return reply.code(204).send(null);
  });
  both(app, "/carriers/:account/answer/:id/:token", ANSWER, connecting(deps, tokens));
  both(app, "/carriers/:account/inbound", INBOUND, noticing(deps, tokens));
};

/** Some carriers ask by GET, others by POST, most by whatever their console says. */
const both = (
  app: Api,
  url: string,
  { get, post, ...schema }: Readonly<{ get: string; post: string }> & Readonly<Record<string, unknown>>,
  handler: RouteHandlerMethod,
): void => {
  // What is asked by GET does something here, as a HEAD must not.
  app.route({ method: "GET", url, schema: { ...schema, operationId: get }, exposeHeadRoute: false, handler });
  app.route({ method: "POST", url, schema: { ...schema, operationId: post }, handler });
};

/** Tells a carrier how the sound of a call is connected. */
const connecting =
  (deps: RouteDeps, callbacks: CallbackTokens): RouteHandlerMethod =>
  async (request, reply) => {
    const params = request.params as Addressed;
    const carrier = addressed(deps, callbacks, params);
    const wish = genuine(carrier.readConnect?.(asCallback(deps, request)));
    if (wish === undefined) throw new Problem("not_found", "There is no such callback.");
    const useCase = { ...deps, dials: deps.store.dials, callbacks };
    return answerWith(reply, await connectAgain(useCase, carrier, params.id, wish));
  };

/** Takes what a carrier says at the account's own address. */
const noticing = (deps: RouteDeps, callbacks: CallbackTokens): RouteHandlerMethod => {
  const useCase = { ...deps, dials: deps.store.dials, outbox: deps.store.outbox, callbacks };
  const inbound = new InboundCalls(useCase);
  return async (request, reply) => {
    const carrier = deps.carriers.get((request.params as Pick<Addressed, "account">).account);
    if (carrier?.readNotice === undefined) throw new Problem("not_found", "No carrier announces calls here.");
    const said = genuine(carrier.readNotice(asCallback(deps, request)));
    if (said?.type === "ringing") return answerWith(reply, await inbound.answer(carrier, said.call));
    const dialId = said && (await useCase.dials.findByCall(carrier.name, said.call.callId));
    if (said !== undefined && dialId !== undefined) {
      await report(useCase, { ...said, dialId });
      deps.onReport(dialId);
    }
    return answerWith(reply, carrier.noticeTaken ?? { status: 204, contentType: "text/plain", body: "" });
  };
};

const addressed = (deps: RouteDeps, tokens: CallbackTokens, { account, id, token }: Addressed): ListeningCarrier => {
  const carrier = deps.carriers.get(account);
  if (carrier === undefined || !tokens.verify(account, id, token))
    throw new Problem("not_found", "There is no such callback.");
  return carrier;
};

const genuine = <T>(read: T | "forged"): T => {
  if (read === "forged") throw new Problem("forbidden", "The carrier's signature is missing or does not fit.");
  return read;
};

const asCallback = (deps: RouteDeps, request: FastifyRequest): CallbackRequest => ({
  method: request.method === "GET" ? "GET" : "POST",
  url: `${deps.publicUrl()}${request.raw.url ?? ""}`,
  headers: singleHeaders(request.headers),
  body: Buffer.isBuffer(request.body) ? request.body : new Uint8Array(),
});

const answerWith = (reply: FastifyReply, { status, contentType, body }: CallbackAnswer) =>
  reply.code(status).header("content-type", contentType).send(body);

const singleHeaders = (
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === "string" ? value : value?.join(", ")]),
  );

const ParamsSchema = Type.Object({ account: Type.String(), id: Type.String(), token: Type.String() });

const STATUS = {
  operationId: "reportCallStatus",
  tags: ["carriers"],
  summary: "A carrier reports on a call",
  params: ParamsSchema,
  response: { 204: Type.Null({ description: "Taken." }), ...problems(403, 404, 413, 503) },
};

const ANSWER = {
  get: "fetchCallDocument",
  post: "requestCallDocument",
  tags: ["carriers"],
  summary: "A carrier asks how the sound of a call is connected",
  params: ParamsSchema,
  response: {
    200: Type.String({ description: "A document in the carrier's own language." }),
    ...problems(403, 404, 413, 503),
  },
};

const INBOUND = {
  get: "askAboutInboundCall",
  post: "announceInboundCall",
  tags: ["carriers"],
  summary: "A carrier announces that somebody rings, or reports on such a call",
  params: Type.Object({ account: Type.String() }),
  response: {
    200: Type.String({ description: "What is to be done with the call, in the carrier's own language." }),
    204: Type.Null({ description: "Taken." }),
    ...problems(403, 404, 413, 503),
  },
};
