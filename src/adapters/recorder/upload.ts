import { open, readFile, rm, writeFile, type FileHandle } from "node:fs/promises";
import { ObjectStoreError, type ObjectStore } from "./object-store.ts";

/** Larger files go up in parts of this size, in bytes; stores ask for 5 MiB at least. */
const PART_BYTES = 8 * 1024 * 1024;

type Progress = { uploadId: string; tags: string[] };

/**
 * Brings a file to the store, whole or in parts of 8 MiB, of which one is in memory. What is done is noted beside the file, so that
 * another process goes on where one has died. Rejects when the store does not take it; asking again goes on from there.
 */
export const uploadFile = async (
  store: ObjectStore,
  { path, key, contentType }: Readonly<{ path: string; key: string; contentType: string }>,
): Promise<void> => {
  const file = await open(path, "r");
  const notes = `${path}.upload`;
  try {
    const { size } = await file.stat();
    if (size <= PART_BYTES) await store.put(key, await readPart(file, 0, size), contentType);
    else await uploadParts(store, { file, size, notes, key, contentType });
    if ((await store.sizeOf(key)) !== size)
      throw new Error("an upload has not the length of its file; it is tried again");
  } catch (error) {
    // The store has forgotten the upload, or holds other bytes: from the beginning, next time.
    if (!(error instanceof ObjectStoreError) || error.status === 404 || error.status === 200)
      await rm(notes, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  await rm(notes, { force: true });
};

type Parts = Readonly<{ file: FileHandle; size: number; notes: string; key: string; contentType: string }>;

const uploadParts = async (store: ObjectStore, { file, size, notes, key, contentType }: Parts): Promise<void> => {
  const progress = (await readNotes(notes)) ?? { uploadId: await store.beginParts(key, contentType), tags: [] };
  await writeNotes(notes, progress);
  for (let at = progress.tags.length * PART_BYTES; at < size; at += PART_BYTES) {
    const part = await readPart(file, at, Math.min(PART_BYTES, size - at));
    progress.tags.push(await store.putPart(key, progress.uploadId, progress.tags.length + 1, part));
    await writeNotes(notes, progress);
  }
  await store.joinParts(key, progress.uploadId, progress.tags);
};

const readPart = async (file: FileHandle, position: number, length: number): Promise<Uint8Array> => {
  const part = new Uint8Array(length);
  for (let read = 0; read < length;) {
    const { bytesRead } = await file.read(part, read, length - read, position + read);
    if (bytesRead === 0)
      throw new Error("a recording became shorter while it was uploaded; nobody else may write to its folder");
    read += bytesRead;
  }
  return part;
};

/** Notes that cannot be read are as good as none. */
const readNotes = async (path: string): Promise<Progress | undefined> => {
  try {
    const { uploadId, tags } = JSON.parse(await readFile(path, "utf8")) as Partial<Progress>;
    return typeof uploadId === "string" && Array.isArray(tags) ? { uploadId, tags } : undefined;
  } catch {
    return undefined;
  }
};

const writeNotes = (path: string, progress: Progress): Promise<void> => writeFile(path, JSON.stringify(progress));
