import { migrate } from "../adapters/store/postgres/migrate.ts";
import { openPostgresStore } from "../adapters/store/postgres/store.ts";
import { hashOf, mintKey } from "../catalogue/api-key.ts";
import type { Config } from "../config.ts";
import { Scope } from "../kit/scope.ts";
import type { AdapterDeps } from "../ports/descriptor.ts";
import type { Random } from "../ports/random.ts";
import type { FirstKey, Workspaces, WorkspaceSummary } from "../ports/workspaces.ts";
import { openDatabase } from "./stores.ts";

/** A workspace that was made, and its first secret key, which is told this once. */
export type MadeWorkspace = Readonly<{ id: string; key: string }>;

/** What an operator does with the workspaces of a deployment, beside a service that runs or without one. */
export type WorkspaceOrders = Readonly<{
  create(name: string): Promise<MadeWorkspace>;
  list(): Promise<readonly WorkspaceSummary[]>;
  /** Another secret key; `undefined` where there is no such workspace. */
  makeKey(workspaceId: string): Promise<string | undefined>;
}>;

/** Runs work on the configured database, brought to this version's schema; what was started for it is stopped afterwards. */
export const withWorkspaces = async <T>(
  config: Config,
  deps: AdapterDeps,
  work: (orders: WorkspaceOrders) => Promise<T>,
): Promise<T> => {
  const scope = new Scope("workspaces");
  try {
    const url = await openDatabase(config, deps, scope);
    await migrate(url, deps);
    const store = await openPostgresStore({ ...deps, url, connections: 1 });
    scope.onClose(() => store.close());
    return await work(workspaceOrders(store.workspaces, deps.random));
  } finally {
    await scope.close();
  }
};

const workspaceOrders = (workspaces: Workspaces, random: Random): WorkspaceOrders => {
  const newKey = (): Readonly<{ key: string; record: FirstKey }> => {
    const key = mintKey(random, "secret");
    return { key, record: { id: random.id(), sha256: hashOf(key), label: "made by the operator" } };
  };
  return {
    async create(name) {
      const id = random.id();
      const { key, record } = newKey();
      await workspaces.add({ id, name }, record);
      return { id, key };
    },
    list: () => workspaces.list(),
    async makeKey(workspaceId) {
      const { key, record } = newKey();
      return (await workspaces.addKey(workspaceId, record)) ? key : undefined;
    },
  };
};
