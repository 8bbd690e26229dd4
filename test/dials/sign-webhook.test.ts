import { createHmac } from "node:crypto";
import * as fc from "fast-check";
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { expect, test } from "vitest";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import { webhookHeaders } from "../../src/dials/sign-webhook.ts";

const SECRET = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
const OTHER = `whsec_${Buffer.alloc(32, 2).toString("base64")}`;
const now = () => Math.floor(new SystemClock().now() / 1000);

const signed = (more: Partial<Parameters<typeof webhookHeaders>[0]> = {}) => {
  const webhook = { id: "msg_1", timestamp: now(), body: '{"event":"dial.created"}', secrets: [SECRET], ...more };
  return { ...webhook, headers: webhookHeaders(webhook) };
};

test("the example of the specification has the signature that it says", () => {
  const { headers } = signed({
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    timestamp: 1_614_265_330,
    body: '{"test": 2432232314}',
    secrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
  });
  expect(headers).toEqual({
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});

test("a receiver's library accepts every body that we sign, and the same with another secret not", () => {
  fc.assert(
    fc.property(fc.uuid(), fc.jsonValue(), (id, value) => {
      const { body, headers } = signed({ id, body: JSON.stringify({ value }) });
      expect(new Webhook(SECRET).verify(body, headers)).toEqual(JSON.parse(body));
      expect(() => new Webhook(OTHER).verify(body, headers)).toThrow(WebhookVerificationError);
    }),
    { numRuns: 200 },
  );
});

test("during a rotation both secrets accept", () => {
  const { body, headers } = signed({ secrets: [OTHER, SECRET] });
  expect(headers["webhook-signature"]?.split(" ")).toHaveLength(2);
  for (const secret of [SECRET, OTHER]) expect(new Webhook(secret).verify(body, headers)).toBeDefined();
});

test("a body, an id or a time that was changed is refused, and so is one that is five minutes off", () => {
  const { body, headers, timestamp } = signed();
  const receiver = new Webhook(SECRET);
  const refused = (content: string, more: Readonly<Record<string, string>>) =>
    expect(() => receiver.verify(content, { ...headers, ...more })).toThrow(WebhookVerificationError);
  refused(`${body} `, {});
  refused(body, { "webhook-id": "msg_2" });
  refused(body, { "webhook-timestamp": String(timestamp + 1) });
  for (const seconds of [-330, 330]) refused(body, signed({ timestamp: timestamp + seconds }).headers);
  for (const seconds of [-240, 240])
    expect(receiver.verify(body, signed({ timestamp: timestamp + seconds }).headers)).toBeDefined();
});

test("the key is what the secret's base64 stands for", () => {
  const { headers, body, id, timestamp } = signed();
  const expected = createHmac("sha256", Buffer.alloc(32, 1)).update(`${id}.${timestamp}.${body}`).digest("base64");
  expect(headers["webhook-signature"]).toBe(`v1,${expected}`);
});
