import { createHash } from "node:crypto";
import { chmod, chown, mkdir, realpath, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { noteOrigin, removeAbandoned } from "./abandoned.ts";
import { type Account, canRun, canWrite, chooseAccount } from "./account.ts";
import { copyBinaries, findBinaries, hasCode, makeLinks } from "./binaries.ts";

/** Where one embedded server has its program and its files, and who runs it. */
export type Home = Readonly<{
  /** The folder with `bin`. */
  binaries: string;
  /** Private to the account; everything that PostgreSQL writes is under it. */
  folder: string;
  account: Account | undefined;
  /** True when the files could not be kept in the data folder, because the account cannot enter it. */
  elsewhere: boolean;
}>;

/** Parent of the files of servers whose data folder is closed to every user but root, such as one under `/root`. */
const SYSTEM_FOLDER = "/var/lib/call-engine";

/**
 * Finds the place for the server of a data folder: `$DATA_DIR/postgres`, or a folder under `/var/lib/call-engine` named by a
 * hash of the data folder when we are root and the ordinary user that runs PostgreSQL cannot go there. The answer is the
 * same on every start, because a place that already holds data is kept.
 */
export const findHome = async (dataDir: string): Promise<Home> => {
  await mkdir(dataDir, { recursive: true });
  const base = await realpath(dataDir);
  const usual = join(base, "postgres");
  const other = join(SYSTEM_FOLDER, createHash("sha256").update(base).digest("hex").slice(0, 16));
  const existing = await firstWithData([usual, other]);
  const account = await chooseAccount(existing);
  const folder = existing ?? (await freshFolder(usual, other, account));
  await refuseForeign(folder);
  return { binaries: await usableBinaries(account, folder), folder, account, elsewhere: folder === other };
};

const firstWithData = async (folders: readonly string[]): Promise<string | undefined> => {
  for (const folder of folders) {
    try {
      await stat(join(folder, "server"));
      return folder;
    } catch (error) {
      if (!hasCode(error, "ENOENT", "EACCES", "ENOTDIR")) throw error;
      if (hasCode(error, "EACCES")) await refuseForeign(folder);
    }
  }
  return undefined;
};

const freshFolder = async (usual: string, other: string, account: Account | undefined): Promise<string> => {
  await makePrivate(usual, account);
  if (account === undefined || (await canWrite(account, usual))) return usual;
  await rmdir(usual);
  await mkdir(SYSTEM_FOLDER, { recursive: true, mode: 0o755 });
  await removeAbandoned(SYSTEM_FOLDER);
  await makePrivate(other, account);
  await noteOrigin(other, dirname(usual));
  if (await canWrite(account, other)) return other;
  throw new Error(
    `the user ${account.uid}, who runs PostgreSQL, can write neither to ${usual} nor to ${other}: move DATA_DIR`,
  );
};

const makePrivate = async (folder: string, account: Account | undefined): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  if (account !== undefined) await chown(folder, account.uid, account.gid);
};

/** An ordinary user cannot go on with what another user (usually root's stand-in) made. */
const refuseForeign = async (folder: string): Promise<void> => {
  const me = process.getuid?.();
  if (me === undefined || me === 0) return;
  const owner = (await stat(folder)).uid;
  if (owner !== me)
    throw new Error(
      `${folder} belongs to the user ${owner}: start as that user or as root, or choose another DATA_DIR`,
    );
};

const usableBinaries = async (account: Account | undefined, folder: string): Promise<string> => {
  const found = await findBinaries();
  const works = (place: string) => canRun(account, join(place, "bin", "postgres"), ["--version"]);
  if ((await makeLinks(found.folder)) && (await works(found.folder))) return found.folder;
  const parent = account === undefined ? folder : SYSTEM_FOLDER;
  await mkdir(parent, { recursive: true, mode: 0o755 });
  const copy = await copyBinaries(found, parent);
  if (await works(copy)) return copy;
  throw new Error(`the PostgreSQL in ${copy} does not run on this machine: name a server in DATABASE_URL`);
};
