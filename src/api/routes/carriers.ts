import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { createCallbackTokens } from "../../dials/callback-token.ts";
import { connectAgain } from "../../dials/connect-again.ts";
import { report } from "../../dials/report.ts";
import type { CallbackAnswer, CallbackRequest } from "../../ports/carrier.ts";
import type { ListeningCarrier } from "../deps.ts";
import { Problem } from "../problem.ts";
import { problems, type Api, type RouteDeps } from "../route.ts";

/** Largest callback of a carrier, in bytes; theirs have a few hundred. */
const CALLBACK_LIMIT = 65_536;

const ParamsSchema = Type.Object({ account: Type.String(), id: Type.String(), token: Type.String() });

/**
 * Where carriers report on calls and ask what to do with them. The body is kept as it came, because carriers sign its bytes, and each
 * carrier reads its own format. A wrong token, account or dial is answered alike, so that nothing can be found out by trying.
 */
export const carrierRoutes = (app: Api, deps: RouteDeps): void => {
  const tokens = createCallbackTokens(deps.deploymentSecret);
  const useCase = { ...deps, dials: deps.store.dials };
  const addressed = ({
    account,
    id,
    token,
  }: Readonly<{ account: string; id: string; token: string }>): ListeningCarrier => {
    const carrier = deps.carriers.get(account);
    if (carrier === undefined || !tokens.verify(account, id, token))
      throw new Problem("not_found", "There is no such callback.");
    return carrier;
  };
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "*",
    { parseAs: "buffer", bodyLimit: CALLBACK_LIMIT },
    async (_request: unknown, body: unknown) => body,
  );

  app.post("/carriers/:account/status/:id/:token", { schema: STATUS }, async (request, reply) => {
    const { id } = request.params;
    const said = genuine(addressed(request.params).readCallback(id, asCallback(deps, request)));
    if (said !== undefined) {
      await report(useCase, { ...said, dialId: id });
      deps.onReport(id);
    }
    return reply.code(204).send(null);
  });

  const connect = async (
    request: FastifyRequest<{ Params: Readonly<{ account: string; id: string; token: string }> }>,
    reply: FastifyReply,
  ) => {
    const carrier = addressed(request.params);
    const { readConnect } = carrier;
    const wish = genuine(readConnect?.call(carrier, asCallback(deps, request)));
    if (wish === undefined) throw new Problem("not_found", "There is no such callback.");
    return answerWith(reply, await connectAgain({ ...useCase, callbacks: tokens }, carrier, request.params.id, wish));
  };
  const url = "/carriers/:account/answer/:id/:token";
  app.route<{ Params: Readonly<{ account: string; id: string; token: string }> }>({
    method: "GET",
    url,
    schema: { ...ANSWER, operationId: "fetchCallDocument" },
    handler: connect,
  });
  app.route<{ Params: Readonly<{ account: string; id: string; token: string }> }>({
    method: "POST",
    url,
    schema: { ...ANSWER, operationId: "requestCallDocument" },
    handler: connect,
  });
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

const STATUS = {
  operationId: "reportCallStatus",
  tags: ["carriers"],
  summary: "A carrier reports on a call",
  params: ParamsSchema,
  response: { 204: Type.Null({ description: "Taken." }), ...problems(403, 404, 413, 503) },
};

const ANSWER = {
  tags: ["carriers"],
  summary: "A carrier asks how the sound of a call is connected",
  params: ParamsSchema,
  response: {
    200: Type.String({ description: "A document in the carrier's own language." }),
    ...problems(403, 404, 413, 503),
  },
};
