import { migrate } from "../adapters/store/postgres/migrate.ts";
import { openPostgresStore } from "../adapters/store/postgres/store.ts";
import type { Config } from "../config.ts";
import { Scope } from "../kit/scope.ts";
import type { AdapterDeps } from "../ports/descriptor.ts";
import type { Lineage } from "../ports/lineage.ts";
import { openDatabase } from "./stores.ts";

/** Runs work on the dials in quarantine of the configured database, beside a service that runs or without one. */
export const withQuarantine = async <T>(
  config: Config,
  deps: AdapterDeps,
  work: (quarantine: Pick<Lineage, "listQuarantined" | "release">) => Promise<T>,
): Promise<T> => {
  const scope = new Scope("quarantine");
  try {
    const url = await openDatabase(config, deps, scope);
    await migrate(url, deps);
    const store = await openPostgresStore({ ...deps, url, connections: 1 });
    scope.onClose(() => store.close());
    return await work(store.lineage);
  } finally {
    await scope.close();
  }
};
