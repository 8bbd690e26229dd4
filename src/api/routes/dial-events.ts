import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { dialNotFound } from "../../dials/read-dial.ts";
import { LiveEventSchema } from "../../model/live-event.ts";
import { callerOf } from "../auth.ts";
import { EventStreams } from "../event-stream.ts";
import { COMMON_PROBLEMS, IdParamsSchema, problems, SECURITY, type Api, type RouteDeps } from "../route.ts";

/** Follows a call while it happens. */
export const dialEventRoutes = (api: Api, deps: RouteDeps): void => {
  const streams = new EventStreams(deps);
  api.addHook("preClose", async () => {
    streams.close();
  });
  const begin = async (request: FastifyRequest, dialId: string, reply: FastifyReply): Promise<string> => {
    const { workspaceId } = callerOf(request);
    if ((await deps.store.dials.workspaceOf(dialId)) !== workspaceId) throw dialNotFound();
    void reply.header("content-type", "text/event-stream").header("x-accel-buffering", "no");
    return workspaceId;
  };
  const config = { access: "key-or-dial-token" } as const;
  api.get("/dials/:id/events", { schema: EVENTS, config, exposeHeadRoute: false }, async (request, reply) => {
    const dialId = request.params.id;
    const workspaceId = await begin(request, dialId, reply);
    const afterId = request.headers["last-event-id"];
    return reply.send(streams.open({ workspaceId, dialId, afterId: afterId === "" ? undefined : afterId }));
  });
  api.head("/dials/:id/events", { schema: { ...EVENTS, hide: true }, config }, async (request, reply) => {
    await begin(request, request.params.id, reply);
    return reply.send();
  });
};

const EVENTS = {
  operationId: "followDial",
  tags: ["dials"],
  security: SECURITY.keyOrDialToken,
  summary: "Follow a dial",
  description:
    "Server-sent events: `status`, `transcript`, `interim` (what the transcriber believes so far) and `turn`, with JSON data. The stream begins with what is kept of the call, and ends after the terminal status. `Last-Event-ID` continues where a broken stream stopped; a comment every 15 s keeps the connection open.",
  params: IdParamsSchema,
  headers: Type.Object({
    "last-event-id": Type.Optional(Type.String({ maxLength: 200, description: "The last `id` that was received." })),
  }),
  response: {
    200: {
      description: "The stream",
      content: {
        "text/event-stream": {
          // OpenAPI 3.1 cannot describe the items of a stream; 3.2 calls it `itemSchema`.
          "x-itemSchema": LiveEventSchema,
          schema: {
            type: "string",
            examples: [
              'id: 3\nevent: status\ndata: {"type":"status","status":"in-progress","systemResultType":null}\n\n',
            ],
          },
        },
      },
    },
    ...COMMON_PROBLEMS,
    ...problems(404),
  },
};
