import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The system user that PostgreSQL runs as; it refuses to run as root. */
export type Account = Readonly<{ uid: number; gid: number }>;

/** Users that may already be there, best first. `nobody` is the last resort where no user can be made. */
const KNOWN_USERS = ["call-engine", "postgres"] as const;

/** How long a look-up or the making of a user may take. */
const COMMAND_MS = 10_000;

/**
 * Who runs the server: nobody else (`undefined`) when we are an ordinary user; when we are root, the owner of data that is
 * already there, else an ordinary system user, made if need be.
 */
export const chooseAccount = async (existingData: string | undefined): Promise<Account | undefined> => {
  if (process.getuid?.() !== 0) return undefined;
  if (existingData !== undefined) {
    const owner = await stat(existingData);
    if (owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  }
  for (const name of KNOWN_USERS) {
    const account = await find(name);
    if (account !== undefined) return account;
  }
  await run("useradd", ["--system", "--no-create-home", "--shell", "/usr/sbin/nologin", "call-engine"], {
    timeout: COMMAND_MS,
  }).catch(() => undefined);
  const made = (await find("call-engine")) ?? (await find("nobody"));
  if (made === undefined)
    throw new Error("PostgreSQL does not run as root and no ordinary user could be made: create a user call-engine");
  return made;
};

/** Whether a program runs for the account, which also shows that it can enter the folders on the way. */
export const canRun = async (
  account: Account | undefined,
  program: string,
  args: readonly string[],
): Promise<boolean> => {
  try {
    await run(program, [...args], { ...account, cwd: "/", timeout: COMMAND_MS });
    return true;
  } catch {
    return false;
  }
};

/** Whether the account can write into a folder that is there. */
export const canWrite = (account: Account | undefined, folder: string): Promise<boolean> =>
  canRun(account, "/bin/sh", ["-c", 'cd "$1" && test -w .', "sh", folder]);

const find = async (name: string): Promise<Account | undefined> => {
  const id = async (flag: string): Promise<number> =>
    Number((await run("id", [flag, name], { timeout: COMMAND_MS })).stdout.trim());
  try {
    const account = { uid: await id("-u"), gid: await id("-g") };
    return account.uid > 0 ? account : undefined;
  } catch {
    return undefined;
  }
};
