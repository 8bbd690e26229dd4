import type { FastifyInstance } from "fastify";
import { hoistSchemas } from "../openapi.ts";
import { referencePage, type ShownDocument } from "../reference/reference-page.ts";
import { PAGE_HEADERS } from "../static-page.ts";

/** The API described by itself: for programs at `/openapi.json`, for people at `/docs`. Both are made on first use. */
export const referenceRoutes = (app: FastifyInstance): void => {
  let document: Readonly<Record<string, unknown>> | undefined;
  let page: string | undefined;
  const read = () => (document ??= hoistSchemas(app.swagger() as unknown as Readonly<Record<string, unknown>>));

  app.get("/openapi.json", { schema: { hide: true } }, async () => read());

  app.get("/docs", { schema: { hide: true } }, async (_request, reply) => {
    // The generator writes what the reference reads; a test goes through every operation and schema.
    page ??= referencePage(read() as unknown as ShownDocument);
    return reply.headers(PAGE_HEADERS).serializer(String).send(page);
  });
};
