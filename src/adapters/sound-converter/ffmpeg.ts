import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { constants, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { readWav } from "../../audio/wav.ts";
import { deferred } from "../../kit/deferred.ts";
import { toError } from "../../kit/errors.ts";
import type { AudioSound } from "../../model/uploaded-audio.ts";
import { NotConverted, type SoundConverter, type SoundFormat } from "../../ports/sound-converter.ts";
import type { Clock } from "../../ports/clock.ts";

export type FfmpegOptions = Readonly<{
  clock: Clock;
  /** Where the program is looked for; that of this process. */
  path: string | undefined;
}>;

/** Two minutes of music take a fraction of a second; a file that takes this long is made to. */
const FILE_MS = 20_000;
/** Files that are read at the same time, each on a core of its own. */
const AT_ONCE = 2;
/** Files that wait for those. */
const MOST_WAITING = 8;
const HIGHEST_RATE = 48_000;
const BYTES_OF_SAMPLE = 2;
/** Of what the program complains, for our log. */
const MOST_WORDS = 2000;

const RATES = [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, HIGHEST_RATE].join("|");

/** Its names of the formats. One is always named: left to guess, it would follow playlists to files of this machine. */
const DEMUXERS: Readonly<Record<SoundFormat, string>> = {
  mp3: "mp3",
  ogg: "ogg",
  webm: "matroska",
  flac: "flac",
  m4a: "mov",
  aac: "aac",
};

/**
 * Converts by the system's `ffmpeg`, a process for each file, which is below calls in priority, has 20 s, and may read the one file that it
 * is given and no network.
 */
export const openFfmpeg = ({ clock, path }: FfmpegOptions): SoundConverter => {
  const running = new Set<ChildProcess>();
  const waiting: (() => void)[] = [];
  let busy = 0;
  let closed = false;

  const takeTurn = async (): Promise<void> => {
    if (busy >= AT_ONCE) {
      if (waiting.length >= MOST_WAITING) throw new NotConverted("busy", "too many sounds are converted at once");
      const { promise, resolve } = deferred<void>();
      waiting.push(resolve);
      await promise;
    }
    busy += 1;
  };
  const endTurn = (): void => {
    busy -= 1;
    waiting.shift()?.();
  };

  const run = async (folder: string, format: SoundFormat, mostSeconds: number): Promise<Buffer> => {
    const child = spawn("ffmpeg", argumentsFor(format, mostSeconds), {
      cwd: folder,
      env: { PATH: path },
      stdio: ["ignore", "pipe", "pipe"],
    });
    running.add(child);
    const overdue = clock.setTimer(FILE_MS, () => child.kill("SIGKILL"));
    try {
      return await outputOf(child, (mostSeconds + 2) * HIGHEST_RATE * BYTES_OF_SAMPLE);
    } finally {
      overdue.cancel();
      running.delete(child);
    }
  };

  return {
    async convert(file, format, mostSeconds) {
      await takeTurn();
      try {
        if (closed) throw new NotConverted("busy", "the service is stopping");
        // Some formats are read back and forth, which a pipe does not allow.
        const folder = await mkdtemp(join(tmpdir(), "call-engine-sound-"));
        try {
          await writeFile(join(folder, FILE), file, { mode: 0o600 });
          return soundOf(await run(folder, format, mostSeconds));
        } finally {
          await rm(folder, { recursive: true, force: true });
        }
      } finally {
        endTurn();
      }
    },
    async close() {
      closed = true;
      for (const child of running) child.kill("SIGKILL");
    },
  };
};

const FILE = "sound";

const argumentsFor = (format: SoundFormat, mostSeconds: number): readonly string[] =>
  [
    "-nostdin -hide_banner -loglevel error -threads 1",
    `-protocol_whitelist file -f ${DEMUXERS[format]} -i ${FILE} -map 0:a:0 -t ${mostSeconds + 1}`,
    `-ac 1 -af aformat=sample_fmts=s16:sample_rates=${RATES} -c:a pcm_s16le -bitexact -f wav`,
    "-protocol_whitelist pipe pipe:1",
  ].flatMap((some) => some.split(" "));

/** What the program wrote; it is stopped when that becomes too much. */
const outputOf = async (child: ChildProcess, mostBytes: number): Promise<Buffer> => {
  const { promise, resolve, reject } = deferred<Buffer>();
  const parts: Buffer[] = [];
  let bytes = 0;
  let words = "";
  child.once("spawn", () => {
    behindCalls(child);
  });
  child.once("error", (error: NodeJS.ErrnoException) => {
    reject(
      error.code === "ENOENT"
        ? new NotConverted("missing", "there is no ffmpeg on PATH", { cause: error })
        : new NotConverted("unreadable", "ffmpeg could not be run", { cause: error }),
    );
  });
  child.stdout?.on("data", (part: Buffer) => {
    bytes += part.length;
    if (bytes > mostBytes) child.kill("SIGKILL");
    else parts.push(part);
  });
  child.stderr?.on("data", (part: Buffer) => {
    words = (words + part.toString()).slice(0, MOST_WORDS);
  });
  child.once("close", (code) => {
    if (code === 0) resolve(Buffer.concat(parts));
    else reject(new NotConverted("unreadable", "ffmpeg cannot read the file", { cause: new Error(words) }));
  });
  return promise;
};

/** Not every system lets us; then the two are equals. */
const behindCalls = ({ pid }: ChildProcess): void => {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It ended already, or we may not.
  }
};

const soundOf = (wav: Buffer): AudioSound => {
  try {
    return readWav(wav);
  } catch (error) {
    throw new NotConverted("unreadable", "ffmpeg found no sound in the file", { cause: toError(error) });
  }
};
