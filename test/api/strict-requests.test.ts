import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiRig } from "../kit/api-rig.ts";

let rig: ApiRig;
let dialId: string;
beforeAll(async () => {
  rig = new ApiRig();
  ({ dialId } = await rig.dial());
});
afterAll(() => rig.close());

type Answer = Readonly<{
  code: string;
  detail: string;
  errors: readonly Readonly<{ path: string; message: string }>[];
}>;

const refused = async (method: "GET" | "POST" | "DELETE", url: string, body?: unknown): Promise<Answer> => {
  const response = await rig.request(method, url, { body, headers: { "content-type": "application/json" } });
  expect(response.statusCode, `${method} ${url} ${response.body}`).toBe(422);
  return response.json<Answer>();
};

test("a parameter that a route does not read is refused by its name", async () => {
  for (const url of [
    "/api/agents?colour=red",
    "/api/agents/a1?colour=red",
    `/api/dials/${dialId}?colour=red`,
    `/api/dials/${dialId}/events?colour=red`,
    "/api/dials?colour=red",
    "/api/voices?colour=red",
    "/api/models?colour=red",
    "/api/webhook_deliveries?colour=red",
    "/api/webhook_secret?colour=red",
  ])
    expect(await refused("GET", url)).toMatchObject({
      code: "validation_failed",
      errors: [{ path: "/colour", message: "is not a known parameter" }],
    });
  const many = Array.from({ length: 90 }, (_, at) => `p${at}=`).join("&");
  expect((await refused("GET", `/api/agents/a1?${many}`)).errors.length).toBeLessThanOrEqual(50);
});

test("a parameter that is given twice is told as that", async () => {
  for (const url of ["/api/agents?limit=1&limit=2", "/api/dials?status=queued&status=busy"]) {
    const { detail, errors } = await refused("GET", url);
    expect(errors).toHaveLength(1);
    expect(errors[0]?.message).toBe("was given more than once");
    expect(detail).toMatch(/^\/(limit|status) was given more than once$/);
  }
});

test("fields in a body that nobody reads are refused, and nothing is done", async () => {
  for (const [method, url] of [
    ["POST", `/api/dials/${dialId}/hangup`],
    ["POST", `/api/dials/${dialId}/token`],
    ["DELETE", "/api/agents/a1"],
  ] as const) {
    expect((await refused(method, url, { reason: "x", "a/b": 1 })).errors).toEqual([
      { path: "/reason", message: "is not a known field" },
      { path: "/a~1b", message: "is not a known field" },
    ]);
    for (const body of [["x"], "x", 1, true])
      expect((await refused(method, url, JSON.stringify(body))).errors).toMatchObject([{ path: "" }]);
  }
  expect(rig.memory.row(dialId).state).toBe("QUEUED");
  expect((await rig.request("GET", "/api/agents/a1")).statusCode).toBe(200);
});

test("no body and an empty object are both well where no body is wanted", async () => {
  const headers = { "content-type": "application/json" };
  for (const body of [undefined, {}]) {
    const response = await rig.request("POST", `/api/dials/${dialId}/token`, { body, headers });
    expect(response.statusCode).toBe(201);
  }
});

test("who asks without a key is told that first", async () => {
  const response = await rig.request("GET", "/api/agents?colour=red&limit=1&limit=2", { key: null });
  expect(response.statusCode).toBe(401);
});
