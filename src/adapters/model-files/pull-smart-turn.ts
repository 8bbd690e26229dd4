import { chmod, mkdir, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { downloadArchive } from "./download.ts";
import { modelFolders } from "./folders.ts";
import type { PulledFile, PullOptions } from "./pull-models.ts";
import { digestFile } from "./verification.ts";

/** Its name in the models folder. */
const SMART_TURN_FILE = "smart-turn-v3.onnx";

/** Version 3.2 for processors, 8.7 MB, as its makers publish it (BSD-2), and its digest. */
const SMART_TURN_URL =
  "https://huggingface.co/pipecat-ai/smart-turn-v3/resolve/f766f81d3cfdf7737ac64aad813d91bbfd56bf93/smart-turn-v3.2-cpu.onnx";
const SMART_TURN_SHA256 = "2bb026316b14a660486a75b1733cd3fbab8c2fd0314dc9af7be49f8cca967e4f";

/** What the operator has set cannot be pulled from. */
export class SmartTurnUnset extends Error {
  override readonly name = "SmartTurnUnset";
}

/**
 * Brings the Smart Turn v3 network into the models folder. `environment` may give `SMART_TURN_URL`, where a copy or another version
 * lies, and `SMART_TURN_SHA256`, the digest of that file (64 hexadecimal digits). Asks nothing of the network when that file is there.
 * Rejects with `SmartTurnUnset`, or as `pullModels` does.
 */
export const pullSmartTurn = async (options: Omit<PullOptions, "packages" | "projectFolder">): Promise<PulledFile> => {
  const { environment, onProgress, clock, random, signal } = options;
  const sha256 = (environment["SMART_TURN_SHA256"] || SMART_TURN_SHA256).toLowerCase();
  if (!/^[\da-f]{64}$/u.test(sha256))
    throw new SmartTurnUnset(
      "SMART_TURN_SHA256 is to be the SHA-256 of the file that SMART_TURN_URL leads to, as 64 hexadecimal digits",
    );
  const url = checkedUrl(environment["SMART_TURN_URL"] || SMART_TURN_URL);
  const folder = modelFolders(environment).models;
  const path = join(folder, SMART_TURN_FILE);
  const there = await stat(path).catch(() => undefined);
  if (there !== undefined && (await digestFile(path, "sha256", "hex")) === sha256)
    return { name: SMART_TURN_FILE, path, bytes: there.size, pulled: false };
  await mkdir(folder, { recursive: true });
  const target = join(folder, `.${SMART_TURN_FILE}.new`);
  const integrity = `sha256-${Buffer.from(sha256, "hex").toString("base64")}`;
  const progress = (bytes: number, total: number | undefined) => {
    onProgress({ file: SMART_TURN_FILE, bytes, total });
  };
  await downloadArchive({ url, authorization: undefined }, target, integrity, progress, { clock, random, signal });
  await chmod(target, 0o644);
  await rename(target, path);
  return { name: SMART_TURN_FILE, path, bytes: (await stat(path)).size, pulled: true };
};

/** Over https, except from this machine itself. */
const checkedUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const local = url?.protocol === "http:" && /^(?:localhost|127\.0\.0\.1|\[::1\])$/u.test(url.hostname);
  if (url?.protocol === "https:" || local) return text;
  throw new SmartTurnUnset(`SMART_TURN_URL is to begin with https://, and it is ${text}`);
};
