import fastifySwagger from "@fastify/swagger";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { fastify, type FastifyInstance, type FastifySchema } from "fastify";
import { createDialTokens } from "../dials/dial-token.ts";
import { authenticate } from "./auth.ts";
import { closeConnections } from "./close-connections.ts";
import { allowOrigins } from "./cross-origin.ts";
import type { ServerDeps } from "./deps.ts";
import { installErrorHooks, onClientError, onFrameworkError } from "./error-hooks.ts";
import { acceptJson, BODY_LIMIT, isStorable } from "./json-body.ts";
import { KnownKeys } from "./known-keys.ts";
import { markSchemas, OPENAPI } from "./openapi.ts";
import { createPages } from "./pages.ts";
import { Problem } from "./problem.ts";
import { RateLimit } from "./rate-limit.ts";
import { shareRateLimit } from "./share-rate-limit.ts";
import { recordRoutes } from "./route-table.ts";
import type { RouteDeps } from "./route.ts";
import { agentRoutes } from "./routes/agents.ts";
import { apiKeyRoutes } from "./routes/api-keys.ts";
import { doNotCallRoutes } from "./routes/do-not-call.ts";
import { audioRoutes } from "./routes/audio.ts";
import { carrierRoutes } from "./routes/carriers.ts";
import { catalogueRoutes } from "./routes/catalogue.ts";
import { dialEventRoutes } from "./routes/dial-events.ts";
import { dialRoutes } from "./routes/dials.ts";
import { erasureRoutes } from "./routes/erasures.ts";
import { extractorRoutes } from "./routes/extractors.ts";
import { functionRoutes } from "./routes/functions.ts";
import { homeRoute } from "./routes/home.ts";
import { operationRoutes } from "./routes/operations.ts";
import { phoneNumberRoutes } from "./routes/phone-numbers.ts";
import { promptRoutes } from "./routes/prompts.ts";
import { recordingRoutes, recordingSwitchRoutes } from "./routes/recordings.ts";
import { referenceRoutes } from "./routes/reference.ts";
import { webhookDeliveryRoutes } from "./routes/webhook-deliveries.ts";
import { webhookSecretRoutes } from "./routes/webhook-secret.ts";
import { refuseWhatIsNotRead } from "./strict-requests.ts";

/** How long a request may take to arrive as a whole, in milliseconds. */
const REQUEST_TIMEOUT_MS = 30_000;

/** Longer than the idle time-outs of common load balancers (60 s), so that it is never we who close first. */
const KEEP_ALIVE_MS = 72_000;

/** Request ids of clients that we take over; anything else gets an id of ours. */
const REQUEST_ID = /^[A-Za-z0-9._-]{8,64}$/;

/**
 * The HTTP server: the API under `/api`, and what operators and carriers need beside it. It listens when `listen` is called;
 * `close` ends event streams, lets requests finish, and closes idle connections.
 *
 * A schema decides what comes in and never changes it: nothing is coerced, filled in or dropped. Responses are written as
 * handlers return them.
 */
export const createServer = (deps: ServerDeps): FastifyInstance => {
  const app = fastify({
    logger: false,
    // Node's own answer to a request without a Host has no body; the hook below gives it the one shape.
    http: { requireHostHeader: false },
    ajv: { customOptions: { coerceTypes: false, useDefaults: false, removeAdditional: false, allErrors: true } },
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // RFC 9110 asks for HEAD wherever there is GET. Routes that answer with streams have their own.
    exposeHeadRoutes: true,
    return503OnClosing: false,
    requestIdHeader: false,
    genReqId: ({ headers }) => {
      const given = headers["x-request-id"];
      return typeof given === "string" && REQUEST_ID.test(given) ? given : deps.random.id();
    },
    routerOptions: { maxParamLength: 512 },
    frameworkErrors: onFrameworkError,
    clientErrorHandler: onClientError(deps.random),
  });
  closeConnections(app, deps.clock);
  const allowedMethods = recordRoutes(app);
  installErrorHooks(app, { logger: deps.logger, allowedMethods });
  app.setSerializerCompiler(() => (body) => JSON.stringify(body));
  acceptJson(app);
  installRequestHooks(app, deps);
  allowOrigins(app, deps.corsOrigins, allowedMethods);

  const routeDeps: RouteDeps = {
    ...deps,
    tokens: createDialTokens(deps),
    pages: createPages(deps.deploymentSecret),
    keys: new KnownKeys(deps.store.catalogue, deps.clock),
  };
  void app.register(fastifySwagger, {
    openapi: OPENAPI,
    transform: ({ schema, url }) => ({ schema: markSchemas(schema) as FastifySchema, url }),
  });
  void app.register(async (outer) => {
    operationRoutes(outer.withTypeProvider<TypeBoxTypeProvider>(), routeDeps);
    homeRoute(outer.withTypeProvider<TypeBoxTypeProvider>(), routeDeps);
    referenceRoutes(outer);
  });
  void app.register(async (carriers) => carrierRoutes(carriers.withTypeProvider<TypeBoxTypeProvider>(), routeDeps));
  void app.register(async (plain) => installApi(plain, routeDeps), { prefix: "/api" });
  return app;
};

const installApi = (plain: FastifyInstance, deps: RouteDeps): void => {
  const api = plain.withTypeProvider<TypeBoxTypeProvider>();
  const limit = new RateLimit(deps.requestsPerSecond, deps.clock);
  if (deps.usage !== undefined) {
    const stop = shareRateLimit({ limit, channel: deps.usage, clock: deps.clock, name: deps.random.id() });
    api.addHook("onClose", async () => {
      stop();
    });
  }
  api.addHook("onRequest", authenticate({ keys: deps.keys, dials: deps.store.dials, tokens: deps.tokens, limit }));
  refuseWhatIsNotRead(api);
  dialRoutes(api, deps);
  dialEventRoutes(api, deps);
  recordingRoutes(api, deps);
  recordingSwitchRoutes(api, deps);
  erasureRoutes(api, deps);
  agentRoutes(api, deps);
  promptRoutes(api, deps);
  extractorRoutes(api, deps);
  functionRoutes(api, deps);
  phoneNumberRoutes(api, deps);
  audioRoutes(api, deps);
  catalogueRoutes(api, deps);
  apiKeyRoutes(api, deps);
  doNotCallRoutes(api, deps);
  webhookDeliveryRoutes(api, deps);
  webhookSecretRoutes(api, deps);
};

const installRequestHooks = (app: FastifyInstance, deps: ServerDeps): void => {
  app.decorateRequest("caller", null);
  const begun = new WeakMap<object, number>();
  app.addHook("onRequest", async (request, reply) => {
    begun.set(request, deps.clock.monotonic());
    void reply.header("x-request-id", request.id).header("cache-control", "no-store");
    if (request.headers.host === undefined && request.raw.httpVersion === "1.1")
      throw new Problem("bad_request", "Send a Host header; HTTP/1.1 asks for one.");
    // No id of ours is empty or holds a character that the database would refuse.
    for (const value of Object.values(request.params as Readonly<Record<string, string>>))
      if (value === "" || !isStorable(value)) throw new Problem("not_found", "There is nothing at this path.");
  });
  app.addHook("onResponse", async (request, reply) => {
    const ms = deps.clock.monotonic() - (begun.get(request) ?? deps.clock.monotonic());
    const route = request.routeOptions.url ?? "unmatched";
    deps.metrics.httpRequest(request.method, route, reply.statusCode, ms);
    deps.logger.debug("request", {
      requestId: request.id,
      method: request.method,
      route,
      status: reply.statusCode,
      ms,
    });
  });
};
