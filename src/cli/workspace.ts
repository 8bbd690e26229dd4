import { parseArgs } from "node:util";
import { makeDeps } from "../app.ts";
import { withWorkspaces, type WorkspaceOrders } from "../app/workspaces.ts";
import { readConfig } from "../config.ts";
import { toError } from "../kit/errors.ts";

export const WORKSPACE_HELP = `Usage: call-engine workspace <order>

Keeps the workspaces of a deployment: customers that share it and see nothing of one another. Works on the database of the environment
(DATABASE_URL, or the embedded one in DATA_DIR), whether or not the service runs.

  create <name>   makes a workspace and prints its first secret key, which is shown this once
  list            the workspaces, oldest first
  key <id>        makes another secret key of a workspace, for one whose keys were lost
`;

type Env = Readonly<Record<string, string | undefined>>;

/** Names are for people, and share a line with other things. */
const LONGEST_NAME = 200;

/** Carries out one order; answers the exit code: 0 done, 1 not possible, 2 not understood. */
export const runWorkspace = async (args: readonly string[], env: Env): Promise<number> => {
  const order = readOrder(args);
  if ("mistake" in order) {
    process.stderr.write(`${order.mistake}\n\n${WORKSPACE_HELP}`);
    return 2;
  }
  const deps = makeDeps(readConfig({ ...env, LOG_LEVEL: "silent" }), env);
  try {
    return await withWorkspaces(readConfig(env), deps, order.run);
  } finally {
    deps.metrics.close();
  }
};

type Order = Readonly<{ run(orders: WorkspaceOrders): Promise<number> }>;

const readOrder = (args: readonly string[]): Order | Readonly<{ mistake: string }> => {
  let positionals: readonly string[];
  try {
    ({ positionals } = parseArgs({ args: [...args], allowPositionals: true, options: {} }));
  } catch (error) {
    return { mistake: toError(error).message };
  }
  const [name, subject, ...more] = positionals;
  if (name === "list" && subject === undefined) return { run: list };
  if (more.length > 0 || subject === undefined || (name !== "create" && name !== "key"))
    return { mistake: `workspace wants "create <name>", "list" or "key <id>"; put a name with blanks in quotes.` };
  if (name === "key") return { run: (orders) => makeKey(orders, subject) };
  if (isName(subject)) return { run: (orders) => create(orders, subject) };
  return { mistake: `A name has 1 to ${LONGEST_NAME} characters, and none that cannot be seen.` };
};

const isName = (text: string): boolean =>
  text.trim() !== "" && text.length <= LONGEST_NAME && text.isWellFormed() && !/\p{Cc}/u.test(text);

const create = async (orders: WorkspaceOrders, name: string): Promise<number> => {
  const { id, key } = await orders.create(name);
  process.stdout.write(`workspace=${id} api_key=${key}\n`);
  return 0;
};

const list = async (orders: WorkspaceOrders): Promise<number> => {
  for (const { id, name, createdAt, keys } of await orders.list()) {
    const held = `${keys} ${keys === 1 ? "key" : "keys"}`;
    process.stdout.write(`${[id, createdAt, held, ...(name === undefined ? [] : [name])].join("  ")}\n`);
  }
  return 0;
};

const makeKey = async (orders: WorkspaceOrders, workspaceId: string): Promise<number> => {
  const key = await orders.makeKey(workspaceId);
  if (key === undefined) {
    process.stderr.write("There is no workspace with this id; workspace list shows them.\n");
    return 1;
  }
  process.stdout.write(`workspace=${workspaceId} api_key=${key}\n`);
  return 0;
};
