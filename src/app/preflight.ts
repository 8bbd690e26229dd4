import { mkdir, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname } from "node:path";
import { callerFromEnv } from "../adapters/carrier/twilio/loopback.ts";
import { readControlSettings } from "./control-settings.ts";
import { readRecordingSettings } from "./recordings.ts";
import { readSharing } from "./shared-port.ts";
import { readTraceSettings } from "./traces.ts";
import { ConfigError, type Config } from "../config.ts";
import { toError } from "../kit/errors.ts";
import { discover, type DiscoveredPort } from "../registry.ts";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Looks for the mistakes that reading the environment cannot find, before anything is started: engines that do not exist, a
 * simulated caller that cannot be had, a port that is taken.
 *
 * @throws {ConfigError} with all of them at once.
 */
export const preflight = async (config: Config, env: Env): Promise<void> => {
  const found = await Promise.all([
    unknownEngine("VAD", "vad", config.defaults.vad),
    unknownEngine("DEFAULT_TRANSCRIBER", "transcriber", config.defaults.transcriber),
    missingCaller(env),
    told(() => readControlSettings(env)),
    told(() => readRecordingSettings(env)),
    told(() => readSharing(env, config)),
    told(() => readTraceSettings(env)),
    closedFolder(config.dataDir),
    takenPort(config),
  ]);
  const mistakes = found.filter((mistake) => mistake !== undefined);
  if (mistakes.length > 0) throw new ConfigError(mistakes);
};

const unknownEngine = async (
  variable: string,
  port: DiscoveredPort,
  name: string | undefined,
): Promise<string | undefined> => {
  if (name === undefined) return undefined;
  const known = (await discover(port)).map((descriptor) => descriptor.name);
  return known.includes(name) ? undefined : `${variable} must be one of ${known.join(", ")}, not "${name}"`;
};

/** What is wrong with settings that have a reader of their own. */
const told = async (read: () => unknown): Promise<string | undefined> => {
  try {
    await read();
    return undefined;
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes.join("; ");
    throw error;
  }
};

const missingCaller = async (env: Env): Promise<string | undefined> => {
  try {
    await callerFromEnv(env);
    return undefined;
  } catch (error) {
    return `LOOPBACK_CALLER or LOOPBACK_LINES: ${toError(error).message}`;
  }
};

const closedFolder = async (dataDir: string): Promise<string | undefined> => {
  try {
    await makeFolder(dataDir);
    return undefined;
  } catch (error) {
    return `DATA_DIR ${dataDir} cannot be made or entered (${toError(error).message})`;
  }
};

/** Folder by folder, because Node's own recursive form never ends where the system refuses with "not found" (below `/proc`). */
const makeFolder = async (path: string): Promise<void> => {
  if ((await stat(path).catch(() => undefined))?.isDirectory() === true) return;
  if (dirname(path) !== path) await makeFolder(dirname(path));
  await mkdir(path);
};

const takenPort = ({ port, host }: Config): Promise<string | undefined> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) => {
      resolve(
        `PORT ${port} on HOST ${host} cannot be had (${error.code ?? error.message}); choose another one, or 0 for any`,
      );
    });
    probe.listen({ port, host }, () => {
      probe.close(() => {
        resolve(undefined);
      });
    });
  });
