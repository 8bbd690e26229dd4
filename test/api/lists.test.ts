import * as fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { ApiRig, ENGINES, OTHER_KEY } from "../kit/api-rig.ts";

const rigs: ApiRig[] = [];
const start = () => {
  const rig = new ApiRig();
  rigs.push(rig);
  return rig;
};
afterEach(async () => {
  await Promise.all(rigs.splice(0).map((rig) => rig.close()));
});

type Page = { data: { id: string }[]; cursor: string | null };

test("agents are the workspace's own, with no more than the agent's fields", async () => {
  const rig = start();
  const response = await rig.request("GET", "/api/agents");
  expect(response.statusCode).toBe(200);
  expect(response.json()).toEqual({ data: [{ id: "a1", name: "Anna", language: "en" }], cursor: null });
  expect((await rig.request("GET", "/api/agents", { key: OTHER_KEY })).json<Page>().data).toMatchObject([{ id: "a2" }]);
});

test("pages follow each other without gap or repetition, also when agents are added meanwhile and share a moment", async () => {
  const rig = start();
  const at = "2026-01-05T09:00:01.000Z";
  for (const id of ["c", "a", "b", "e", "d"]) rig.memory.addAgent("w1", { id, name: id, language: "en" }, at);
  const seen: string[] = [];
  let cursor = null as string | null;
  do {
    const url = `/api/agents?limit=2${cursor === null ? "" : `&cursor=${cursor}`}`;
    const page: Page = (await rig.request("GET", url)).json<Page>();
    seen.push(...page.data.map((agent) => agent.id));
    rig.memory.addAgent("w1", { id: `new-${seen.length}`, name: "new", language: "en" }, "2026-01-05T08:00:00.000Z");
    ({ cursor } = page);
  } while (cursor !== null);
  expect(seen).toEqual(["a1", "a", "b", "c", "d", "e"]);
});

test("the default page has 100 records, the largest 1000", async () => {
  const rig = start();
  for (let index = 0; index < 1005; index++)
    rig.memory.addAgent("w1", { id: `x${index}`, name: "x", language: "en" }, "2026-01-05T09:00:01.000Z");
  expect((await rig.request("GET", "/api/agents")).json<Page>().data).toHaveLength(100);
  expect((await rig.request("GET", "/api/agents?limit=1000")).json<Page>().data).toHaveLength(1000);
});

test.each(["0", "1001", "-1", "1.5", "1e2", "abc", "", "%20", "٣", "99999999999999999999"])(
  "limit %j is refused",
  async (limit) => {
    const response = await start().request("GET", `/api/agents?limit=${encodeURIComponent(limit)}`);
    expect(response.statusCode).toBe(422);
    expect(response.json()).toMatchObject({ code: "validation_failed", errors: [{ path: "/limit" }] });
  },
);

test("a parameter that is repeated or not known is refused by name", async () => {
  const rig = start();
  expect((await rig.request("GET", "/api/agents?limit=1&limit=2")).json()).toMatchObject({
    status: 422,
    errors: [{ path: "/limit", message: "was given more than once" }],
  });
  expect((await rig.request("GET", "/api/agents?page=2")).json()).toMatchObject({
    status: 422,
    errors: [{ path: "/page", message: "is not a known parameter" }],
  });
});

test("a cursor is good for its own list and workspace only", async () => {
  const rig = start();
  for (const id of ["n5", "n6"]) rig.memory.addPhoneNumber("w1", { id, number: "+12025550105", type: "PSTN" });
  const { cursor } = (await rig.request("GET", "/api/phone_numbers?limit=1")).json<Page>();
  expect(cursor).not.toBeNull();
  const ask = async (url: string, key?: string) =>
    (await rig.request("GET", url, key === undefined ? {} : { key })).statusCode;
  expect(await ask(`/api/phone_numbers?cursor=${cursor}`)).toBe(200);
  expect(await ask(`/api/agents?cursor=${cursor}`)).toBe(422);
  expect(await ask(`/api/voices?cursor=${cursor}`)).toBe(422);
  expect(await ask(`/api/phone_numbers?cursor=${cursor}`, OTHER_KEY)).toBe(422);
});

test("a cursor that was touched in any character is refused", async () => {
  const rig = start();
  rig.memory.addAgent("w1", { id: "b", name: "b", language: "en" });
  const cursor = (await rig.request("GET", "/api/agents?limit=1")).json<Page>().cursor ?? "";
  const characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.";
  await fc.assert(
    fc.asyncProperty(
      fc.nat(cursor.length - 1),
      fc.constantFrom(...characters.split("")),
      fc.constantFrom("replace", "insert", "cut"),
      async (at, character, how) => {
        const rest = cursor.slice(how === "insert" ? at : at + 1);
        const forged = cursor.slice(0, at) + (how === "cut" ? "" : character) + rest;
        fc.pre(forged !== cursor);
        const response = await rig.request("GET", `/api/agents?cursor=${encodeURIComponent(forged)}`);
        expect(response.json()).toMatchObject({ status: 422, code: "invalid_cursor" });
      },
    ),
    { numRuns: 300 },
  );
});

test("voices are filtered by a part of the name in any case, and by the exact type", async () => {
  const rig = start();
  const ids = async (query: string) =>
    (await rig.request("GET", `/api/voices${query}`)).json<{ voices: { id: string }[] }>().voices.map(({ id }) => id);
  expect(await ids("")).toEqual(["anna", "bert"]);
  expect(await ids("?name=VOICE%20A")).toEqual(["anna"]);
  expect(await ids("?name=.*")).toEqual([]);
  expect(await ids("?voiceType=other")).toEqual(["bert"]);
  expect(await ids("?voiceType=oth")).toEqual([]);
  const first = (await rig.request("GET", "/api/voices?limit=1")).json<{ cursor: string }>();
  expect(await ids(`?limit=1&cursor=${first.cursor}`)).toEqual(["bert"]);
});

test("models are those of the deployment", async () => {
  const response = await start().request("GET", "/api/models");
  expect(response.json()).toEqual({ data: ENGINES.models, cursor: null });
});
