import { rm, rmdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { RecordingFormat } from "../../model/agent.ts";
import { toError } from "../../kit/errors.ts";
import type { Logger } from "../../ports/logger.ts";
import type { NewRecording, RecordedSound, Recorder, RecordingStream, StandingOf } from "../../ports/recorder.ts";
import { areIds, checkRange, CONTENT_TYPES, type DiskRecorder, type RecordingFile } from "./disk-recorder.ts";
import type { ObjectStore } from "./object-store.ts";
import { uploadFile } from "./upload.ts";

export type ObjectRecorderParts = Readonly<{
  /** Holds recordings until the store has them. */
  spool: DiskRecorder;
  store: ObjectStore;
  /** Answer with signed addresses of the store; else sound goes through this process. */
  redirects: boolean;
  standingOf: StandingOf;
  logger: Logger;
}>;

/** Uploads at a time: each holds one part in memory. */
const AT_ONCE = 2;

/** Files that one round looks at; the next one goes on. */
const TENDED = 500;

/**
 * Recordings in an S3-compatible store. A call writes to the disk, so that a store that is slow or away harms no call; when the recording
 * is whole it goes up, and leaves the disk once the store has all of it. What a dead process left goes up by {@link Recorder.tend}.
 */
export class ObjectRecorder implements Recorder {
  readonly #parts: ObjectRecorderParts;
  /** By path, so that no file goes up twice at a time. */
  readonly #uploads = new Map<string, Promise<void>>();
  #closed = false;

  constructor(parts: ObjectRecorderParts) {
    this.#parts = parts;
  }

  async open(recording: NewRecording): Promise<RecordingStream> {
    const { dialId, recordingId } = recording;
    const stream = await this.#parts.spool.open(recording);
    return {
      write: (side, samples, atMs) => {
        stream.write(side, samples, atMs);
      },
      close: async () => {
        const closed = await stream.close();
        const file = await this.#parts.spool.find(dialId, recordingId);
        if (file !== undefined && this.#uploads.size < AT_ONCE) void this.#upload(file);
        return closed;
      },
    };
  }

  async read(dialId: string, recordingId: string): Promise<RecordedSound | undefined> {
    if (!areIds(dialId, recordingId)) return undefined;
    const { spool, store, redirects } = this.#parts;
    const file = await spool.find(dialId, recordingId);
    const here = file === undefined ? undefined : await spool.read(dialId, recordingId);
    if (file !== undefined && here !== undefined)
      return { ...here, stream: (range) => this.#stream(file, here, range) };
    for (const format of ["wav", "ogg"] as const) {
      const key = keyOf({ dialId, recordingId, format });
      const bytes = await store.sizeOf(key);
      if (bytes === undefined) continue;
      return {
        contentType: CONTENT_TYPES[format],
        bytes,
        stream: (range = { start: 0, end: bytes - 1 }) => {
          checkRange(range, bytes);
          return store.read(key, range);
        },
        ...(redirects ? { address: await store.addressOf(key) } : {}),
      };
    }
    return undefined;
  }

  async remove(dialId: string): Promise<void> {
    if (!areIds(dialId)) return;
    const { spool, store } = this.#parts;
    await spool.remove(dialId);
    const prefix = `${FOLDER}/${dialId}/`;
    for (let keys = await store.keysBelow(prefix); keys.length > 0; keys = await store.keysBelow(prefix))
      for (const key of keys) await store.remove(key);
  }

  recover(dialId: string, recordingId: string): Promise<number | undefined> {
    return this.#parts.spool.recover(dialId, recordingId);
  }

  async tend(): Promise<void> {
    const { spool, standingOf } = this.#parts;
    for (const file of await spool.finished(TENDED)) {
      if (this.#closed) return;
      const standing = await standingOf(file.dialId);
      // A file of a dial that nobody knows is somebody's mistake, and stays for people to look at.
      if (standing?.erased === true) await spool.remove(file.dialId);
      else if (standing?.over === true) await this.#upload(file);
    }
  }

  /** Completes every recording that is still open. What has not gone up goes up after the next start. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#parts.spool.close();
    this.#parts.store.close();
    await Promise.allSettled(this.#uploads.values());
  }

  /** What has gone up between the question and now is read from the store. */
  #stream(
    file: RecordingFile,
    here: RecordedSound,
    range = { start: 0, end: here.bytes - 1 },
  ): Promise<NodeJS.ReadableStream> {
    checkRange(range, here.bytes);
    const read = async () => {
      try {
        return await here.stream(range);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
        return this.#parts.store.read(keyOf(file), range);
      }
    };
    return read();
  }

  /** Never rejects. */
  #upload(file: RecordingFile): Promise<void> {
    const under = this.#uploads.get(file.path);
    if (under !== undefined) return under;
    if (this.#closed) return Promise.resolve();
    const upload = this.#uploadNow(file)
      .catch((error: unknown) => {
        this.#parts.logger.warn("a recording waits on this machine", { dialId: file.dialId, error: toError(error) });
      })
      .finally(() => this.#uploads.delete(file.path));
    this.#uploads.set(file.path, upload);
    return upload;
  }

  async #uploadNow(file: RecordingFile): Promise<void> {
    const { standingOf, store } = this.#parts;
    const key = keyOf(file);
    await uploadFile(store, { path: file.path, key, contentType: CONTENT_TYPES[file.format] });
    // Who has erased the dial meanwhile did not find the object.
    if ((await standingOf(file.dialId))?.erased === true) await store.remove(key);
    await rm(file.path, { force: true });
    await rmdir(dirname(file.path)).catch(() => undefined);
  }
}

const FOLDER = "recordings";

const keyOf = ({ dialId, recordingId, format }: Omit<RecordingFile, "path"> & Readonly<{ format: RecordingFormat }>) =>
  `${FOLDER}/${dialId}/${recordingId}.${format}`;
