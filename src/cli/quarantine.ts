import { existsSync } from "node:fs";
import { makeDeps } from "../app.ts";
import { withQuarantine } from "../app/quarantine.ts";
import { ConfigError, readConfig } from "../config.ts";

export const QUARANTINE_HELP = `Usage: call-engine quarantine <order>

After a restore, or a failover to a replica that lacked the last commits, dials that were placed may be waiting again. Those that waited
when this was noticed are placed only once they are released. Works on the database of the environment (DATABASE_URL, or the embedded
one in DATA_DIR), whether or not the service runs.

  list       the dials in quarantine, oldest first: id, workspace, when it was made
  release    lets workers place them; hang up first what should not be called (POST /dials/{id}/hangup)
`;

type Env = Readonly<Record<string, string | undefined>>;

/** Lines that somebody reads; the number of all is told in any case. */
const SHOWN = 1_000;

/**
 * Carries out one order; answers the exit code: 0 done, 2 not understood.
 *
 * @throws {ConfigError} where no service has kept anything yet: an empty database made there would say that all is well.
 */
export const runQuarantine = async (args: readonly string[], env: Env): Promise<number> => {
  const [order, ...more] = args;
  if (more.length > 0 || (order !== "list" && order !== "release")) {
    process.stderr.write(`quarantine wants "list" or "release".\n\n${QUARANTINE_HELP}`);
    return 2;
  }
  const config = readConfig({ ...env, LOG_LEVEL: "silent" });
  if (config.databaseUrl === undefined && !existsSync(config.dataDir))
    throw new ConfigError([
      `DATA_DIR ${config.dataDir} does not exist: set it as for the service, or set DATABASE_URL`,
    ]);
  const deps = makeDeps(config, env);
  try {
    return await withQuarantine(config, deps, async (quarantine) => {
      if (order === "release") {
        process.stdout.write(`released=${await quarantine.release()}\n`);
        return 0;
      }
      const { count, dials } = await quarantine.listQuarantined(SHOWN);
      for (const { dialId, workspaceId, createdAt } of dials)
        process.stdout.write(`${dialId}  ${workspaceId}  ${createdAt}\n`);
      process.stdout.write(`quarantined=${count}\n`);
      return 0;
    });
  } finally {
    deps.metrics.close();
  }
};
