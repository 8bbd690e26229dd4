import { createHmac } from "node:crypto";

/** What a webhook is signed over. */
export type SignedWebhook = Readonly<{
  id: string;
  /** Seconds since 1970, of this attempt; receivers refuse what is more than minutes away from their own clock. */
  timestamp: number;
  body: string;
  /** `whsec_` and base64; each that is alive signs, so that a receiver may change over at any moment. */
  secrets: readonly string[];
}>;

/** The three headers of Standard Webhooks (https://www.standardwebhooks.com), scheme `v1`: HMAC-SHA256 over `id.timestamp.body`. */
export const webhookHeaders = ({ id, timestamp, body, secrets }: SignedWebhook): Readonly<Record<string, string>> => ({
  "webhook-id": id,
  "webhook-timestamp": String(timestamp),
  "webhook-signature": secrets.map((secret) => `v1,${sign(secret, `${id}.${timestamp}.${body}`)}`).join(" "),
});

const sign = (secret: string, content: string): string =>
  createHmac("sha256", Buffer.from(secret.replace(/^whsec_/, ""), "base64"))
    .update(content)
    .digest("base64");
