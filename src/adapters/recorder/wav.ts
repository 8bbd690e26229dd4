import { createReadStream } from "node:fs";
import { mkdir, open, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { WAV_HEADER_BYTES, wavHeader } from "../../audio/wav.ts";
import type { Logger } from "../../ports/logger.ts";
import type { RecordedSound, Recorder, RecordingStream } from "../../ports/recorder.ts";
import { WavStream } from "./wav-stream.ts";

/** Recordings as 16-bit PCM WAV files, `<dataDir>/recordings/<dialId>/<recordingId>.wav`: caller left, agent right. */
export class WavRecorder implements Recorder {
  readonly #folder: string;
  readonly #logger: Logger;
  readonly #open = new Set<WavStream>();

  constructor(parts: Readonly<{ dataDir: string; logger: Logger }>) {
    this.#folder = join(parts.dataDir, "recordings");
    this.#logger = parts.logger;
  }

  /** Rejects when the recording exists already, an id is not one of ours, or the file cannot be made. */
  async open(
    recording: Readonly<{ dialId: string; recordingId: string; sampleRate: number }>,
  ): Promise<RecordingStream> {
    const { dialId, recordingId, sampleRate } = recording;
    const path = this.#pathOf(dialId, recordingId);
    if (path === undefined) throw new RangeError("ids of recordings are letters, digits, - and _, at most 100 of them");
    if (!Number.isInteger(sampleRate) || sampleRate < 1000 || sampleRate > 48_000)
      throw new RangeError(`a recording cannot have ${sampleRate} samples per second; use 1000 to 48000`);
    await mkdir(join(this.#folder, dialId), { recursive: true });
    // Fails for a file that is there: nothing ever writes over a recording.
    const file = await open(path, "wx");
    try {
      await file.write(wavHeader({ sampleRate, channels: 2 }, 0), 0, WAV_HEADER_BYTES, 0);
    } catch (error) {
      await file.close();
      await rm(path, { force: true });
      throw error;
    }
    const stream = new WavStream({ file, sampleRate, logger: this.#logger, dialId });
    this.#open.add(stream);
    return {
      write: (side, samples, atMs) => stream.write(side, samples, atMs),
      close: () => stream.close().finally(() => this.#open.delete(stream)),
    };
  }

  async read(dialId: string, recordingId: string): Promise<RecordedSound | undefined> {
    const path = this.#pathOf(dialId, recordingId);
    const bytes = path === undefined ? undefined : await sizeOf(path);
    if (path === undefined || bytes === undefined) return undefined;
    return {
      contentType: "audio/wav",
      bytes,
      stream: (range = { start: 0, end: bytes - 1 }) => {
        if (!(range.start >= 0 && range.start <= range.end && range.end < bytes))
          throw new RangeError(`bytes ${range.start} to ${range.end} are not within the ${bytes} of the recording`);
        return createReadStream(path, range);
      },
    };
  }

  async remove(dialId: string): Promise<void> {
    if (ID.test(dialId)) await rm(join(this.#folder, dialId), { recursive: true, force: true });
  }

  /** Completes every recording that is still open. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#open].map((stream) => stream.close()));
  }

  /** `undefined` when a part of the path could lead elsewhere. */
  #pathOf(dialId: string, recordingId: string): string | undefined {
    return ID.test(dialId) && ID.test(recordingId) ? join(this.#folder, dialId, `${recordingId}.wav`) : undefined;
  }
}

const ID = /^[\w-]{1,100}$/;

const sizeOf = async (path: string): Promise<number | undefined> => {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
};
