import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { GuardedHttpCaller } from "../adapters/http/guarded-http-caller.ts";
import { planOf, type AgentDefinition, type Occasion } from "../chat/agent-definition.ts";
import { openCall, play, type ChatDeps, type OpenedCall, type Played } from "../chat/play.ts";
import { readAgentDefinition, readConversations, type ReadConversation } from "../chat/read-file.ts";
import { statesModel } from "../chat/stated-model.ts";
import { UnusableFile } from "../chat/unusable-file.ts";
import type { Config } from "../config.ts";
import { toError } from "../kit/errors.ts";
import { Scope } from "../kit/scope.ts";
import { makeDeps } from "../app.ts";
import { startModelsAlone, type RunningModels } from "./engines.ts";
import { fetchAgent } from "./fetch-agent.ts";

/** Where agents come from that are no files, and what conversations may do. */
export type ChatOptions = Readonly<{
  /** The service whose agents are meant, such as `http://localhost:8080/api`, and its key. */
  service?: Readonly<{ baseUrl: string; apiKey: string }> | undefined;
  /** Functions that a script has no answer for are really called. */
  callFunctions: boolean;
}>;

/** One conversation of a file and how it went. */
export type PlayedConversation = Readonly<{ file: string; name: string; lines: readonly number[] }> & Played;

/** Conversations in text with what this process is configured for. */
export type Chat = Readonly<{
  /** What answers, for people. */
  model(): Promise<string>;
  /** Plays every conversation of a file; `agent` stands in where the file names none. Throws {@link UnusableFile}. */
  playFile(path: string, agent: string | undefined): Promise<readonly PlayedConversation[]>;
  /** Opens a conversation with an agent (a definition's path, or an id or name at the service). Throws {@link UnusableFile}. */
  open(agent: string, occasion: Occasion): Promise<OpenedCall>;
  close(): Promise<void>;
}>;

type Env = Readonly<Record<string, string | undefined>>;

/** Conversations without a database, speech or a server; the language models start when the first is played. */
export const startChat = (config: Config, env: Env, options: ChatOptions): Chat => {
  const scope = new Scope("chat");
  const deps = makeDeps({ ...config, logLevel: env["LOG_LEVEL"] === undefined ? "error" : config.logLevel }, env);
  scope.onClose(() => {
    deps.metrics.close();
  });
  let starting: Promise<RunningModels> | undefined;
  const models = (): Promise<RunningModels> => {
    starting ??= startModelsAlone(config, env, deps).then((started) => {
      scope.onClose(() => started.close());
      return started;
    });
    return starting;
  };
  const http = new GuardedHttpCaller({ clock: deps.clock, allowPrivateNetwork: config.allowPrivateNetwork });
  scope.onClose(() => http.close());
  const partsWith = ({ modelFor }: RunningModels): ChatDeps => ({
    clock: deps.clock,
    logger: deps.logger,
    modelFor,
    ...(options.callFunctions ? { http } : {}),
  });
  const find = agentFinder(options);
  return {
    model: async () => (await models()).describe,
    playFile: (path, agent) => playFile({ partsWith, models, find }, path, agent),
    open: async (agent, occasion) => {
      const definition = await find(agent, process.cwd());
      const running = await models();
      const plan = planOf(definition, running, occasion);
      return openCall(partsWith(running), plan, { startsAt: new Date(deps.clock.now()).toISOString() });
    },
    close: () => scope.close(),
  };
};

type Parts = Readonly<{
  partsWith(models: RunningModels): ChatDeps;
  models(): Promise<RunningModels>;
  find: Finder;
}>;

const playFile = async (
  { partsWith, models, find }: Parts,
  path: string,
  agent: string | undefined,
): Promise<readonly PlayedConversation[]> => {
  const read = await within(path, async () => readConversations(await textOf(path)));
  const played: PlayedConversation[] = [];
  for (const { conversation, lines } of read)
    played.push(
      await within(`${path}, "${conversation.name}"`, async () => {
        const { inputs = {}, direction = "outbound" } = conversation;
        const definition = await definitionOf(conversation.agent, agent, dirname(path), find);
        const running = await models();
        const known = statesModel(conversation) ? { models: running.models, scripted: false } : running;
        const plan = planOf(definition, known, { inputs, direction });
        return { file: path, name: conversation.name, lines, ...(await play(partsWith(running), plan, conversation)) };
      }),
    );
  return played;
};

type Finder = (name: string, folder: string) => Promise<AgentDefinition>;

const definitionOf = async (
  own: ReadConversation["conversation"]["agent"],
  given: string | undefined,
  folder: string,
  find: Finder,
): Promise<AgentDefinition> => {
  if (given !== undefined) return find(given, process.cwd());
  if (own === undefined) throw new UnusableFile(["it names no agent: add `agent:`, or give one with --agent"]);
  return typeof own === "string" ? find(own, folder) : own;
};

/** A path ends in `.yaml`, `.yml` or `.json`; everything else is an id or a name at the service. */
const agentFinder =
  ({ service }: ChatOptions): Finder =>
  async (name, folder) => {
    if (/\.(?:ya?ml|json)$/iu.test(name)) {
      const path = resolve(folder, name);
      return within(path, async () => readAgentDefinition(await textOf(path)));
    }
    if (service === undefined)
      throw new UnusableFile([
        `"${name}" is no file of a definition (.yaml, .json); for an agent of a running service give --url and set API_KEY`,
      ]);
    return fetchAgent(service, name);
  };

const textOf = async (path: string): Promise<string> => {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new UnusableFile([`cannot be read: ${toError(error).message}`]);
  }
};

/** Says in which file the faults are. */
const within = async <T>(where: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UnusableFile) throw new UnusableFile(error.faults.map((fault) => `${where}: ${fault}`));
    throw error;
  }
};
