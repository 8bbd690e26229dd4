import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { SystemClock } from "../../src/adapters/clock/system.ts";

/** A webhook as it came in, its signature checked. */
export type ReceivedWebhook = Readonly<{
  path: string;
  /** Milliseconds since 1970. */
  at: number;
  event: string;
  id: string;
  sequence: number;
  created_at: string;
  payload: Readonly<Record<string, unknown>> & Readonly<{ dial_id: string }>;
}>;

export type WebhookReceiver = Readonly<{
  url: string;
  received: readonly ReceivedWebhook[];
  /** Requests whose signature was wrong. */
  refused: readonly string[];
  close(): Promise<void>;
}>;

/** How a receiver answers; it answers 200 unless told. */
type Answer = (request: IncomingMessage, response: ServerResponse, webhook: ReceivedWebhook) => void;

/** A customer's server on loopback, which checks every webhook with the library of Standard Webhooks. */
export const receiveWebhooks = async (
  secret: () => string,
  answer: Answer = (_request, response) => void response.writeHead(200).end(),
): Promise<WebhookReceiver> => {
  const received: ReceivedWebhook[] = [];
  const refused: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      try {
        const headers = request.headers as Record<string, string>;
        const envelope = new Webhook(secret()).verify(body, headers) as Omit<ReceivedWebhook, "path" | "at">;
        const webhook = { ...envelope, path: request.url ?? "", at: new SystemClock().now() };
        if (headers["webhook-id"] !== webhook.id) throw new Error("the id of the header is another");
        received.push(webhook);
        answer(request, response, webhook);
      } catch (error) {
        refused.push(String(error));
        response.writeHead(401).end();
      }
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    refused,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
};
