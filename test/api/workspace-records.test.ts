import { expect, test } from "vitest";
import { KEY, PHONE_DIAL } from "../kit/api-rig.ts";
import { openApiRigs } from "../kit/api-rigs.ts";

const start = openApiRigs();

test("an extractor is created, read, listed, changed and deleted", async () => {
  const rig = start();
  const path = "/api/agents/a1/extractors";
  const fields = [
    { name: "booked", type: "bool" },
    { name: "day", type: "text", nullable: true, description: "Which day." },
  ];
  const created = await rig.request("POST", path, { body: { name: "Booking", fields } });
  expect(created.statusCode).toBe(201);
  const { id } = created.json<{ id: string }>();
  expect(created.json()).toEqual({ id, name: "Booking", fields });
  expect((await rig.request("GET", path)).json()).toEqual({ data: [created.json()], cursor: null });
  const changed = await rig.request("PUT", `${path}/${id}`, { body: { fields: fields.slice(0, 1) } });
  expect(changed.json()).toEqual({ id, name: "Booking", fields: fields.slice(0, 1) });
  expect((await rig.request("DELETE", `${path}/${id}`)).json()).toEqual(changed.json());
  expect((await rig.request("GET", `${path}/${id}`)).json()).toMatchObject({ code: "extractor_not_found" });
});

test.each([
  ["no field", [], undefined],
  ["a type of its own", [{ name: "a", type: "date" }], undefined],
  [
    "two fields of one name",
    [
      { name: "a", type: "int" },
      { name: "a", type: "text" },
    ],
    "/fields/1/name",
  ],
  ["a name that poisons prototypes", [{ name: "__proto__", type: "int" }], "/fields/0/name"],
])("an extractor with %s is refused", async (_, fields, path) => {
  const response = await start().request("POST", "/api/agents/a1/extractors", { body: { name: "x", fields } });
  expect(response.statusCode).toBe(422);
  if (path !== undefined) expect(response.json()).toMatchObject({ errors: [{ path }] });
});

test("a number is imported, dialled from, changed and deleted", async () => {
  const rig = start();
  const body = { number: "+12025550101", agentId: "a1" };
  const created = await rig.request("POST", "/api/phone_numbers", { body });
  expect(created.statusCode).toBe(201);
  const { id } = created.json<{ id: string }>();
  expect(created.json()).toEqual({ id, ...body, type: "PSTN", carrier: "loopback" });
  expect((await rig.dial({ fromNumberId: id })).dialId).not.toBe("");
  const freed = await rig.request("PUT", `/api/phone_numbers/${id}`, { body: { agentId: null } });
  expect(freed.json()).toEqual({ id, number: body.number, type: "PSTN", carrier: "loopback" });
  expect((await rig.request("DELETE", `/api/phone_numbers/${id}`)).json()).toEqual(freed.json());
  expect((await rig.request("DELETE", `/api/phone_numbers/${id}`)).json()).toMatchObject({
    code: "phone_number_not_found",
  });
  expect((await rig.request("POST", "/api/dials", { body: { ...PHONE_DIAL, fromNumberId: id } })).json()).toMatchObject(
    { code: "unknown_from_number" },
  );
});

test("deleting an agent frees its numbers", async () => {
  const rig = start();
  await rig.request("PUT", "/api/phone_numbers/n1", { body: { agentId: "a1" } });
  expect((await rig.request("GET", "/api/phone_numbers")).json()).toMatchObject({
    data: [{ id: "n1", agentId: "a1" }],
  });
  await rig.request("DELETE", "/api/agents/a1");
  expect((await rig.request("GET", "/api/phone_numbers")).json().data[0]).not.toHaveProperty("agentId");
});

test.each([
  ["a number that is there already", { number: "+12025550100" }, 409, "number_exists"],
  ["a national number", { number: "2025550101" }, 422, "invalid_number"],
  ["Arabic digits", { number: "+١٢٠٢٥٥٥٠١٠١" }, 422, "invalid_number"],
  ["a SIP address", { number: "me@example.com", type: "SIP_USERNAME" }, 422, "invalid_number"],
  ["an unknown carrier", { number: "+12025550101", carrier: "acme" }, 422, "carrier_not_configured"],
  ["an unknown agent", { number: "+12025550101", agentId: "a9" }, 422, "unknown_agent"],
  ["an agent of another workspace", { number: "+12025550101", agentId: "a2" }, 422, "unknown_agent"],
])("%s is not imported", async (_, body, status, code) => {
  const rig = start();
  const response = await rig.request("POST", "/api/phone_numbers", { body });
  expect(response.json()).toMatchObject({ status, code });
  expect(rig.memory.records.numbers).toHaveLength(2);
});

