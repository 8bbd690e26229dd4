import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hashOf, mintKey } from "../catalogue/api-key.ts";
import type { Config } from "../config.ts";
import type { Random } from "../ports/random.ts";
import type { Catalogue } from "../ports/store.ts";

/**
 * The key that this deployment's first client uses: `API_KEY`, or the one in `$DATA_DIR/api-key` (mode 0600), which is made on
 * the first start. Only its hash goes into the store.
 */
export const ensureApiKey = async (
  config: Config,
  catalogue: Pick<Catalogue, "putApiKey">,
  random: Random,
  workspaceId: string,
): Promise<string> => {
  const key = config.apiKey?.reveal() ?? (await keptKey(config.dataDir, random));
  await catalogue.putApiKey({ workspaceId, sha256: hashOf(key), kind: "secret", label: "deployment" });
  return key;
};

const keptKey = async (dataDir: string, random: Random): Promise<string> => {
  const path = join(dataDir, "api-key");
  const kept = await readKey(path);
  if (kept !== "") return kept;
  await mkdir(dataDir, { recursive: true });
  // The file appears under its name with the key inside, so that nobody reads it half written, and a crash leaves none.
  const draft = `${path}.${random.secret(6)}`;
  await writeFile(draft, `${mintKey(random, "secret")}\n`, { mode: 0o600, flag: "wx" });
  try {
    await link(draft, path).catch(async (error: unknown) => {
      // Another process has just made one, and its key counts; an empty file counts for nothing.
      if ((await readKey(path)) !== "") return;
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      await rename(draft, path);
    });
  } finally {
    await rm(draft, { force: true });
  }
  return readKey(path);
};

const readKey = async (path: string): Promise<string> => (await readFile(path, "utf8").catch(() => "")).trim();
