import { Type } from "typebox";
import { createCallbackTokens } from "../../dials/callback-token.ts";
import { report } from "../../dials/report.ts";
import { Problem } from "../problem.ts";
import { problems, type Api, type RouteDeps } from "../route.ts";

/** Largest callback of a carrier, in bytes; theirs have a few hundred. */
const CALLBACK_LIMIT = 65_536;

const ParamsSchema = Type.Object({ carrier: Type.String(), id: Type.String(), token: Type.String() });

/**
 * Where carriers report on calls. The body is kept as it came, because carriers sign its bytes, and each carrier reads its own
 * format. A wrong token, carrier or dial is answered alike, so that nothing can be found out by trying.
 */
export const carrierRoutes = (app: Api, deps: RouteDeps): void => {
  const tokens = createCallbackTokens(deps.deploymentSecret);
  const useCase = { ...deps, dials: deps.store.dials };
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "*",
    { parseAs: "buffer", bodyLimit: CALLBACK_LIMIT },
    async (_request: unknown, body: unknown) => body,
  );

  app.post("/carriers/:carrier/status/:id/:token", { schema: STATUS }, async (request, reply) => {
    const { carrier: name, id, token } = request.params;
    const carrier = deps.carriers.get(name);
    if (carrier === undefined || !tokens.verify(name, id, token))
      throw new Problem("not_found", "There is no such callback.");
    const said = carrier.readCallback(id, {
      url: `${deps.publicUrl()}${request.raw.url ?? ""}`,
      headers: singleHeaders(request.headers),
      body: Buffer.isBuffer(request.body) ? request.body : new Uint8Array(),
    });
    if (said !== undefined) {
      await report(useCase, { ...said, dialId: id });
      deps.onReport(id);
    }
    return reply.code(204).send(null);
  });
};

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
  response: { 204: Type.Null({ description: "Taken." }), ...problems(404, 413, 503) },
};
