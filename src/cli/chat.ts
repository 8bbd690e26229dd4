import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { startChat, type Chat, type PlayedConversation } from "../app/chat.ts";
import { ConversationSchema } from "../chat/conversation-schema.ts";
import type { OpenedCall } from "../chat/play.ts";
import { reportJson, reportText, tellEntry, tellFailure } from "../chat/report.ts";
import { UnusableFile } from "../chat/unusable-file.ts";
import { readConfig } from "../config.ts";

export const CHAT_HELP = `Usage: call-engine chat [options] [conversation.yaml …]

Plays conversations in text with an agent and checks what they expect; without a file, you are the caller.

  --agent <agent>    a definition's file (.yaml, .json), or the id or name of an agent of the service
  --url <base URL>   the service, such as http://localhost:8080/api; its key is read from API_KEY
  --input <name=v>   a value for the agent's macros; may be repeated (interactive only)
  --call-functions   really call functions that a conversation has no answer for
  --json             report as JSON
  --verbose          show every conversation, not only those that failed
  --schema           print the JSON Schema of conversations

Leaves with 0 when everything was as expected, 1 when not, 2 when something cannot be played.
`;

type Env = Readonly<Record<string, string | undefined>>;

/** Runs the command; answers its exit code. */
export const runChat = async (args: readonly string[], env: Env): Promise<number> => {
  let parsed;
  try {
    parsed = parse(args);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${CHAT_HELP}`);
    return 2;
  }
  const { values, positionals } = parsed;
  if (values.schema) {
    process.stdout.write(`${JSON.stringify(ConversationSchema, null, 2)}\n`);
    return 0;
  }
  try {
    const chat = startChat(readConfig(withoutKey(env)), env, {
      callFunctions: values["call-functions"],
      ...serviceOf(values.url, env),
    });
    try {
      if (positionals.length === 0) return await converse(chat, values.agent, values.input);
      return await playAll(chat, positionals, values);
    } finally {
      await chat.close();
    }
  } catch (error) {
    if (!(error instanceof UnusableFile)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
};

const parse = (args: readonly string[]) =>
  parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      agent: { type: "string" },
      url: { type: "string" },
      input: { type: "string", multiple: true, default: [] },
      "call-functions": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      verbose: { type: "boolean", default: false },
      schema: { type: "boolean", default: false },
    },
  });

/** The key is the service's and may be of any form that it takes. */
const withoutKey = (env: Env): Env => ({ ...env, API_KEY: undefined });

const serviceOf = (url: string | undefined, env: Env) => {
  if (url === undefined) return {};
  const apiKey = env["API_KEY"] ?? "";
  if (!URL.canParse(url)) throw new UnusableFile(["--url is no address, such as http://localhost:8080/api"]);
  if (apiKey === "") throw new UnusableFile(["API_KEY is not set; set it to a key of the service"]);
  return { service: { baseUrl: url, apiKey } };
};

const playAll = async (
  chat: Chat,
  files: readonly string[],
  { agent, json, verbose }: Readonly<{ agent?: string | undefined; json: boolean; verbose: boolean }>,
): Promise<number> => {
  const played: PlayedConversation[] = [];
  for (const file of files) {
    const conversations = await chat.playFile(file, agent);
    played.push(...conversations);
    if (!json) for (const one of conversations) process.stdout.write(reportText(one, verbose));
  }
  const failed = played.filter(({ failures }) => failures.length > 0).length;
  if (json) process.stdout.write(`${JSON.stringify(reportJson(await chat.model(), played), null, 2)}\n`);
  else process.stdout.write(`${played.length - failed} passed, ${failed} failed (${await answeredBy(chat, played)})\n`);
  return failed === 0 ? 0 : 1;
};

/** Who answered, of which nobody is left in the dark. */
const answeredBy = async (chat: Chat, played: readonly PlayedConversation[]): Promise<string> => {
  const stated = played.filter((one) => one.stated).length;
  if (stated === 0) return `answered by ${await chat.model()}`;
  const others = stated === played.length ? "" : `, the others answered by ${await chat.model()}`;
  return `${stated} as they state their model${others}`;
};

const converse = async (chat: Chat, agent: string | undefined, inputs: readonly string[]): Promise<number> => {
  if (agent === undefined) throw new UnusableFile(["who is to be talked to? Give an agent with --agent"]);
  const opened = await chat.open(agent, { inputs: inputsOf(inputs), direction: "outbound" });
  process.stdout.write(
    `Answered by ${await chat.model()}. /press 1 presses keys, /wait 10 stays silent for 10 s, /bye hangs up.\n`,
  );
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const typed = lines[Symbol.asyncIterator]();
  const show = teller(opened);
  try {
    await opened.call.answer();
    show();
    while (opened.call.end === undefined) {
      process.stdout.write("> ");
      const next = await typed.next();
      await act(opened, next.done === true ? "/bye" : next.value.trim());
      show();
    }
    process.stdout.write(`the call is over: ${opened.call.end.reason} (by ${opened.call.end.endedBy})\n`);
    return 0;
  } finally {
    lines.close();
    await opened.call.close();
  }
};

const act = async ({ call }: OpenedCall, line: string): Promise<void> => {
  const [, keys] = /^\/press ([0-9*#]{1,32})$/u.exec(line) ?? [];
  const [, seconds] = /^\/wait (\d{1,4})$/u.exec(line) ?? [];
  if (keys !== undefined) await call.presses(keys);
  else if (seconds !== undefined) await call.waits(Number(seconds) * 1000);
  else if (line === "/bye") await call.hangsUp();
  else if (line.startsWith("/")) process.stdout.write("There are /press <keys>, /wait <seconds> and /bye.\n");
  else if (line !== "") await call.says(line);
};

/** Shows what is new in a conversation, without what the caller just typed. */
const teller = ({ call, functions }: OpenedCall) => {
  let entries = 0;
  const told = new Set<string>();
  return (): void => {
    for (const entry of call.transcript.slice(entries))
      if (entry.speaker === "AI") process.stdout.write(`${tellEntry(entry)}\n`);
    entries = call.transcript.length;
    for (const { callId, name, result } of functions.called) {
      if (result === "" || told.has(callId)) continue;
      told.add(callId);
      process.stdout.write(`  (${name} answered ${result})\n`);
    }
    for (const name of functions.unanswered.splice(0))
      process.stdout.write(
        `  ${tellFailure({ step: 0, expected: `${name} to be called: give --call-functions`, found: "no answer" })}\n`,
      );
  };
};

const inputsOf = (given: readonly string[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    given.map((text) => {
      const at = text.indexOf("=");
      if (at < 1) throw new UnusableFile([`--input wants name=value, not "${text}"`]);
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
