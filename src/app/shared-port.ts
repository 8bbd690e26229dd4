import { once } from "node:events";
import type { Server as HttpServer } from "node:http";
import { createServer } from "node:net";
import { ConfigError, type Config } from "../config.ts";
import { toError } from "../kit/errors.ts";
import type { Scope } from "../kit/scope.ts";
import { discoverCarriers } from "../registry.ts";
import { readAccounts } from "./accounts.ts";

/** How many processes of this machine serve together, and at which port. */
type Sharing = Readonly<{
  /** 1: this process serves, by itself. */
  processes: number;
  /** The port that this process listens at besides its own, together with others. */
  sharedPort: number | undefined;
}>;

type Env = Readonly<Record<string, string | undefined>>;

/** The variables that are read here. */
export const SHARING_VARIABLES = ["PROCESSES", "SHARED_PORT"] as const;

const MOST_PROCESSES = 64;
const LAST_PORT = 65_535;

/** @throws {ConfigError} with all mistakes at once. */
export const readSharing = async (
  env: Env,
  config: Pick<Config, "port" | "databaseUrl" | "redisUrl">,
): Promise<Sharing> => {
  const mistakes: string[] = [];
  const whole = (name: (typeof SHARING_VARIABLES)[number], most: number): number | undefined => {
    const value = env[name]?.trim();
    if (value === undefined || value === "") return undefined;
    if (/^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= most) return Number(value);
    mistakes.push(`${name} must be a whole number from 1 to ${most}, not "${value}"`);
    return undefined;
  };
  const processes = whole("PROCESSES", MOST_PROCESSES) ?? 1;
  const sharedPort = whole("SHARED_PORT", LAST_PORT);
  const { port } = config;
  if (processes > 1 && sharedPort !== undefined)
    mistakes.push("PROCESSES and SHARED_PORT do not go together: with PROCESSES, PORT is the shared one");
  if (processes > 1 && (port === 0 || port + processes > LAST_PORT))
    mistakes.push(`PROCESSES needs a PORT that is not 0, and the ${processes} ports behind it`);
  if (sharedPort !== undefined && sharedPort === port)
    mistakes.push("SHARED_PORT must not be PORT, which is this process's own");
  if (processes > 1 || sharedPort !== undefined) {
    if (config.databaseUrl === undefined || config.redisUrl === undefined)
      mistakes.push("processes that serve together share DATABASE_URL and REDIS_URL: set both");
    mistakes.push(...(await unshareableAccounts(env)));
  }
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return { processes, sharedPort };
};

/**
 * Listens at a port together with other processes, whose system deals connections out among them, and serves what comes there like what
 * comes at the server's own port. Linux and FreeBSD can; elsewhere this rejects.
 */
export const listenTogether = async (
  server: HttpServer,
  at: Readonly<{ host: string; port: number }>,
  scope: Scope,
): Promise<void> => {
  const shared = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => {
    server.emit("connection", socket);
  });
  try {
    shared.listen({ ...at, reusePort: true });
    await once(shared, "listening");
  } catch (error) {
    throw new Error(`port ${at.port} cannot be shared here (${toError(error).message}): run one process a port`, {
      cause: error,
    });
  }
  // Its connections are the server's, which closes them.
  scope.onClose(() => void shared.close());
};

/** Accounts, of the environment or of a file, that one process alone can have. What is wrong in them is told where they are opened. */
const unshareableAccounts = async (env: Env): Promise<readonly string[]> => {
  try {
    const known = await readAccounts(await discoverCarriers(), env);
    return known
      .filter(({ descriptor }) => descriptor.listens)
      .map(
        ({ account, descriptor }) =>
          `the ${descriptor.name} account "${account.id}" needs its own addresses: run the process that has it by itself, without PROCESSES and SHARED_PORT`,
      );
  } catch (error) {
    if (error instanceof ConfigError) return [];
    throw error;
  }
};
