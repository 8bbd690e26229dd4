import { startEmbeddedPostgres } from "../adapters/postgres/embedded.ts";
import { openBullmqQueue } from "../adapters/queue/bullmq.ts";
import { memoryLiveState } from "../adapters/live/memory.ts";
import { openRedisLiveState } from "../adapters/live/redis.ts";
import { memoryPhrases } from "../adapters/phrases/memory.ts";
import { redisPhrases } from "../adapters/phrases/redis.ts";
import { migrate } from "../adapters/store/postgres/migrate.ts";
import { redisUsageChannel } from "../adapters/usage-channel/redis.ts";
import { openPostgresStore } from "../adapters/store/postgres/store.ts";
import type { Config } from "../config.ts";
import type { Scope } from "../kit/scope.ts";
import type { AdapterDeps } from "../ports/descriptor.ts";
import type { LiveState } from "../ports/live.ts";
import type { Phrases } from "../ports/phrases.ts";
import type { DialQueue } from "../ports/queue.ts";
import type { Store } from "../ports/store.ts";
import type { UsageChannel } from "../ports/usage-channel.ts";
import { watchLineage } from "./lineage.ts";
import type { EngineDeps } from "./model-look-up.ts";
import { tellOfStores } from "./told-from-the-start.ts";

export type Stores = Readonly<{
  store: Store;
  queue: DialQueue;
  live: LiveState;
  phrases: Phrases;
  /** Absent where a process has nobody to share limits with. */
  usage?: UsageChannel | undefined;
  deploymentSecret: string;
  /** Other processes may work on the same dials. */
  shared: boolean;
}>;

/** Sound of repeated phrases that is kept, in bytes: about two hours of telephone sound. */
const PHRASE_BYTES = 64 * 1024 * 1024;

/** The database: the one that is given, or the embedded one, which stops when the scope closes. */
export const openDatabase = async (config: Config, deps: AdapterDeps, scope: Scope): Promise<string> => {
  if (config.databaseUrl !== undefined) return config.databaseUrl.reveal();
  const embedded = await startEmbeddedPostgres({ ...deps, dataDir: config.dataDir });
  scope.onClose(() => embedded.stop());
  return embedded.url;
};

/** Opens the record, the queue and the live state, migrated and ready; they close, in reverse order, with the scope. */
export const openStores = async (config: Config, deps: EngineDeps, scope: Scope): Promise<Stores> => {
  const databaseUrl = await openDatabase(config, deps, scope);
  await migrate(databaseUrl, deps);
  const store = await openPostgresStore({ ...deps, url: databaseUrl });
  scope.onClose(() => store.close());
  const deploymentSecret = await store.deploymentSecret();
  await watchLineage(config, deps, store, deploymentSecret, scope);
  const redisUrl = config.redisUrl?.reveal();
  tellOfStores(redisUrl !== undefined, deps.metrics);
  const queue = openBullmqQueue({ ...deps, connection: redisUrl === undefined ? { databaseUrl } : { redisUrl } });
  scope.onClose(() => queue.close());
  const live = redisUrl === undefined ? memoryLiveState(deps) : await openRedisLiveState({ ...deps, url: redisUrl });
  scope.onClose(() => live.close());
  const phrases =
    redisUrl === undefined
      ? memoryPhrases(PHRASE_BYTES)
      : redisPhrases({ ...deps, url: redisUrl, mostBytes: PHRASE_BYTES });
  scope.onClose(() => phrases.close());
  const usage = redisUrl === undefined ? undefined : redisUsageChannel({ ...deps, url: redisUrl });
  scope.onClose(() => usage?.close());
  return { store, queue, live, phrases, usage, deploymentSecret, shared: redisUrl !== undefined };
};
