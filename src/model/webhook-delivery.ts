import { Type, type Static } from "typebox";
import { Nullable } from "./nullable.ts";

/** The events that customers are told of. */
export const WebhookEventSchema = Type.Enum([
  "dial.created",
  "dial.updated",
  "dial.corrected",
  "dial.transcript",
  "dial.recording_created",
  "dial.extractor",
]);

/** `pending` waits, for its turn or for another attempt; `dead` is given up, and can be replayed. */
export const DeliveryStatusSchema = Type.Enum(["pending", "delivered", "dead"]);
export type DeliveryStatus = Static<typeof DeliveryStatusSchema>;

/**
 * What came of one attempt. `rejected`: a status other than 2xx. `gone`: 410. `refused`: the address may not be called. `not_sent`:
 * there was no connection. `timeout`: connected, and no whole answer in time. `broken`: the connection broke.
 */
export const AttemptOutcomeSchema = Type.Enum([
  "delivered",
  "rejected",
  "gone",
  "refused",
  "not_sent",
  "timeout",
  "broken",
]);
export type AttemptOutcome = Static<typeof AttemptOutcomeSchema>;

const Timestamp = Type.String({ format: "date-time" });

export const WebhookAttemptSchema = Type.Object({
  at: Timestamp,
  outcome: AttemptOutcomeSchema,
  statusCode: Type.Optional(Type.Integer({ description: "Present when the endpoint answered." })),
  durationMs: Type.Integer({ minimum: 0 }),
});
export type WebhookAttempt = Static<typeof WebhookAttemptSchema>;

export const WebhookDeliverySchema = Type.Object(
  {
    id: Type.String({ description: "The `webhook-id` header and the envelope's `id`; the same at every attempt." }),
    dialId: Type.String(),
    event: WebhookEventSchema,
    sequence: Type.Integer({ minimum: 1, description: "Counts the events of one dial." }),
    status: DeliveryStatusSchema,
    createdAt: Timestamp,
    nextAttemptAt: Nullable(Timestamp),
    deliveredAt: Nullable(Timestamp),
    attemptCount: Type.Integer({ minimum: 0 }),
    attempts: Type.Array(WebhookAttemptSchema, { description: "The last 20, oldest first." }),
  },
  {
    $id: "WebhookDelivery",
    description: "One event on its way to one webhook. What was sent and answered is not kept.",
    examples: [
      {
        id: "6f9d2a64-5b0e-4a36-8f0a-2d1d8e4a9c55",
        dialId: "01988f5e-7c1a-7d02-9f7a-4cbb1d1f3a55",
        event: "dial.updated",
        sequence: 2,
        status: "delivered",
        createdAt: "2026-01-05T09:00:00.000Z",
        nextAttemptAt: null,
        deliveredAt: "2026-01-05T09:00:00.310Z",
        attemptCount: 1,
        attempts: [{ at: "2026-01-05T09:00:00.120Z", outcome: "delivered", statusCode: 200, durationMs: 190 }],
      },
    ],
  },
);
export type WebhookDelivery = Static<typeof WebhookDeliverySchema>;

/** How many attempts a delivery shows. */
export const SHOWN_ATTEMPTS = 20;

export const WebhookSecretSchema = Type.Object(
  {
    secret: Type.String({ description: "Signs every webhook of the workspace (Standard Webhooks, HMAC-SHA256)." }),
    createdAt: Timestamp,
    previousExpiresAt: Nullable(
      Type.String({
        format: "date-time",
        description: "Until then webhooks are signed with the secret before this one too.",
      }),
    ),
  },
  {
    $id: "WebhookSecret",
    description: "The secret that receivers check signatures with.",
    examples: [
      {
        secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw3mN0PzQxV1Y=",
        createdAt: "2026-01-05T09:00:00.000Z",
        previousExpiresAt: null,
      },
    ],
  },
);
export type WebhookSecret = Static<typeof WebhookSecretSchema>;
