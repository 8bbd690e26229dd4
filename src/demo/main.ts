import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeDeps, startApp, type App } from "../app.ts";
import { callerFromTexts, callerFromWav, type CallerScript } from "../app/demo-caller.ts";
import { DEMO_AGENT_ID, DEMO_NUMBER_ID } from "../app/demo-workspace.ts";
import { pullWithProgress } from "../app/pull.ts";
import { createClient, type Client } from "../client/client.ts";
import { readConfig } from "../config.ts";
import { toError } from "../kit/errors.ts";
import { Scope } from "../kit/scope.ts";
import type { Dial } from "../model/dial.ts";
import type { Clock } from "../ports/clock.ts";
import { HELP, readOptions, UsageError, type DemoOptions } from "./options.ts";
import { latencyTable, livePrinter, shortcomings } from "./report.ts";
import { untilDial } from "./until-dial.ts";

/** The number of the loopback network at which a person answers and converses. */
const CALLER_NUMBER = "+12025550123";

/** From dialling to the end; a recording of a caller may be long. */
const LONGEST_MS = 30 * 60_000;

type Env = Readonly<Record<string, string | undefined>>;

const main = async (args: readonly string[]): Promise<number> => {
  const options = readOptions(args);
  const out = options.json ? process.stderr : process.stdout;
  const say = (line: string) => {
    out.write(`${line}\n`);
  };
  if (options.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const caller = await callerOf(options);
  const scope = new Scope("the demonstration");
  const wanted = scope.child("until it is interrupted");
  let app: App | undefined;
  let interrupted = false;
  // What is just starting has to be there before it can be stopped; who asks twice wants it gone sooner.
  const stop = () => {
    void (interrupted ? app?.stop() : wanted.close(new Error("interrupted")))?.catch(() => undefined);
    interrupted = true;
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, stop);
  try {
    const { env, dataDir } = await demoEnvironment(options, scope, say);
    app = await startService(env, caller, scope, say, () => interrupted);
    wanted.signal.throwIfAborted();
    const result = await converse(app, env, wanted.signal, say);
    await show(result, app, options, dataDir, say);
    const missing = shortcomings(result.dial);
    for (const what of missing) say(`not a whole conversation: ${what}`);
    return missing.length === 0 ? 0 : 1;
  } finally {
    await scope.close();
  }
};

const callerOf = async (options: DemoOptions): Promise<CallerScript | undefined> => {
  if (options.caller !== undefined) return callerFromWav(options.caller);
  return options.say.length > 0 ? callerFromTexts(options.say) : undefined;
};

/** The environment less everything that would tie the demonstration to a real deployment; the language model stays. */
const demoEnvironment = async (options: DemoOptions, scope: Scope, say: (line: string) => void) => {
  const dataDir = await mkdtemp(join(tmpdir(), "call-engine-demo-"));
  // PostgreSQL runs as another user when we are root, and has to get in; what lies inside stays closed to others.
  await chmod(dataDir, 0o711);
  if (!options.keep) scope.onClose(() => rm(dataDir, { recursive: true, force: true }));
  else
    scope.onClose(() => {
      say(`the data folder is kept: ${dataDir}`);
    });
  const deployment = { DATABASE_URL: "", REDIS_URL: "", PUBLIC_URL: "", API_KEY: "", NODE_ENV: "" };
  const env: Env = {
    ...process.env,
    ...deployment,
    LOG_LEVEL: process.env["LOG_LEVEL"] ?? "error",
    PORT: "0",
    HOST: "127.0.0.1",
    DATA_DIR: dataDir,
  };
  return { env, dataDir };
};

const startService = async (
  env: Env,
  caller: CallerScript | undefined,
  scope: Scope,
  say: (line: string) => void,
  isInterrupted: () => boolean,
): Promise<App> => {
  const config = readConfig(env);
  const deps = makeDeps(config, env);
  await pullWithProgress(deps, env).catch((error: unknown) => {
    say(`the speech models could not be brought: ${toError(error).message}`);
  });
  deps.metrics.close();
  say("starting the service: database, engines, worker …");
  const app = await startApp({ config, env, role: "all", caller });
  scope.onClose(() => {
    const stopped = app.stop();
    // An interrupted conversation is not waited for; one that is over has ended its call.
    if (isInterrupted()) void app.stop();
    return stopped;
  });
  for (const { slot, engine, instead } of app.tiers)
    say(`  ${slot}: ${engine}${instead === undefined ? "" : ` (${instead})`}`);
  return app;
};

type Result = Readonly<{ dial: Dial; recording: string | undefined }>;

const converse = async (app: App, env: Env, signal: AbortSignal, say: (line: string) => void): Promise<Result> => {
  const { clock, metrics } = makeDeps(readConfig(env), env);
  metrics.close();
  const client = createClient({ baseUrl: app.baseUrl, apiKey: app.apiKey });
  const body = { callAgentId: DEMO_AGENT_ID, toNumber: CALLER_NUMBER, fromNumberId: DEMO_NUMBER_ID };
  const { dialId } = await client.createDial({ body });
  const overdue = clock.setTimer(LONGEST_MS, () => void client.hangUpDial({ id: dialId }).catch(() => undefined));
  say(`\nPOST ${app.baseUrl}/dials → ${dialId}\n`);
  const printer = livePrinter(say);
  try {
    for await (const { event } of client.followDial(dialId, { signal })) printer.see(event);
  } finally {
    printer.flush();
    overdue.cancel();
  }
  const dial = await finishedDial(client, clock, dialId);
  const [recording] = dial.recordings ?? [];
  if (recording === undefined) return { dial, recording: undefined };
  const sound = await client.getRecording({ id: dialId, recordingId: recording.id });
  const path = join(tmpdir(), `call-engine-demo-${dialId}.${sound.type === "audio/ogg" ? "ogg" : "wav"}`);
  await writeFile(path, sound.stream());
  return { dial, recording: path };
};

/** While a call goes on its recording has no length. */
const isWhole = ({ durationMs }: Readonly<{ durationMs: number }>): boolean => durationMs > 0;

/** The carrier's word may end a dial a moment before the worker has written its recording. */
const finishedDial = async (client: Client, clock: Clock, dialId: string): Promise<Dial> => {
  const ended = await untilDial(client, clock, dialId, ({ endedAt }) => endedAt !== undefined, 30_000);
  if (ended.durationSeconds === undefined) return ended;
  return untilDial(client, clock, dialId, ({ recordings = [] }) => recordings.some(isWhole), 15_000);
};

const show = async (
  { dial, recording }: Result,
  app: App,
  options: DemoOptions,
  dataDir: string,
  say: (line: string) => void,
) => {
  const turns = dial.turns ?? [];
  say(`\nGET ${app.baseUrl}/dials/${dial.id}\n`);
  if (options.json) {
    const models = Object.fromEntries(app.tiers.map(({ slot, engine }) => [slot, engine]));
    const kept = options.keep ? { dataDir } : {};
    process.stdout.write(`${JSON.stringify({ dial, turns, recording: recording ?? null, models, ...kept })}\n`);
  } else say(JSON.stringify(dial, undefined, 2));
  say("\nLatency in milliseconds from the caller's last voiced sample\n");
  for (const line of latencyTable(turns)) say(line);
  say(`\nrecording (left: caller, right: agent): ${recording ?? "none"}`);
};

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const { message } = toError(error);
    process.stderr.write(
      error instanceof UsageError ? `${message}\n\n${HELP}` : `the demonstration failed: ${message}\n`,
    );
    process.exitCode = error instanceof UsageError ? 2 : 1;
  },
);
