import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { markIn, textOf, type MarkKeeper } from "../../ports/lineage.ts";

/**
 * Keeps the mark in `$DATA_DIR/store-mark-<deployment>`, beside the embedded PostgreSQL and not in it. `deployment` is part of the name, so that
 * a folder that serves two databases in turn keeps a mark of each.
 */
export const fileMarkKeeper = (dataDir: string, deployment: string): MarkKeeper => {
  const name = `store-mark-${deployment}`;
  const path = join(dataDir, name);
  let tidied: Promise<void> | undefined;
  return {
    async read() {
      tidied ??= removeDrafts(dataDir, name).catch(() => undefined);
      await tidied;
      return markIn((await readFile(path, "utf8").catch(() => "")).trim());
    },
    async keep(mark) {
      await mkdir(dataDir, { recursive: true });
      // Processes of one folder may write at the same time; each has a draft of its own, and the last rename counts.
      const draft = `${path}.${process.pid}`;
      await writeFile(draft, `${textOf(mark)}\n`, { mode: 0o600 });
      await rename(draft, path);
    },
    close: () => Promise.resolve(),
  };
};

/** Removes what processes left that were killed while they wrote. */
const removeDrafts = async (dataDir: string, name: string): Promise<void> => {
  for (const file of await readdir(dataDir)) {
    const [, pid] = file.startsWith(`${name}.`) ? (/\.(\d+)$/.exec(file) ?? []) : [];
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(dataDir, file), { force: true });
  }
};

/** Whether there is a process of this number, whoever's it is. */
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
};