test("a number chooses among the accounts that are configured", async () => {
  const accounts = new Map([
    ["loopback", "loopback"],
    ["acme", "acme"],
    ["acme-berlin", "acme"],
    ["zeta-one", "zeta"],
    ["mono-1", "mono"],
    ["mono-2", "mono"],
  ]);
  const rig = start({ accounts });
  let last = 10;
  const add = async (body: Readonly<Record<string, unknown>>) => {
    last += 1;
    return rig.request("POST", "/api/phone_numbers", { body: { number: `+141555501${last}`, ...body } });
  };
  const chosen = async (body: Readonly<Record<string, unknown>>) => {
    const { carrier, carrierAccountId } = (await add(body)).json<Record<string, unknown>>();
    return [carrier, carrierAccountId];
  };
  // The account of the environment is called as its carrier, and needs no naming.
  expect(await chosen({ carrier: "acme" })).toEqual(["acme", undefined]);
  expect(await chosen({ carrierAccountId: "acme-berlin" })).toEqual(["acme", "acme-berlin"]);
  expect(await chosen({ carrier: "acme", carrierAccountId: "acme-berlin" })).toEqual(["acme", "acme-berlin"]);
  expect(await chosen({ carrier: "zeta" })).toEqual(["zeta", "zeta-one"]);
  for (const [body, code, path] of [
    [{}, "carrier_not_configured", "/carrier"],
    [{ carrier: "nobody" }, "carrier_not_configured", "/carrier"],
    [{ carrier: "mono" }, "account_not_configured", "/carrierAccountId"],
    [{ carrier: "zeta", carrierAccountId: "acme" }, "account_not_configured", "/carrierAccountId"],
    [{ carrierAccountId: "nobody" }, "account_not_configured", "/carrierAccountId"],
  ] as const) {
    const refused = await add(body);
    expect(refused.statusCode).toBe(422);
    expect(refused.json()).toMatchObject({ code, errors: [{ path }] });
  }
  const { id } = (await add({ carrier: "acme" })).json<{ id: string }>();
  const change = (body: Readonly<Record<string, unknown>>) => rig.request("PUT", `/api/phone_numbers/${id}`, { body });
  expect((await change({ carrierAccountId: "acme-berlin" })).json()).toMatchObject({ carrierAccountId: "acme-berlin" });
  expect((await change({ carrierAccountId: null })).json()).not.toHaveProperty("carrierAccountId");
  expect((await change({ carrier: "zeta" })).json()).toMatchObject({ carrier: "zeta", carrierAccountId: "zeta-one" });
  expect((await change({ carrier: "acme" })).statusCode).toBe(422);
  expect((await change({ webhookUrl: "http://localhost/x" })).json()).toMatchObject({
    code: "webhook_url_not_allowed",
  });
  expect((await change({ webhookUrl: "https://hooks.example.com/x" })).json()).toMatchObject({ carrier: "zeta" });
});

test("a SIP user name is imported as such", async () => {
  const body = { number: "front-desk", type: "SIP_USERNAME" };
  expect((await start().request("POST", "/api/phone_numbers", { body })).json()).toMatchObject(body);
});

test("a key is shown once, works at once, and stops when it is deleted", async () => {
  const rig = start();
  const created = await rig.request("POST", "/api/api_keys", { body: { name: "CI", type: "secret" } });
  expect(created.statusCode).toBe(201);
  const { key, ...record } = created.json<{ key: string; id: string }>();
  expect(key).toMatch(/^sk_[\w-]{49}$/);
  expect(record).toEqual({ id: record.id, name: "CI", type: "secret", createdAt: expect.any(String) });
  expect((await rig.request("GET", "/api/agents", { key })).statusCode).toBe(200);
  const listed = await rig.request("GET", "/api/api_keys");
  expect(listed.json().data).toContainEqual(record);
  expect(listed.body).not.toContain(key.slice(3, 20));
  expect(rig.log.join("\n")).not.toContain(key.slice(3, 20));
  const itself = await rig.request("DELETE", `/api/api_keys/${record.id}`, { key });
  expect(itself.json()).toMatchObject({ status: 409, code: "key_in_use" });
  expect((await rig.request("DELETE", `/api/api_keys/${record.id}`)).json()).toEqual(record);
  expect((await rig.request("GET", "/api/agents", { key })).statusCode).toBe(401);
  expect((await rig.request("GET", "/api/agents", { key: KEY })).statusCode).toBe(200);
});

test("a mistyped key is told apart from an unknown one by its checksum", async () => {
  const rig = start();
  const created = await rig.request("POST", "/api/api_keys", { body: { name: "x", type: "secret" } });
  const { key } = created.json<{ key: string }>();
  const typo = `${key.slice(0, 10)}${key.charAt(10) === "a" ? "b" : "a"}${key.slice(11)}`;
  const detail = async (given: string) =>
    (await rig.request("GET", "/api/agents", { key: given })).json<{ detail: string }>().detail;
  expect(await detail(typo)).toContain("mistyped");
  expect(await detail("sk_unknown_0123456789abcdef")).toContain("unknown");
});

