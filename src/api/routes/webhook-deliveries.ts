import { Type } from "typebox";
import { PageQuerySchema } from "../../model/page.ts";
import { DeliveryStatusSchema, WebhookDeliverySchema } from "../../model/webhook-delivery.ts";
import { callerOf } from "../auth.ts";
import { answerPage } from "../pages.ts";
import { Problem } from "../problem.ts";
import { COMMON_PROBLEMS, IdParamsSchema, pageOf, problems, SECURITY, type Api, type RouteDeps } from "../route.ts";

const QuerySchema = Type.Object(
  {
    ...PageQuerySchema.properties,
    dialId: Type.Optional(Type.String({ maxLength: 200, description: "Only those of this dial." })),
    status: Type.Optional(DeliveryStatusSchema),
  },
  { additionalProperties: false },
);

/** What became of the events that were to be told to webhooks, and how to send one again. */
export const webhookDeliveryRoutes = (api: Api, deps: RouteDeps): void => {
  const { outbox } = deps.store;

  api.get("/webhook_deliveries", { schema: LIST }, async (request) => {
    const { workspaceId } = callerOf(request);
    const { dialId, status, ...query } = request.query;
    return answerPage(deps.pages, {
      query,
      workspaceId,
      endpoint: "webhook_deliveries",
      read: (page) => outbox.list(workspaceId, { dialId, status }, page),
    });
  });

  api.post("/webhook_deliveries/:id/replay", { schema: REPLAY }, async (request, reply) => {
    const replayed = await outbox.replay(callerOf(request).workspaceId, request.params.id);
    if (replayed === undefined)
      throw new Problem("webhook_delivery_not_found", "There is no webhook delivery with this id.");
    return reply.code(202).send(replayed);
  });
};

const shared = { tags: ["webhooks"], security: SECURITY.key };

const LIST = {
  ...shared,
  operationId: "listWebhookDeliveries",
  summary: "List webhook deliveries",
  description: "Newest first. Every event of a dial with a `webhookUrl` is one delivery.",
  querystring: QuerySchema,
  response: { 200: pageOf(WebhookDeliverySchema), ...COMMON_PROBLEMS, ...problems(422) },
};

const REPLAY = {
  ...shared,
  operationId: "replayWebhookDelivery",
  summary: "Send a webhook again",
  description:
    "Starts the delivery's attempts anew, at once, whatever came of it before. It keeps its id, so that a receiver that has it already can tell.",
  params: IdParamsSchema,
  response: { 202: WebhookDeliverySchema, ...COMMON_PROBLEMS, ...problems(404) },
};
