import { expect, test } from "vitest";
import { openApiRigs } from "../kit/api-rigs.ts";

const start = openApiRigs();
const PATH = "/api/functions";

const TRANSFER = {
  name: "to_reception",
  description: "Connects with a person.",
  type: "transfer",
  allowedNumbers: [{ number: "+12025550199" }],
  lifecycleMessages: { started: ["One moment."] },
};
const API = {
  name: "find_slots",
  description: "Finds appointments.",
  type: "api",
  apiPath: "https://example.com/slots?x=1",
  headers: [{ key: "Authorization", value: "Bearer secret" }],
  inputJsonSchema: '{"type":"object","properties":{"day":{"type":"string"}}}',
  outputs: [{ name: "slots", type: "CUSTOM", customFieldJsonSchema: '{"type":"array"}', nullable: true }],
};

test("functions of both types are created, read, listed, changed and deleted", async () => {
  const rig = start();
  const transfer = (await rig.request("POST", PATH, { body: TRANSFER })).json<{ id: string }>();
  expect(transfer).toEqual({ id: transfer.id, ...TRANSFER });
  const created = await rig.request("POST", PATH, { body: API });
  expect(created.statusCode, created.body).toBe(201);
  const api = created.json<{ id: string }>();
  expect(api).toEqual({ id: api.id, ...API, allowedNumbers: [] });
  expect((await rig.request("GET", PATH)).json()).toMatchObject({ data: [transfer, api] });
  expect((await rig.request("GET", `${PATH}/${api.id}`)).json()).toEqual(api);
  const allowedNumbers = [{ number: "+442079460000" }, { number: "+12025550111" }];
  const changed = await rig.request("PUT", `${PATH}/${transfer.id}`, { body: { allowedNumbers, name: "to_sales" } });
  expect(changed.json()).toEqual({ id: transfer.id, ...TRANSFER, allowedNumbers, name: "to_sales" });
  for (const body of [{ description: "New." }, { description: "New.", allowedNumbers: [] }])
    expect((await rig.request("PUT", `${PATH}/${api.id}`, { body })).json()).toEqual({ ...api, description: "New." });
  expect((await rig.request("DELETE", `${PATH}/${transfer.id}`)).json()).toEqual(changed.json());
  expect((await rig.request("GET", `${PATH}/${transfer.id}`)).json()).toMatchObject({ code: "function_not_found" });
});

test("a function that changes its type loses the fields of the other type", async () => {
  const rig = start();
  const { id } = (await rig.request("POST", PATH, { body: API })).json<{ id: string }>();
  const { allowedNumbers } = TRANSFER;
  const body = { type: "transfer", transferMode: "warm", allowedNumbers };
  const transfer = await rig.request("PUT", `${PATH}/${id}`, { body });
  const { name, description } = API;
  expect(transfer.json()).toEqual({ id, name, description, ...body });
  const back = await rig.request("PUT", `${PATH}/${id}`, { body: { type: "api", apiPath: API.apiPath } });
  expect(back.json()).toEqual({ id, name, description, type: "api", apiPath: API.apiPath, allowedNumbers: [] });
});

test.each([
  ["a transfer without numbers", { type: "transfer" }, "validation_failed", "/allowedNumbers"],
  [
    "a national number",
    { type: "transfer", allowedNumbers: [{ number: "2025550199" }] },
    "invalid_number",
    "/allowedNumbers/0/number",
  ],
  [
    "full-width digits",
    { type: "transfer", allowedNumbers: [{ number: "+12025550199" }, { number: "+1202555019９" }] },
    "invalid_number",
    "/allowedNumbers/1/number",
  ],
  [
    "an address in a transfer",
    { type: "transfer", allowedNumbers: [], apiPath: "https://example.com" },
    "validation_failed",
    "/apiPath",
  ],
  ["a mode of transfer that there is not", { ...TRANSFER, transferMode: "hot" }, "validation_failed", "/transferMode"],
  ["a mode of transfer in an api function", { ...API, transferMode: "warm" }, "validation_failed", "/transferMode"],
  ["an api function without an address", { type: "api" }, "validation_failed", "/apiPath"],
  [
    "numbers in an api function",
    { ...API, allowedNumbers: [{ number: "+12025550199" }] },
    "validation_failed",
    "/allowedNumbers",
  ],
  ["plain http", { ...API, apiPath: "http://example.com" }, "api_path_not_allowed", "/apiPath"],
  ["a metadata service", { ...API, apiPath: "https://169.254.169.254/" }, "api_path_not_allowed", "/apiPath"],
  ["loopback in hexadecimal", { ...API, apiPath: "https://0x7f000001/" }, "api_path_not_allowed", "/apiPath"],
  ["a line break in a header", { ...API, headers: [{ key: "a", value: "b\r\nc: d" }] }, "validation_failed", undefined],
  ["a blank in a header's name", { ...API, headers: [{ key: "a b", value: "c" }] }, "validation_failed", undefined],
  [
    "a header of the connection",
    { ...API, headers: [{ key: "Host", value: "x" }] },
    "validation_failed",
    "/headers/0/key",
  ],
  ["a schema that is no JSON", { ...API, inputJsonSchema: "{" }, "validation_failed", "/inputJsonSchema"],
  ["a schema that is a list", { ...API, inputJsonSchema: "[]" }, "validation_failed", "/inputJsonSchema"],
  [
    "a schema with a wrong keyword",
    { ...API, inputJsonSchema: '{"type":"banana"}' },
    "validation_failed",
    "/inputJsonSchema",
  ],
  ["a schema of text", { ...API, inputJsonSchema: '{"type":"string"}' }, "validation_failed", "/inputJsonSchema"],
  [
    "a schema that leads elsewhere",
    { ...API, inputJsonSchema: '{"$ref":"https://example.com/schema"}' },
    "validation_failed",
    "/inputJsonSchema",
  ],
  [
    "an output with a broken schema",
    { ...API, outputs: [{ name: "x", type: "CUSTOM", customFieldJsonSchema: "nope" }] },
    "validation_failed",
    "/outputs/0/customFieldJsonSchema",
  ],
])("%s is refused", async (_, body, code, path) => {
  const rig = start();
  const response = await rig.request("POST", PATH, { body: { name: "f", description: "d", ...body } });
  expect(response.statusCode).toBe(422);
  const problem = response.json<{ code: string; errors: { path: string }[] }>();
  expect(problem.code).toBe(code);
  if (path !== undefined) expect(problem.errors[0]?.path).toBe(path);
  expect(rig.memory.records.functions).toEqual([]);
});

test("an update of a transfer function needs its numbers", async () => {
  const rig = start();
  const { id } = (await rig.request("POST", PATH, { body: TRANSFER })).json<{ id: string }>();
  const response = await rig.request("PUT", `${PATH}/${id}`, { body: { name: "x" } });
  expect(response.json()).toMatchObject({ status: 422, errors: [{ path: "/allowedNumbers" }] });
});
