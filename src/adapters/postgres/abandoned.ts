import { access, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { findServer } from "./server-process.ts";

/** Beside the server's files, when those are not in their data folder: the path of that folder. */
const ORIGIN = "origin";

/** Notes which data folder the files belong to. */
export const noteOrigin = (folder: string, dataDir: string): Promise<void> => writeFile(join(folder, ORIGIN), dataDir);

/**
 * Removes files that were kept outside of data folders which are gone: only of folders for temporary files, because any other
 * may be on a disk that is not mounted at the moment. Never fails; what cannot be removed stays.
 */
export const removeAbandoned = async (parent: string): Promise<void> => {
  const names = await readdir(parent).catch(() => []);
  for (const name of names.filter((one) => /^[0-9a-f]{16}$/u.test(one))) {
    const folder = join(parent, name);
    try {
      const origin = await readFile(join(folder, ORIGIN), "utf8");
      if (!isTemporary(origin) || (await exists(origin))) continue;
      if ((await findServer(join(folder, "server", "data"))) !== undefined) continue;
      await rm(folder, { recursive: true, force: true });
    } catch {
      // Somebody else removes it, or it is not ours to remove.
    }
  }
};

const isTemporary = (path: string): boolean => {
  const inside = relative(tmpdir(), path);
  return inside !== "" && inside !== ".." && !inside.startsWith(`..${sep}`);
};

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
