import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEMO_NUMBER_ID } from "../../src/app/demo-workspace.ts";
import { delta, DONE, finished } from "../adapters/language-model/completions-server.ts";
import { startService, type RunningService } from "./running-service.ts";

type Ask = Readonly<{
  messages: readonly Readonly<{ role: string; content?: string }>[];
  tools?: readonly Readonly<{ function: Readonly<{ name: string }> }>[];
}>;

let dataDir: string;
let service: RunningService;
let model: Server;
/** What each prompt's model was asked last. */
const asked: { menu?: Ask; main?: Ask } = {};

const toolCall = (name: string, args: unknown): string =>
  delta({ tool_calls: [{ index: 0, id: "c", type: "function", function: { name, arguments: JSON.stringify(args) } }] });

/** Waits until the menu offers support and presses its key; with the person it talks. */
const think = (ask: Ask): readonly string[] => {
  const { messages } = ask;
  const heard = messages.findLast(({ role }) => role === "user")?.content ?? "";
  if (messages[0]?.content?.includes("Reach support.") === true) {
    asked.menu = ask;
    const offered = /support,? press (?:two|2)/iu.test(heard);
    if (!offered) return [toolCall("wait", {}), finished("tool_calls")];
    return [delta({ content: "I press two." }), toolCall("press_digits", { digits: "2" }), finished("tool_calls")];
  }
  asked.main = ask;
  return [delta({ content: "Hello, this is Robin. My router is broken." }), finished()];
};

beforeAll(async () => {
  model = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end([...think(JSON.parse(Buffer.concat(parts).toString()) as Ask), DONE].join(""));
    });
  });
  model.listen(0, "127.0.0.1");
  await once(model, "listening");
  dataDir = await mkdtemp(join(tmpdir(), "call-engine-e2e-"));
  await chmod(dataDir, 0o711);
  service = await startService({
    DATA_DIR: dataDir,
    ALLOW_PRIVATE_NETWORK: "true",
    LLM_BASE_URL: `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`,
    LLM_MODEL: "thinker",
  });
});

afterAll(async () => {
  expect(await service.end("SIGTERM")).toBe(0);
  model.close();
  await rm(dataDir, { recursive: true, force: true });
});

test("a menu is heard, its key is pressed as tones, a person is reached, and the main prompt speaks again", async () => {
  const { client } = service;
  const { id: agentId } = await client.createAgent({
    body: { name: "Caller", language: "en", openingLine: "Hello.", ivrNavigationEnabled: true },
  });
  const { id: main } = await client.createVersionedPrompt({ agentId, body: { name: "main", prompt: "Talk." } });
  const { id: menu } = await client.createVersionedPrompt({
    agentId,
    body: { name: "menu", prompt: "Reach support." },
  });
  const { dialId } = await client.createDial({
    body: {
      callAgentId: agentId,
      fromNumberId: DEMO_NUMBER_ID,
      toNumber: "+12025550152",
      versionedModelId: main,
      ivrVersionedPromptId: menu,
    },
  });
  const dial = await service.until(dialId, ({ endReason }) => endReason !== null, 90_000);
  expect(dial).toMatchObject({ status: "completed", endReason: "counterparty_hangup", warnings: [] });
  const transcript = dial.transcript ?? [];
  const told = transcript.map(({ speaker, text, functionCalls }) => {
    const call = functionCalls?.[0];
    return call === undefined ? `${speaker}: ${text.toLowerCase()}` : `${call.name} ${call.args}`;
  });
  const pressed = told.indexOf('press_digits {"digits":"2"}');
  expect(told.filter((line) => line.startsWith("press_digits"))).toHaveLength(1);
  const before = told.slice(0, pressed).filter((line) => !line.startsWith("AI: "));
  const after = told.slice(pressed + 1).filter((line) => !line.startsWith("AI: "));
  expect(before.every((line) => line.startsWith("IVR: "))).toBe(true);
  expect(before.join(" ")).toContain("support");
  expect(after[0]).toMatch(/^IVR: .*hold/u);
  expect(after.slice(1).map((line) => line.split(":")[0])).toEqual(["HUMAN", "HUMAN", "HUMAN"]);
  expect(told.filter((line) => line.startsWith("AI: hello, this is robin")).length).toBeGreaterThanOrEqual(2);
  expect(told.join(" ")).not.toContain("i press two");
  const offered = ({ tools = [] }: Ask) => tools.map((tool) => tool.function.name);
  expect(asked.menu && offered(asked.menu)).toEqual(["press_digits", "wait", "end_call"]);
  expect(asked.main && offered(asked.main)).toEqual(["collect_digits", "mark_do_not_call", "end_call"]);
  expect(JSON.stringify(asked.main?.messages)).not.toContain("press");
}, 150_000);
