import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Random } from "../../ports/random.ts";
import { hasCode } from "./binaries.ts";
import type { Home } from "./home.ts";
import { isAlive } from "./server-process.ts";

const run = promisify(execFile);

/** The files of one server; `folder` holds the others. */
export type Cluster = Readonly<{
  folder: string;
  data: string;
  logs: string;
  /** Named pipe that the users of the server hold open; see `guardian.sh`. */
  pipe: string;
  /** Password of the superuser, of which the ordinary login's is derived. */
  password: string;
}>;

/** `initdb` writes and syncs about 40 MB; slow disks take their time. */
const INITDB_MS = 120_000;

/** The login that the service uses: no superuser, owner of its database, allowed to make the roles that it drops to. */
export const LOGIN = "call_engine";

export const SUPERUSER = "postgres";

/** All that the server learns of our environment, which holds secrets. */
export const SERVER_ENV = { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" } as const;

/** Password of {@link LOGIN}: knowing it does not give away the superuser's. */
export const loginPassword = (cluster: Cluster): string =>
  createHmac("sha256", cluster.password).update(LOGIN).digest("base64url");

/**
 * The cluster of a home, made on the first start. It appears by one rename, so that a start that is cut short, or two at the
 * same time, leave either nothing or a whole one.
 */
export const openCluster = async (home: Home, random: Random): Promise<Cluster> => {
  const folder = join(home.folder, "server");
  const existing = await read(folder);
  if (existing !== undefined) return existing;
  await removeStaleDrafts(home.folder);
  // A process may start twice at the same time, as two of its parts do in tests.
  const draft = await mkdtemp(join(home.folder, `draft-${process.pid}-`));
  try {
    await initialize(home, draft, random.secret(32));
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!hasCode(error, "ENOTEMPTY", "EEXIST")) throw error;
  }
  const made = await read(folder);
  if (made === undefined) throw new Error(`${folder} holds no password file: move the folder away and start again`);
  return made;
};

const read = async (folder: string): Promise<Cluster | undefined> => {
  try {
    const password = (await readFile(join(folder, "password"), "utf8")).trim();
    return { folder, data: join(folder, "data"), logs: join(folder, "logs"), pipe: join(folder, "users"), password };
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
};

const initialize = async (home: Home, draft: string, password: string): Promise<void> => {
  await mkdir(join(draft, "logs"), { mode: 0o700 });
  const passwordFile = join(draft, "password");
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  await chmod(passwordFile, 0o600);
  await run("mkfifo", ["-m", "600", join(draft, "users")]);
  const { account } = home;
  if (account !== undefined)
    for (const path of [draft, join(draft, "logs"), passwordFile, join(draft, "users")])
      await chown(path, account.uid, account.gid);
  const options = ["--auth=scram-sha-256", `--pwfile=${passwordFile}`, `--username=${SUPERUSER}`, "--encoding=UTF8"];
  const locale = ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  await run(join(home.binaries, "bin", "initdb"), ["-D", join(draft, "data"), ...options, ...locale], {
    ...account,
    cwd: draft,
    timeout: INITDB_MS,
    env: SERVER_ENV,
  });
};

/** Drafts of processes that died while they made one. An `initdb` that outlives them writes on for a moment. */
const removeStaleDrafts = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder)) {
    const pid = /^draft-(\d+)-/u.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid)))
      await rm(join(folder, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
};
