import { Type } from "typebox";
import { toError } from "../../kit/errors.ts";
import { Problem } from "../problem.ts";
import type { Api, RouteDeps } from "../route.ts";

const HealthSchema = Type.Object({ status: Type.Enum(["ok"]) }, { $id: "Health", description: "It is." });

const ReadinessSchema = Type.Object(
  {
    status: Type.Enum(["ready", "not-ready"]),
    reasons: Type.Array(Type.String({ description: "Why it should not be given calls." })),
  },
  { $id: "Readiness", description: "Whether it should, and why not." },
);

/** What operators and monitors ask. None of it needs a key, and none of it says anything of a customer. */
export const operationRoutes = (app: Api, deps: RouteDeps): void => {
  app.get("/healthz", { schema: HEALTH }, async () => ({ status: "ok" as const }));

  app.get("/readyz", { schema: READY }, async (_request, reply) => {
    const { draining, notReady } = deps.readiness();
    const reasons = [...(draining ? ["The process is stopping."] : []), ...notReady, ...(await storeTrouble(deps))];
    const ready = reasons.length === 0;
    return reply.code(ready ? 200 : 503).send({ status: ready ? "ready" : "not-ready", reasons });
  });

  app.get("/metrics", { schema: METRICS }, async ({ socket }, reply) => {
    if (deps.sharedPort !== undefined && socket.localPort === deps.sharedPort)
      throw new Problem(
        "not_found",
        `Several processes listen at port ${deps.sharedPort}, and each counts for itself: ask every one at its own port, the first at ${deps.sharedPort + 1}.`,
      );
    const { contentType, body } = await deps.metrics.expose();
    return reply.header("content-type", contentType).serializer(String).send(body);
  });
};

const storeTrouble = async (deps: RouteDeps): Promise<readonly string[]> => {
  try {
    await deps.store.ping();
    return [];
  } catch (error) {
    deps.logger.warn("the database does not answer", { error: toError(error) });
    return ["The database does not answer."];
  }
};

const HEALTH = {
  operationId: "getHealth",
  tags: ["operations"],
  summary: "Whether the process is alive",
  response: { 200: HealthSchema },
};

const READY = {
  operationId: "getReadiness",
  tags: ["operations"],
  summary: "Whether the process should be given calls",
  response: { 200: ReadinessSchema, 503: ReadinessSchema },
};

const METRICS = {
  operationId: "getMetrics",
  tags: ["operations"],
  summary: "Prometheus metrics",
  produces: ["text/plain"],
  response: { 200: Type.String({ description: "The Prometheus text format." }) },
};
