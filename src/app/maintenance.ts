import { MODEL_FILES } from "../adapters/model-files/manifest.ts";
import { migrate } from "../adapters/store/postgres/migrate.ts";
import type { Config } from "../config.ts";
import { Scope } from "../kit/scope.ts";
import type { AdapterDeps } from "../ports/descriptor.ts";
import { openDatabase } from "./stores.ts";

/** Brings the configured database to this version's schema; answers the names of the migrations that ran. */
export const migrateDatabase = async (config: Config, deps: AdapterDeps): Promise<readonly string[]> => {
  const scope = new Scope("migrate");
  try {
    return await migrate(await openDatabase(config, deps, scope), deps);
  } finally {
    await scope.close();
  }
};

/** Every model file by name, and where it lies; `undefined` where it is missing. */
export const locateModels = (
  deps: AdapterDeps,
): Promise<readonly Readonly<{ name: string; path: string | undefined }>[]> =>
  Promise.all(MODEL_FILES.map(async ({ name }) => ({ name, path: await deps.modelFiles.find(name) })));
