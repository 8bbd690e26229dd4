import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { runChat } from "../../src/cli/chat.ts";
import { ApiRig, KEY } from "../kit/api-rig.ts";
import { readAgentDefinition } from "../../src/chat/read-file.ts";
import { readFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "../../src/client/client.ts";

const rig = new ApiRig();
let baseUrl: string;
let folder: string;

beforeAll(async () => {
  baseUrl = `${await rig.app.listen({ port: 0, host: "127.0.0.1" })}/api`;
  folder = mkdtempSync(join(tmpdir(), "chat-"));
});

afterEach(() => {
  vi.restoreAllMocks();
});

afterAll(async () => {
  await rig.close();
  rmSync(folder, { recursive: true });
});

/** What the command says and leaves with. */
const run = async (...args: readonly string[]) => {
  const out: string[] = [];
  const write = (text: unknown) => {
    out.push(String(text));
    return true;
  };
  vi.spyOn(process.stdout, "write").mockImplementation(write);
  vi.spyOn(process.stderr, "write").mockImplementation(write);
  const code = await runChat(args, { API_KEY: KEY, ALLOW_PRIVATE_NETWORK: "true" });
  vi.restoreAllMocks();
  return { code, out: out.join("") };
};

const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

test(
  "an agent of the service is talked to by its name, with its prompt and functions",
  { timeout: 120_000 },
  async () => {
    const client = createClient({ baseUrl, apiKey: KEY });
    const { agent, prompt, functions } = readAgentDefinition(
      readFileSync("test/chat/conversations/front-desk.yaml", "utf8"),
    );
    const made = await client.createFunction({ body: { ...functions![0]!, allowedNumbers: [] } });
    const { id } = await client.createAgent({ body: { ...agent, name: "Talkative" } });
    const flow = JSON.parse(
      JSON.stringify(prompt.flowDefinition).replaceAll("book_table", made.id),
    ) as typeof prompt.flowDefinition;
    await client.createVersionedPrompt({
      agentId: id,
      body: { name: "Flow", agentType: "CUSTOM_FLOW", flowDefinition: flow! },
    });
    const conversation = file(
      "service.yaml",
      `name: by name
agent: Talkative
inputs: { greeting: you }
functions: { book_table: { result: { confirmation: B1 } } }
steps:
  - expects: Hello you! What is your name?
  - says: Ada
  - says: four
    expectsFunction: [book_table]
    expects: booked as B1
`,
    );
    expect(await run("--url", baseUrl, conversation)).toEqual({
      code: 0,
      out: expect.stringContaining("1 passed, 0 failed"),
    });
    const both = await run("--url", baseUrl, "--agent", id, conversation);
    expect(both.code).toBe(0);
    expect(await run("--url", baseUrl, "--agent", "Nobody", conversation)).toEqual({
      code: 2,
      out: expect.stringContaining('no agent with the id or name "Nobody"'),
    });
  },
);

test(
  "what is not as expected leaves with 1, and is told with its line to people and programs",
  { timeout: 120_000 },
  async () => {
    const path = file(
      "wrong.yaml",
      `name: wrong\nagent: ${process.cwd()}/test/chat/conversations/front-desk.yaml\nsteps:\n  - expects: Good evening\n`,
    );
    const told = await run(path);
    expect(told.code).toBe(1);
    expect(told.out).toContain(
      `${path}:4 expected words "Good evening"; found "Hello {{greeting}}! What is your name?"`,
    );
    expect(told.out).toContain("0 passed, 1 failed (answered by scripted (a script, not a language model))");
    const { code, out } = await run("--json", path);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      passed: 0,
      failed: 1,
      conversations: [{ name: "wrong", passed: false, failures: [{ line: 4, expected: 'words "Good evening"' }] }],
    });
  },
);

test("a command that makes no sense leaves with 2 and says why", async () => {
  expect(await run("--nonsense")).toEqual({ code: 2, out: expect.stringContaining("Usage: call-engine chat") });
  expect((await run(join(folder, "missing.yaml"))).out).toContain("cannot be read");
  expect((await run()).out).toContain("Give an agent with --agent");
  expect((await run("--url", "nowhere", "x.yaml")).out).toContain("--url is no address");
});

test("the format of conversations is printed as JSON Schema", async () => {
  const { code, out } = await run("--schema");
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ type: "object", required: ["name", "steps"] });
});
