import { createHash } from "node:crypto";
import { mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config.ts";
import type { Random } from "../ports/random.ts";
import type { Catalogue } from "../ports/store.ts";

/** 256 bits, which no fast hash and no patience can guess. */
const KEY_BYTES = 32;

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
  const sha256 = createHash("sha256").update(key).digest("hex");
  await catalogue.putApiKey({ workspaceId, sha256, kind: "secret", label: "deployment" });
  return key;
};

/** A key of ours: `sk_`, the secret, and six characters of its hash, so that a mistyped key can be told from a revoked one. */
export const mintKey = (random: Random): string => {
  const secret = random.secret(KEY_BYTES);
  return `sk_${secret}${createHash("sha256").update(secret).digest("base64url").slice(0, 6)}`;
};

const keptKey = async (dataDir: string, random: Random): Promise<string> => {
  const path = join(dataDir, "api-key");
  const kept = await readFile(path, "utf8").catch(() => "");
  if (kept.trim() !== "") return kept.trim();
  await mkdir(dataDir, { recursive: true });
  const key = mintKey(random);
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
