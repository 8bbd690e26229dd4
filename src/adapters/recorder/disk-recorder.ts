import { mkdir, open, readdir, rm, stat, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { RecordingFormat } from "../../model/agent.ts";
import type { Logger } from "../../ports/logger.ts";
import type { NewRecording, RecordedSound, Recorder, RecordingStream } from "../../ports/recorder.ts";
import { isOpusRate, oggDurationMs, OggFile } from "./ogg-file.ts";
import { StereoStream } from "./stereo-stream.ts";
import { wavDurationMs, WavFile } from "./wav-file.ts";

export type DiskRecorderParts = Readonly<{
  /** Holds `<dialId>/<recordingId>.<format>`. */
  folder: string;
  /** Of recordings that do not say; WAV unless given. */
  format?: RecordingFormat | undefined;
  logger: Logger;
}>;

/** A recording on disk. */
export type RecordingFile = Readonly<{ dialId: string; recordingId: string; format: RecordingFormat; path: string }>;

/** What a format is called by those who play it. */
export const CONTENT_TYPES = { wav: "audio/wav", ogg: "audio/ogg" } as const satisfies Record<RecordingFormat, string>;

/** Whether ids can be parts of a path without leading elsewhere. */
export const areIds = (...ids: readonly string[]): boolean => ids.every((id) => /^[\w-]{1,100}$/.test(id));

/** Recordings as files on this machine: caller left, agent right. */
export class DiskRecorder implements Recorder {
  readonly #folder: string;
  readonly #format: RecordingFormat;
  readonly #logger: Logger;
  /** By path. */
  readonly #open = new Map<string, StereoStream>();

  constructor({ folder, format = "wav", logger }: DiskRecorderParts) {
    this.#folder = folder;
    this.#format = format;
    this.#logger = logger;
  }

  /** Rejects when the recording exists already, an id is not one of ours, or the file cannot be made. */
  async open({ dialId, recordingId, sampleRate, format }: NewRecording): Promise<RecordingStream> {
    if (!areIds(dialId, recordingId))
      throw new RangeError("ids of recordings are letters, digits, - and _, at most 100 of them");
    if (!Number.isInteger(sampleRate) || sampleRate < 1000 || sampleRate > 48_000)
      throw new RangeError(`a recording cannot have ${sampleRate} samples per second; use 1000 to 48000`);
    const wanted = format ?? this.#format;
    const path = this.#pathOf(dialId, recordingId, isOpusRate(sampleRate) ? wanted : "wav");
    await mkdir(join(this.#folder, dialId), { recursive: true });
    // Fails for a file that is there: nothing ever writes over a recording.
    const file = await open(path, "wx");
    try {
      const sound =
        wanted === "ogg" && isOpusRate(sampleRate)
          ? await OggFile.begin(file, sampleRate)
          : await WavFile.begin(file, sampleRate);
      const stream = new StereoStream({ file: sound, sampleRate, logger: this.#logger, dialId });
      this.#open.set(path, stream);
      return {
        write: (side, samples, atMs) => stream.write(side, samples, atMs),
        close: () => stream.close().finally(() => this.#open.delete(path)),
      };
    } catch (error) {
      await file.close();
      await rm(path, { force: true });
      throw error;
    }
  }

  async read(dialId: string, recordingId: string): Promise<RecordedSound | undefined> {
    const found = await this.find(dialId, recordingId);
    if (found === undefined) return undefined;
    const bytes = await sizeOf(found.path);
    if (bytes === undefined) return undefined;
    return {
      contentType: CONTENT_TYPES[found.format],
      bytes,
      stream: (range = { start: 0, end: bytes - 1 }) => {
        checkRange(range, bytes);
        return openPart(found.path, range);
      },
    };
  }

  async remove(dialId: string): Promise<void> {
    if (areIds(dialId)) await rm(join(this.#folder, dialId), { recursive: true, force: true });
  }

  async recover(dialId: string, recordingId: string): Promise<number | undefined> {
    const found = await this.find(dialId, recordingId);
    if (found === undefined || this.#open.has(found.path)) return undefined;
    return withFile(found.path, found.format === "ogg" ? oggDurationMs : wavDurationMs);
  }

  async tend(): Promise<void> {
    // Files stay where they were written.
  }

  /** Completes every recording that is still open. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#open.values()].map((stream) => stream.close()));
  }

  /** Where a recording lies on this machine, if it does. */
  async find(dialId: string, recordingId: string): Promise<RecordingFile | undefined> {
    if (!areIds(dialId, recordingId)) return undefined;
    for (const format of ["wav", "ogg"] as const) {
      const path = this.#pathOf(dialId, recordingId, format);
      if ((await sizeOf(path)) !== undefined) return { dialId, recordingId, format, path };
    }
    return undefined;
  }

  /** Every recording on this machine that nobody here writes any more, up to `limit`. */
  async finished(limit: number): Promise<readonly RecordingFile[]> {
    const files: RecordingFile[] = [];
    for (const dialId of await namesIn(this.#folder))
      for (const name of await namesIn(join(this.#folder, dialId))) {
        const [, recordingId = "", format] = /^([\w-]+)\.(wav|ogg)$/.exec(name) ?? [];
        if (files.length === limit) return files;
        const path = join(this.#folder, dialId, name);
        if ((format === "wav" || format === "ogg") && !this.#open.has(path))
          files.push({ dialId, recordingId, format, path });
      }
    return files;
  }

  #pathOf(dialId: string, recordingId: string, format: RecordingFormat): string {
    return join(this.#folder, dialId, `${recordingId}.${format}`);
  }
}

/** @throws `RangeError` for a part that does not lie within a file of so many bytes. */
export const checkRange = ({ start, end }: Readonly<{ start: number; end: number }>, bytes: number): void => {
  if (!(start >= 0 && start <= end && end < bytes))
    throw new RangeError(`bytes ${start} to ${end} are not within the ${bytes} of the recording`);
};

/** Rejects, rather than breaking off later, when the file has gone. */
const openPart = async (
  path: string,
  range: Readonly<{ start: number; end: number }>,
): Promise<NodeJS.ReadableStream> => (await open(path, "r")).createReadStream(range);

const sizeOf = (path: string): Promise<number | undefined> =>
  unlessMissing(
    stat(path).then(({ size }) => size),
    undefined,
  );

const namesIn = (folder: string): Promise<readonly string[]> => unlessMissing(readdir(folder), []);

const unlessMissing = async <T>(work: Promise<T>, otherwise: T): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return otherwise;
    throw error;
  }
};

const withFile = async <T>(path: string, work: (file: FileHandle) => Promise<T>): Promise<T> => {
  const file = await open(path, "r");
  try {
    return await work(file);
  } finally {
    await file.close();
  }
};
