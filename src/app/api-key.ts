import { mkdir, open, readFile } from "node:fs/promises";
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
  const kept = await readFile(path, "utf8").catch(() => "");
  if (kept.trim() !== "") return kept.trim();
  await mkdir(dataDir, { recursive: true });
  const key = mintKey(random, "secret");
  // Fails when another process has just made one; then its key counts.
  const file = await open(path, "wx", 0o600).catch(() => undefined);
  if (file === undefined) return (await readFile(path, "utf8")).trim();
  try {
    await file.writeFile(`${key}\n`);
  } finally {
    await file.close();
  }
  return key;
};
