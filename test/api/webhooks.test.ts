import { afterEach, beforeEach, expect, test } from "vitest";
import type { WebhookDelivery, WebhookSecret } from "../../src/model/webhook-delivery.ts";
import { ApiRig, OTHER_KEY, PUBLIC_KEY } from "../kit/api-rig.ts";

let rig: ApiRig;
beforeEach(() => {
  rig = new ApiRig();
});
afterEach(() => rig.close());

type Page = { data: WebhookDelivery[]; cursor: string | null };

const tell = (dialId: string, workspaceId = "w1") =>
  rig.memory.outbox.add({ workspaceId, dialId, url: "https://example.com/secret-path", event: "dial.created" });

/** Settles what is due, as the relay does. */
const settleAll = async (outcome: "delivered" | "rejected") => {
  for (const lease of await rig.memory.outbox.claim(100)) {
    const delivery = await rig.memory.outbox.open(lease);
    if (delivery === undefined) continue;
    const attempt = { outcome, statusCode: outcome === "delivered" ? 200 : 500, durationMs: 12 };
    await rig.memory.outbox.settle(
      delivery,
      attempt,
      outcome === "delivered" ? { type: "delivered" } : { type: "dead" },
    );
  }
};

const list = async (query = "", key?: string) => {
  const response = await rig.request("GET", `/api/webhook_deliveries${query}`, key === undefined ? {} : { key });
  expect(response.statusCode, response.body).toBe(200);
  return response.json<Page>();
};

test("deliveries are listed with their attempts, newest first, and without what was sent or where to", async () => {
  const [first, second] = [tell("d1"), tell("d2")];
  await settleAll("rejected");
  const { data, cursor } = await list();
  expect([data.map(({ id }) => id), cursor]).toEqual([[second, first], null]);
  expect(data[1]).toEqual({
    id: first,
    dialId: "d1",
    event: "dial.created",
    sequence: 1,
    status: "dead",
    createdAt: "2026-01-05T09:00:00.000Z",
    nextAttemptAt: null,
    deliveredAt: null,
    attemptCount: 1,
    attempts: [{ at: "2026-01-05T08:59:59.988Z", outcome: "rejected", statusCode: 500, durationMs: 12 }],
  });
});

test("deliveries are filtered by dial and status, page by page", async () => {
  for (let event = 0; event < 5; event++) tell("d1");
  tell("d2");
  await settleAll("delivered");
  const seen: number[] = [];
  let cursor: string | null = null;
  do {
    const page: Page = await list(`?dialId=d1&status=pending&limit=2${cursor === null ? "" : `&cursor=${cursor}`}`);
    seen.push(...page.data.map(({ sequence }) => sequence));
    ({ cursor } = page);
  } while (cursor !== null);
  expect(seen).toEqual([5, 4, 3, 2]);
  expect((await list("?status=delivered")).data.map(({ dialId }) => dialId)).toEqual(["d2", "d1"]);
  expect((await list("?dialId=unknown")).data).toEqual([]);
});

test.each(["?status=sent", "?status=", "?limit=0", "?cursor=x", "?url=x", `?dialId=${"x".repeat(201)}`])(
  "%s is refused",
  async (query) => {
    expect((await rig.request("GET", `/api/webhook_deliveries${query}`)).statusCode).toBe(422);
  },
);

test("a replay is accepted and makes the delivery due, whatever its status", async () => {
  const id = tell("d1");
  for (const outcome of ["delivered", "rejected"] as const) {
    await settleAll(outcome);
    const response = await rig.request("POST", `/api/webhook_deliveries/${id}/replay`);
    expect(response.statusCode).toBe(202);
    expect(response.json()).toMatchObject({ id, status: "pending", deliveredAt: null });
  }
  expect(await rig.memory.outbox.claim(10)).toHaveLength(1);
});

test("deliveries of another workspace are neither listed nor replayed", async () => {
  const id = tell("d1");
  await settleAll("delivered");
  expect((await list("", OTHER_KEY)).data).toEqual([]);
  expect((await list("?dialId=d1", OTHER_KEY)).data).toEqual([]);
  const answers = await Promise.all(
    [id, "unknown", "%00", "'"].map((one) =>
      rig.request("POST", `/api/webhook_deliveries/${one}/replay`, { key: OTHER_KEY }),
    ),
  );
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404]);
  expect(answers[0]?.json()).toMatchObject({ code: "webhook_delivery_not_found" });
  expect((await list()).data[0]).toMatchObject({ status: "delivered" });
  tell("d2");
  const { cursor } = await list("?limit=1");
  const foreign = await rig.request("GET", `/api/webhook_deliveries?cursor=${cursor}`, { key: OTHER_KEY });
  expect(foreign.statusCode).toBe(422);
});

test("a workspace finds its secret, and rotates it; the one before signs for a day more", async () => {
  const secret = async (key?: string) =>
    (await rig.request("GET", "/api/webhook_secret", key === undefined ? {} : { key })).json<WebhookSecret>();
  const first = await secret();
  expect(first).toEqual({
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    createdAt: "2026-01-05T09:00:00.000Z",
    previousExpiresAt: null,
  });
  expect(await secret()).toEqual(first);
  const rotated = await rig.request("POST", "/api/webhook_secret/rotate");
  expect(rotated.statusCode).toBe(200);
  expect(rotated.json<WebhookSecret>().secret).not.toBe(first.secret);
  expect(await secret()).toMatchObject({ previousExpiresAt: "2026-01-06T09:00:00.000Z" });
  expect((await secret(OTHER_KEY)).secret).not.toBe(first.secret);
});

test("neither a public key nor a dial's token reaches deliveries or the secret", async () => {
  const { dialToken } = await rig.dial();
  for (const [method, url] of [
    ["GET", "/api/webhook_deliveries"],
    ["POST", "/api/webhook_deliveries/x/replay"],
    ["GET", "/api/webhook_secret"],
    ["POST", "/api/webhook_secret/rotate"],
  ] as const)
    for (const key of [PUBLIC_KEY, dialToken]) expect((await rig.request(method, url, { key })).statusCode).toBe(403);
});