test("a public key may ask for browser dials of its agents, and for nothing else", async () => {
  const rig = start();
  const body = { name: "Web", type: "public", allowedAgentIds: ["a1"] };
  const created = await rig.request("POST", "/api/api_keys", { body });
  expect(created.statusCode, created.body).toBe(201);
  const { key } = created.json<{ key: string }>();
  expect(key).toMatch(/^pk_/);
  const dial = async (change: object) =>
    (await rig.request("POST", "/api/dials", { key, body: { ...PHONE_DIAL, ...change } })).json<{ code: string }>();
  expect(await dial({})).toMatchObject({ status: 403, code: "forbidden" });
  expect(await dial({ browserCall: null })).toMatchObject({ status: 403, code: "forbidden" });
  expect(await dial({ browserCall: true, callAgentId: "a3" })).toMatchObject({ status: 403, code: "forbidden" });
  expect((await dial({ browserCall: true })).code).not.toBe("forbidden");
  for (const [method, url] of [
    ["GET", "/api/dials"],
    ["GET", "/api/agents/a1"],
    ["DELETE", "/api/agents/a1"],
    ["GET", "/api/api_keys"],
    ["POST", "/api/api_keys"],
  ] as const)
    expect((await rig.request(method, url, { key, body: method === "POST" ? body : undefined })).statusCode).toBe(403);
});

test.each([
  ["a public key without agents", { type: "public" }, "validation_failed", "/allowedAgentIds"],
  ["a secret key with agents", { type: "secret", allowedAgentIds: ["a1"] }, "validation_failed", "/allowedAgentIds"],
  ["an unknown agent", { type: "public", allowedAgentIds: ["a1", "a9"] }, "unknown_agent", "/allowedAgentIds/1"],
  ["another workspace's agent", { type: "public", allowedAgentIds: ["a2"] }, "unknown_agent", "/allowedAgentIds/0"],
])("%s is refused", async (_, body, code, path) => {
  const response = await start().request("POST", "/api/api_keys", { body: { name: "x", ...body } });
  expect(response.json()).toMatchObject({ status: 422, code, errors: [{ path }] });
});

test("dials are listed newest first, filtered, and without what only one dial shows", async () => {
  const rig = start();
  rig.memory.addAgent("w1", { id: "a3", name: "Else", language: "en" });
  rig.memory.addPrompt("w1", "a3", { id: "p3", name: "Else", agentType: "STANDARD", prompt: "Else." });
  const ids: string[] = [];
  for (const callAgentId of ["a1", "a3", "a1"]) {
    await rig.clock.advance(60_000);
    ids.push((await rig.dial({ callAgentId })).dialId);
  }
  await rig.request("POST", `/api/dials/${ids[1]}/hangup`);
  const list = async (query = "") =>
    (await rig.request("GET", `/api/dials${query}`)).json<{
      data: { id: string; createdAt: string }[];
      cursor: string;
    }>();
  const listed = async (query: string) => (await list(query)).data.map(({ id }) => id);
  const all = await list();
  expect(all.data.map(({ id }) => id)).toEqual(ids.toReversed());
  expect(all.data[0]).not.toHaveProperty("transcript");
  expect(all.data[0]).toMatchObject({ status: "queued", agent: { id: "a1" }, versionedPromptId: "p1" });
  const first = await list("?limit=2");
  expect(await listed(`?limit=2&cursor=${first.cursor}`)).toEqual([ids[0]]);
  expect(await listed("?callAgentId=a3")).toEqual([ids[1]]);
  expect(await listed("?callAgentId=unknown")).toEqual([]);
  expect(await listed("?status=canceled")).toEqual([ids[1]]);
  const middle = encodeURIComponent(all.data[1]?.createdAt ?? "");
  expect(await listed(`?createdAfter=${middle}`)).toEqual([ids[2]]);
  expect(await listed(`?createdBefore=${middle}`)).toEqual([ids[0]]);
  for (const query of ["?status=over", "?createdAfter=yesterday", "?createdBefore=2026-13-40T00:00:00Z"])
    expect((await rig.request("GET", `/api/dials${query}`)).statusCode).toBe(422);
});

test("a moment that the calendar or the database does not have is refused", async () => {
  const rig = start();
  for (const moment of [
    "2026-02-30T00:00:00Z",
    "2026-06-31T00:00:00.000Z",
    "0000-01-01T00:00:00Z",
    "0001-01-01T00:00:00+01:00",
    "9999-12-31T23:59:59-01:00",
  ])
    for (const name of ["createdAfter", "createdBefore"]) {
      const answer = await rig.request("GET", `/api/dials?${name}=${encodeURIComponent(moment)}`);
      expect(answer.statusCode, moment).toBe(422);
      expect(answer.json()).toMatchObject({ code: "validation_failed", errors: [{ path: `/${name}` }] });
    }
  for (const moment of ["2028-02-29T00:00:00+14:00", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z"])
    expect((await rig.request("GET", `/api/dials?createdAfter=${encodeURIComponent(moment)}`)).statusCode).toBe(200);
});
