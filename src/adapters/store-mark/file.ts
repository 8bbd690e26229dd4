import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { markIn, textOf, type MarkKeeper } from "../../ports/lineage.ts";

/**
 * Keeps the mark in `$DATA_DIR/store-mark-<deployment>`, beside the embedded PostgreSQL and not in it. `deployment` is part of the name, so that
 * a folder that serves two databases in turn keeps a mark of each.
 */
export const fileMarkKeeper = (dataDir: string, deployment: string): MarkKeeper => {
  const path = join(dataDir, `store-mark-${deployment}`);
  return {
    read: async () => markIn((await readFile(path, "utf8").catch(() => "")).trim()),
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
