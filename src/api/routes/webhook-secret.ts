import { WebhookSecretSchema } from "../../model/webhook-delivery.ts";
import { callerOf } from "../auth.ts";
import { COMMON_PROBLEMS, SECURITY, type Api, type RouteDeps } from "../route.ts";

/** The secret that signs a workspace's webhooks. */
export const webhookSecretRoutes = (api: Api, deps: RouteDeps): void => {
  const { outbox } = deps.store;

  api.get("/webhook_secret", { schema: READ }, async (request) => outbox.secret(callerOf(request).workspaceId));

  api.post("/webhook_secret/rotate", { schema: ROTATE }, async (request) =>
    outbox.rotateSecret(callerOf(request).workspaceId),
  );
};

const shared = {
  tags: ["webhooks"],
  security: SECURITY.key,
  response: { 200: WebhookSecretSchema, ...COMMON_PROBLEMS },
};

const READ = {
  ...shared,
  operationId: "getWebhookSecret",
  summary: "Get the webhook secret",
  description: "The secret to check the signatures of webhooks with. It is made when it is first needed.",
};

const ROTATE = {
  ...shared,
  operationId: "rotateWebhookSecret",
  summary: "Rotate the webhook secret",
  description:
    "Makes a new secret. For 24 hours webhooks are signed with the secret before it too; an even older one counts no more, so that rotating twice puts away a secret that has leaked.",
};
