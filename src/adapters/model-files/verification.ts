import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { ModelFolders } from "./folders.ts";
import type { ModelFile } from "./manifest.ts";

/** What was true of a file when its digest was last computed. */
type Note = Readonly<{ path: string; bytes: number; modifiedMs: number; sha256: string }>;

/** Digest of a file's content: `hex` for sha256 sums, `base64` for npm's integrity strings. */
export const digestFile = async (
  path: string,
  algorithm: "sha256" | "sha512",
  form: "hex" | "base64",
): Promise<string> => {
  const hash = createHash(algorithm);
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
  return hash.digest(form);
};

/**
 * Whether the models folder holds a file with the manifest's content. The digest of a file that was not touched since is taken
 * from a note (its size and time of change must match), because hashing 190 MB would cost every start about a second.
 */
export const isVerified = async (folders: ModelFolders, file: ModelFile): Promise<boolean> => {
  const path = join(folders.models, file.name);
  const found = await stat(path).catch(() => undefined);
  if (found?.size !== file.bytes) return false;
  const note = await readNote(folders, file.name);
  const noted =
    note?.path === path && note.bytes === found.size && note.modifiedMs === found.mtimeMs ? note.sha256 : undefined;
  if (noted !== undefined) return noted === file.sha256;
  const sha256 = await digestFile(path, "sha256", "hex");
  await writeNote(folders, file.name, { path, bytes: found.size, modifiedMs: found.mtimeMs, sha256 });
  return sha256 === file.sha256;
};

/** Writes a file so that nobody ever sees half of it: in another place first, then renamed. */
export const writeWhole = async (path: string, content: Uint8Array | string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  const temporary = await mkdtemp(join(dirname(path), ".new-"));
  try {
    await writeFile(join(temporary, "content"), content);
    await rename(join(temporary, "content"), path);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
};

const notePath = (folders: ModelFolders, name: string): string => join(folders.cache, "verified", `${name}.json`);

const readNote = async (folders: ModelFolders, name: string): Promise<Partial<Note> | undefined> => {
  try {
    const note: unknown = JSON.parse(await readFile(notePath(folders, name), "utf8"));
    return typeof note === "object" && note !== null ? note : undefined;
  } catch {
    // Absent or damaged: the digest is computed again.
    return undefined;
  }
};

/** A note that cannot be kept (read-only home) costs time on the next start and nothing else. */
const writeNote = (folders: ModelFolders, name: string, note: Note): Promise<void> =>
  writeWhole(notePath(folders, name), JSON.stringify(note)).catch(() => undefined);
