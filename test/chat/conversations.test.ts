import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Chat, PlayedConversation } from "../../src/app/chat.ts";
import { reportText } from "../../src/chat/report.ts";
import { chatWith } from "./chat-rig.ts";

let chat: Chat;
let folder: string;

beforeAll(() => {
  chat = chatWith();
  folder = mkdtempSync(join(tmpdir(), "chat-"));
});

afterAll(async () => {
  await chat.close();
  rmSync(folder, { recursive: true });
});

const told = (played: readonly PlayedConversation[]): string =>
  played
    .filter(({ failures }) => failures.length > 0)
    .map((one) => reportText(one, true))
    .join("");

const write = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const FILES = globSync("test/chat/conversations/*.conversation.yaml").toSorted();

test("there are conversations to play", () => {
  expect(FILES.length).toBeGreaterThanOrEqual(5);
});

test.each(FILES)("%s goes as it says, twice the same way", { timeout: 120_000 }, async (file) => {
  const played = await chat.playFile(file, undefined);
  expect(told(played)).toBe("");
  expect(await chat.playFile(file, undefined)).toEqual(played);
});

test("the examples of the documentation go as they say", async () => {
  const blocks = readFileSync("docs/chat.md", "utf8").matchAll(/```yaml\n# (\S+)\n([^]*?)```/gu);
  const paths = Array.from(blocks, ([, name = "", text = ""]) => write(name, text));
  expect(paths).toHaveLength(3);
  const played = [
    ...(await chat.playFile(paths[1] ?? "", undefined)),
    ...(await chat.playFile(paths[2] ?? "", undefined)),
  ];
  expect(told(played)).toBe("");
  expect(played).toHaveLength(3);
});

test("what is not as expected is told with its line, what was expected and what came", async () => {
  write("agent.yaml", AGENT);
  const played = await chat.playFile(write("wrong.yaml", WRONG), undefined);
  expect(played[0]?.failures.map(({ step, expected }) => [step, expected])).toEqual([
    [0, 'words "What is your quest"'],
    [0, 'no words "hello"'],
    [1, 'a transition to "nowhere"'],
    [1, 'a call of "look_up"'],
    [1, 'the end {"endReason":"idle"}'],
    [2, "a call that goes on"],
    [2, "words that match /quest/"],
    [2, 'keys "1"'],
  ]);
  const report = reportText(played[0] as PlayedConversation, false);
  expect(report).toContain('wrong.yaml:5 expected words "What is your quest"; found "Hello! Your name?"');
  expect(report).toContain('found ask → bye by rule 0 with {"answer":"Ada"}');
});

test("a file that is no conversation is refused with the line and the field", async () => {
  const refusal = async (text: string) =>
    chat.playFile(write("bad.yaml", text), undefined).catch((error: unknown) => (error as Error).message);
  expect(await refusal("name: x\nagent: ./agent.yaml\nsteps:\n  - sayz: hello\n")).toMatch(
    /bad\.yaml: line 4: \/steps\/0/u,
  );
  expect(await refusal("name: x\nsteps:\n  - says: hello\n")).toMatch(/names no agent/u);
  expect(await refusal("name: [x\n")).toMatch(/bad\.yaml: .*line 2/su);
  expect(await refusal("name: x\nagent: ./missing.yaml\nsteps: [{ says: a }]\n")).toMatch(
    /missing\.yaml: cannot be read/u,
  );
  expect(await refusal("name: x\nagent: Robin\nsteps: [{ says: a }]\n")).toMatch(/--url/u);
  expect(
    await refusal(
      "a: &a [1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n",
    ),
  ).toMatch(/bad\.yaml/u);
});

test("an agent whose flow cannot be followed is refused with the node", async () => {
  const flow =
    "{ nodes: [{ id: a, type: question, nodeData: { question: q, questionType: freeform }, transitionRules: [{ conditionType: always, transitionNodeId: b }] }] }";
  const text = `name: x\nagent: { agent: { name: A, language: en }, prompt: { flowDefinition: ${flow} } }\nsteps: [{ says: a }]\n`;
  const message = await chat.playFile(write("flow.yaml", text), undefined).catch(String);
  expect(message).toMatch(/flowDefinition\/nodes\/0.*\(node "a"\)/u);
});

test("a meaning is not judged where there is no language model", async () => {
  write("agent.yaml", AGENT);
  const text = "name: x\nagent: ./agent.yaml\nsteps:\n  - expects: { meaning: greets }\n";
  await expect(chat.playFile(write("meaning.yaml", text), undefined)).rejects.toThrow(/set LLM_BASE_URL/u);
});

test("a condition that is stated to hold and was not asked about is told", async () => {
  const agent = readFileSync("test/chat/conversations/stated.yaml", "utf8").replaceAll(/^/gmu, "  ");
  const text = `name: x\nagent:\n${agent}\nsteps:\n  - { says: hm, model: { holds: [The moon is full.] } }\n`;
  const [played] = await chat.playFile(write("moon.yaml", text), undefined);
  expect(played?.failures.map(({ expected }) => expected)).toEqual(['a condition "The moon is full." to judge']);
});

const AGENT = `
agent: { name: A, language: en }
prompt:
  flowDefinition:
    nodes:
      - id: ask
        type: question
        nodeData: { question: "Hello! Your name?", questionType: freeform }
        transitionRules: [{ conditionType: always, transitionNodeId: bye }]
      - { id: bye, type: end_call, nodeData: { message: "Bye." } }
`;

const WRONG = `name: wrong
agent: ./agent.yaml
steps:

  - expects: [What is your quest, { not: hello }]
  - says: Ada
    expectsTransition: nowhere
    expectsFunction: look_up
    expectsResult: idle
  - says: more
    expects: { regex: quest }
    expectsKeys: "1"
`;
