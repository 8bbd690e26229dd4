import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Chat } from "../../src/app/chat.ts";
import {
  answer,
  CompletionsServer,
  delta,
  DONE,
  finished,
  type Script,
} from "../adapters/language-model/completions-server.ts";
import { chatWith } from "./chat-rig.ts";

let server: CompletionsServer;
let chat: Chat;
let folder: string;

beforeEach(async () => {
  server = await CompletionsServer.start();
  chat = chatWith({ LLM_BASE_URL: server.baseUrl, LLM_MODEL: "small" });
  folder = mkdtempSync(join(tmpdir(), "chat-"));
});

afterEach(async () => {
  await chat.close();
  rmSync(folder, { recursive: true });
  await server.close();
});

const play = async (text: string) => {
  const path = join(folder, "conversation.yaml");
  writeFileSync(path, text);
  const [played] = await chat.playFile(path, undefined);
  return played;
};

const calls = (name: string, args: string): Script => ({
  chunks: [
    delta({ tool_calls: [{ index: 0, id: "c1", type: "function", function: { name, arguments: args } }] }),
    finished("tool_calls"),
    DONE,
  ],
});

test("all conditions in words of a turn are judged in one request, and a comparison before them needs none", async () => {
  const flow = `name: language
agent:
  agent: { name: A, language: en }
  prompt:
    flowDefinition:
      nodes:
        - id: talk
          type: question
          nodeData: { question: "How can I help?", questionType: freeform }
          transitionRules:
            - { conditionType: equal, field: answer, value: goodbye, transitionNodeId: bye }
            - { conditionType: language, value: "The caller wants to cancel.", transitionNodeId: cancel }
            - { conditionType: language, value: "The caller wants a person.", transitionNodeId: person }
            - { conditionType: always, transitionNodeId: bye }
        - { id: cancel, type: end_call, nodeData: { message: "Cancelled." } }
        - { id: person, type: end_call, nodeData: { message: "A person, then." } }
        - { id: bye, type: end_call, nodeData: { message: "Bye." } }
steps:
`;
  expect((await play(`${flow}  - { says: Goodbye!, expectsTransition: [{ to: bye, rule: 0 }] }\n`))?.failures).toEqual(
    [],
  );
  expect(server.requests).toEqual([]);
  server.play(answer('{"holds":[2]}'));
  expect(
    (await play(`${flow}  - { says: get me somebody, expectsTransition: [{ to: person, rule: 2 }] }\n`))?.failures,
  ).toEqual([]);
  expect(server.requests).toHaveLength(1);
  expect(JSON.stringify(server.requests[0]?.body)).toContain("wants to cancel");
});

const STANDARD = `
agent:
  agent: { name: A, language: en, openingLine: "Hello." }
  prompt: { prompt: "You book tables." }
  functions:
    - { name: book, description: Books., type: api, apiPath: "https://example.com/book", inputJsonSchema: '{"type":"object","properties":{"size":{"type":"number"}},"required":["size"]}' }
  extractor: { name: Table, fields: [{ name: size, type: int }] }
`;

test("a prompt speaks and calls its functions, meanings are judged, and its extractor reads the conversation", async () => {
  server.play(
    calls("book", '{"size":"two"}'),
    calls("book", '{"size":2}'),
    answer("A table for two ", "is booked."),
    answer('{"holds": true}'),
    calls("end_call", "{}"),
    answer('{"size":{"value":2,"entries":[1]}}'),
  );
  const played = await play(`name: books
${STANDARD}
functions: { book: { result: { ok: true } } }
steps:
  - expects: Hello.
  - says: A table for two, please.
    expectsFunction: [{ name: book, result: { error: invalid_arguments } }, { name: book, args: { size: 2 }, result: { ok: true } }]
    expects: { text: is booked, meaning: confirms the booking }
    expectsResult: null
  - says: Thank you, goodbye.
    expectsResult: { endReason: agent_hangup, aiResult: { size: 2 } }
`);
  expect(played?.failures).toEqual([]);
});

test("two functions at once run once each, and one that does not exist is refused without harm", async () => {
  const both = delta({
    tool_calls: [
      { index: 0, id: "a", type: "function", function: { name: "book", arguments: '{"size":2}' } },
      { index: 1, id: "a", type: "function", function: { name: "book", arguments: '{"size":2}' } },
      { index: 2, id: "b", type: "function", function: { name: "erase", arguments: "{}" } },
    ],
  });
  server.play({ chunks: [both, finished("tool_calls"), DONE] }, answer("Done."));
  const played = await play(`name: two at once
${STANDARD}
functions: { book: { result: { ok: true }, afterMs: 800 } }
steps:
  - says: Book it twice and erase all.
    expectsFunction: [{ name: book, args: { size: 2 } }, { name: erase, result: { error: unknown_function } }]
    expects: Done.
`);
  expect(played?.failures).toEqual([]);
});

test("a model that fails is apologized for, and the call ends as it would on the telephone", async () => {
  server.play({ status: 500, chunks: [] });
  const played = await play(`name: down
${STANDARD}
steps:
  - says: Hello?
    expects: technical trouble
    expectsResult: { endReason: model_failed, status: failed, systemResultType: FAILED }
`);
  expect(played?.failures).toEqual([]);
});

type Sent = Readonly<{ messages: readonly Readonly<{ role: string; content: string }>[] }>;

const ASKING = `name: keys
agent:
  agent: { name: A, language: en, openingLine: "Hello." }
  prompt: { prompt: "You ask for PINs." }
steps:
  - says: let me in
    expects: Your PIN
`;

test.each([
  ["the last of so many", '{"maxDigits":4}', '  - presses: "1234"\n', { digits: "1234", complete: true }],
  ["the one that ends them", "{}", '  - presses: "12#"\n', { digits: "12", complete: true }],
  ["none for too long", "{}", '  - presses: "12"\n', { digits: "12", complete: false, why: "timeout" }],
  ["words instead", "{}", "  - says: I forgot it\n", { digits: "", complete: false, why: "spoke" }],
  ["silence", "{}", "  - silence: 9\n", { digits: "", complete: false, why: "timeout" }],
])("keys that a model waits for are pressed: %s", async (_, args, step, result) => {
  server.play({
    chunks: [
      delta({ content: "Your PIN, please." }),
      delta({
        tool_calls: [{ index: 0, id: "c1", type: "function", function: { name: "collect_digits", arguments: args } }],
      }),
      finished("tool_calls"),
      DONE,
    ],
  });
  server.play(answer("Thank you."));
  const played = await play(`${ASKING}    expectsFunction: collect_digits\n${step}    expects: Thank you\n`);
  expect(played?.failures).toEqual([]);
  const sent = server.requests.at(-1)?.body as Sent | undefined;
  expect(JSON.parse(sent?.messages.findLast(({ role }) => role === "tool")?.content ?? "")).toEqual(result);
});
