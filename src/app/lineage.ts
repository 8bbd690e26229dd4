import { createHash } from "node:crypto";
import { fileMarkKeeper } from "../adapters/store-mark/file.ts";
import { redisMarkKeeper } from "../adapters/store-mark/redis.ts";
import type { PostgresStore } from "../adapters/store/postgres/store.ts";
import type { Config } from "../config.ts";
import type { Scope } from "../kit/scope.ts";
import type { AdapterDeps } from "../ports/descriptor.ts";
import { LineageWatch } from "../worker/lineage-watch.ts";

/** Watches whether the database loses what it acknowledged, from before anything else is done with it. */
export const watchLineage = async (
  config: Config,
  deps: AdapterDeps,
  { lineage }: Pick<PostgresStore, "lineage">,
  deploymentSecret: string,
  scope: Scope,
): Promise<void> => {
  // A copy of the database has the same secret, and another deployment has another.
  const deployment = createHash("sha256").update(`store-mark ${deploymentSecret}`).digest("hex").slice(0, 16);
  const url = config.redisUrl?.reveal();
  const keepers = [
    fileMarkKeeper(config.dataDir, deployment),
    ...(url === undefined ? [] : [redisMarkKeeper({ ...deps, url }, deployment)]),
  ];
  for (const keeper of keepers) scope.onClose(() => keeper.close());
  const watch = new LineageWatch({ ...deps, lineage, keepers });
  scope.onClose(() => watch.stop());
  await watch.start();
};
