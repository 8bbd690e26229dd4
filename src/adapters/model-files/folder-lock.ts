import { link, mkdir, open, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { sleep } from "../../ports/clock.ts";
import type { Clock, Timer } from "../../ports/clock.ts";
import type { Random } from "../../ports/random.ts";

/** How often a holder shows that it lives, and after what silence others may take the lock; milliseconds. */
const BEAT_MS = 5000;
const STALE_MS = 30_000;
const POLL_MS = 250;

/**
 * Runs `work` while holding a lock file, so that two processes do not download the same thing. A holder that died (its process is
 * gone, or it gave no sign for 30 s) is succeeded. Rejects with the signal's reason when `signal` aborts while waiting.
 */
export const withFolderLock = async <T>(
  path: string,
  deps: Readonly<{ clock: Clock; random: Random }>,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> => {
  const content = JSON.stringify({ host: hostname(), pid: process.pid, id: deps.random.id() });
  await mkdir(dirname(path), { recursive: true });
  while (!(await tryTake(path, content))) {
    await removeIfStale(path, deps.clock, deps.random);
    await sleep(deps.clock, POLL_MS, signal);
  }
  let timer: Timer | undefined;
  const beat = () => {
    const now = new Date(deps.clock.now());
    utimes(path, now, now).catch(() => undefined);
    timer = deps.clock.setTimer(BEAT_MS, beat);
  };
  beat();
  try {
    return await work();
  } finally {
    timer?.cancel();
    if ((await readFile(path, "utf8").catch(() => "")) === content) await rm(path, { force: true });
  }
};

const tryTake = async (path: string, content: string): Promise<boolean> => {
  try {
    const file = await open(path, "wx");
    try {
      await file.writeFile(content);
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
};

/** Moves a dead holder's file away; puts it back when it turns out to have become a living one's in between. */
const removeIfStale = async (path: string, clock: Clock, random: Random): Promise<void> => {
  const [content, found] = await Promise.all([
    readFile(path, "utf8").catch(() => ""),
    stat(path).catch(() => undefined),
  ]);
  if (found === undefined) return;
  if (clock.now() - found.mtimeMs < STALE_MS && !holderIsGone(content)) return;
  const aside = `${path}.${random.id()}`;
  await rename(path, aside).catch(() => undefined);
  const moved = await readFile(aside, "utf8").catch(() => content);
  if (moved !== content) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
};

const holderIsGone = (content: string): boolean => {
  try {
    const holder = JSON.parse(content) as Readonly<{ host?: unknown; pid?: unknown }>;
    if (holder.host !== hostname() || typeof holder.pid !== "number") return false;
    process.kill(holder.pid, 0);
    return false;
  } catch (error) {
    return hasCode(error, "ESRCH");
  }
};

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;
