import type { FastifyInstance } from "fastify";
import { looksLikeDialToken } from "../dials/dial-token.ts";
import type { Access } from "./auth.ts";

/** What scripts may read of an answer besides its body. */
const EXPOSED = "X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, Accept-Ranges, Content-Range, Content-Length";

const ALLOWED_HEADERS = "Authorization, Content-Type, Last-Event-ID, Range, X-Request-Id";

/** How long a browser may remember the answer to a preflight, in seconds; the longest that Chromium takes. */
const MAX_AGE_SECONDS = "7200";

const FOR_BROWSERS: Access = "key-or-dial-token";

/**
 * Lets pages of the given origins use what a dial token reaches, and nothing else: an API key has no business in a page. The
 * origin is always answered by its name and credentials are never allowed, so that no cookie or cached password ever counts.
 *
 * Add it before the routes, `methodsOf` knowing them.
 */
export const allowOrigins = (
  app: FastifyInstance,
  origins: readonly string[],
  methodsOf: (path: string, access: Access) => readonly string[],
): void => {
  if (origins.length === 0) return;
  const allowed = new Set(origins);
  app.addHook("onRequest", async (request, reply) => {
    const { origin, authorization, "access-control-request-method": wanted } = request.headers;
    const isPreflight = request.method === "OPTIONS" && wanted !== undefined;
    const methods = isPreflight ? methodsOf(request.raw.url?.split(/[?#]/, 1)[0] ?? "/", FOR_BROWSERS) : [];
    if (methods.length === 0 && request.routeOptions.config.access !== FOR_BROWSERS) return;
    // Also without an origin: a cache must not give one reader's answer to another.
    void reply.header("vary", "Origin");
    if (origin === undefined || !allowed.has(origin)) return;
    if (isPreflight)
      return reply
        .code(204)
        .headers({
          "access-control-allow-origin": origin,
          "access-control-allow-methods": methods.join(", "),
          "access-control-allow-headers": ALLOWED_HEADERS,
          "access-control-max-age": MAX_AGE_SECONDS,
        })
        .send();
    const credential = /^Bearer +(\S+)/i.exec(authorization ?? "")?.[1] ?? "";
    if (looksLikeDialToken(credential))
      void reply.headers({ "access-control-allow-origin": origin, "access-control-expose-headers": EXPOSED });
  });
};
