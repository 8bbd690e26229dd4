import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { backoff } from "../../kit/backoff.ts";
import { toError } from "../../kit/errors.ts";
import { DeadlineExceeded, sleep } from "../../ports/clock.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Random } from "../../ports/random.ts";
import { digestFile } from "./verification.ts";

/** A server that sends nothing for this long is given up; milliseconds. */
const STALL_MS = 30_000;
/** Tries per request, the first included; with full jitter the waits add up to at most 15 s. */
const ATTEMPTS = 5;

/** The server answered, and the answer is no; trying again does not help. */
export class DownloadRefused extends Error {
  override readonly name = "DownloadRefused";
}

/** What came has not the digest that the manifest pins. */
export class IntegrityMismatch extends Error {
  override readonly name = "IntegrityMismatch";
}

export type DownloadDeps = Readonly<{
  clock: Clock;
  random: Random;
  signal?: AbortSignal | undefined;
}>;

type Request = Readonly<{ url: string; authorization: string | undefined }>;

/** Fetches a JSON document of at most a few megabytes. */
export const fetchJson = (request: Request, deps: DownloadDeps): Promise<unknown> =>
  withRetries(deps, () =>
    withStallLimit(deps, request.url, async (signal, alive) => {
      const response = await ask(request, {}, signal);
      alive();
      return response.json();
    }),
  );

/**
 * Fetches an archive into `target` and checks it against `integrity` (`sha512-<base64>` or `sha256-<base64>`). What an interrupted earlier try left
 * beside it is continued where the server allows that. `onBytes` hears how many bytes are there so far.
 */
export const downloadArchive = (
  request: Request,
  target: string,
  integrity: string,
  onBytes: (bytes: number, total: number | undefined) => void,
  deps: DownloadDeps,
): Promise<void> =>
  withRetries(deps, async () => {
    const partial = `${target}.partial`;
    await mkdir(dirname(target), { recursive: true });
    await withStallLimit(deps, request.url, (signal, alive) =>
      fetchRest(request, partial, signal, (bytes, total) => {
        alive();
        onBytes(bytes, total);
      }),
    );
    const algorithm = integrity.startsWith("sha256-") ? "sha256" : "sha512";
    const digest = `${algorithm}-${await digestFile(partial, algorithm, "base64")}`;
    if (digest !== integrity) {
      await rm(partial, { force: true });
      throw new IntegrityMismatch(
        `${request.url} is not the file that is expected: its digest is ${digest} instead of ${integrity}`,
      );
    }
    await rename(partial, target);
  });

const fetchRest = async (
  request: Request,
  partial: string,
  signal: AbortSignal,
  onBytes: (bytes: number, total: number | undefined) => void,
): Promise<void> => {
  const have = (await stat(partial).catch(() => undefined))?.size ?? 0;
  const response = await ask(request, have > 0 ? { range: `bytes=${have}-` } : {}, signal);
  if (response.status === 416) {
    // Nothing is left to fetch, or the rest of another file was there; the digest tells.
    await response.body?.cancel();
    return;
  }
  const resumed = response.status === 206 && response.headers.get("content-range")?.startsWith(`bytes ${have}-`);
  const start = resumed === true ? have : 0;
  const length = Number(response.headers.get("content-length") ?? Number.NaN);
  const total = Number.isFinite(length) ? start + length : undefined;
  if (response.body === null) throw new Error(`${request.url} was answered without a body`);
  const file = await open(partial, start > 0 ? "a" : "w");
  try {
    let bytes = start;
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      onBytes(bytes, total);
      // Written before the next is read, so that what came is kept when the connection breaks.
      await file.writeFile(chunk);
    }
  } finally {
    await file.close();
  }
};

const ask = async (
  request: Request,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Response> => {
  const response = await fetch(request.url, {
    signal,
    headers: request.authorization === undefined ? headers : { ...headers, authorization: request.authorization },
  });
  if (response.ok || response.status === 416) return response;
  await response.body?.cancel();
  const message = `${request.url} was answered with status ${response.status}`;
  const temporary = response.status === 408 || response.status === 429 || response.status >= 500;
  throw temporary ? new Error(message) : new DownloadRefused(message);
};

/** Runs a request that must show a sign of life at least every {@link STALL_MS}. */
const withStallLimit = async <T>(
  { clock, signal: outer }: DownloadDeps,
  what: string,
  run: (signal: AbortSignal, alive: () => void) => Promise<T>,
): Promise<T> => {
  const controller = new AbortController();
  const stop = () => {
    controller.abort(outer?.reason);
  };
  const arm = () =>
    clock.setTimer(STALL_MS, () => controller.abort(new DeadlineExceeded(`waiting for ${what}`, STALL_MS)));
  let timer = arm();
  outer?.addEventListener("abort", stop, { once: true });
  if (outer?.aborted === true) stop();
  try {
    return await run(controller.signal, () => {
      timer.cancel();
      timer = arm();
    });
  } catch (error) {
    throw controller.signal.aborted ? toError(controller.signal.reason) : error;
  } finally {
    timer.cancel();
    outer?.removeEventListener("abort", stop);
  }
};

const withRetries = async <T>(deps: DownloadDeps, attempt: () => Promise<T>): Promise<T> => {
  for (let retry = 0; ; retry++) {
    try {
      return await attempt();
    } catch (error) {
      if (deps.signal?.aborted === true || error instanceof DownloadRefused || retry === ATTEMPTS - 1) throw error;
      await sleep(deps.clock, backoff(deps.random, retry, 1000, 8000), deps.signal);
    }
  }
};
