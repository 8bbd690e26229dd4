import type { FastifyInstance } from "fastify";
import { looksLikeDialToken } from "../dials/dial-token.ts";
import type { Access } from "./auth.ts";

/** What scripts may read of an answer besides its body. */
const EXPOSED = "X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, Accept-Ranges, Content-Range, Content-Length";

const ALLOWED_HEADERS = "Authorization, Content-Type, Idempotency-Key, Last-Event-ID, Range, X-Request-Id";

/** What public keys begin with. */
const PUBLIC_KEY = "pk_";

/** How long a browser may remember the answer to a preflight, in seconds; the longest that Chromium takes. */
const MAX_AGE_SECONDS = "7200";

const FOR_BROWSERS: readonly Access[] = ["key-or-dial-token", "any-key"];

/**
 * Lets pages of the given origins use what a dial token reaches, or a public key, and nothing else: a secret key has no business in a
 * page. The origin is always answered by its name and credentials are never allowed, so that no cookie or cached password ever counts.
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
  const forBrowsers = (path: string) => FOR_BROWSERS.flatMap((access) => methodsOf(path, access));
  app.addHook("onRequest", async (request, reply) => {
    const { origin, authorization, "access-control-request-method": wanted } = request.headers;
    const isPreflight = request.method === "OPTIONS" && wanted !== undefined;
    const methods = isPreflight ? forBrowsers(request.raw.url?.split(/[?#]/, 1)[0] ?? "/") : [];
    if (methods.length === 0 && !FOR_BROWSERS.some((access) => access === request.routeOptions.config.access)) return;
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
    if (looksLikeDialToken(credential) || credential.startsWith(PUBLIC_KEY))
      void reply.headers({ "access-control-allow-origin": origin, "access-control-expose-headers": EXPOSED });
  });
};
