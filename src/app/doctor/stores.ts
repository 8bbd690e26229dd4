import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { promisify } from "node:util";
import { inspectRedis } from "../../adapters/live/inspect-redis.ts";
import { MODEL_FILES } from "../../adapters/model-files/manifest.ts";
import { inspectDatabase } from "../../adapters/store/postgres/inspect.ts";
import { ObjectStore } from "../../adapters/recorder/object-store.ts";
import { ConfigError, type Config } from "../../config.ts";
import type { AdapterDeps } from "../../ports/descriptor.ts";
import { readRecordingSettings } from "../recordings.ts";
import { reasonOf, type Check } from "./finding.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Checks of everything that keeps something. */
export const storeChecks = (config: Config, env: Env, deps: AdapterDeps): readonly Check[] => [
  { what: "data folder", run: () => checkFolder(config.dataDir) },
  { what: "database", run: () => checkDatabase(config) },
  { what: "redis", run: () => checkRedis(config) },
  { what: "recordings", run: () => checkRecordings(env, deps) },
  { what: "speech models", run: () => checkModels(deps) },
  { what: "ffmpeg", run: (signal) => checkFfmpeg(env, signal) },
];

const checkFolder: (path: string) => ReturnType<Check["run"]> = async (path) => {
  try {
    await access(await nearest(resolve(path)), constants.W_OK);
    return { state: "ok", says: `${path} can be written` };
  } catch {
    return { state: "broken", says: `${path} cannot be written: set DATA_DIR to a folder of this user` };
  }
};

/** What there is of a path; the service makes the rest when it starts. */
const nearest = async (path: string): Promise<string> => {
  try {
    await access(path);
    return path;
  } catch (error) {
    if (dirname(path) === path) throw error;
    return nearest(dirname(path));
  }
};

/** Uploads that are no WAV are read by it. */
const checkFfmpeg = async (env: Env, signal: AbortSignal): ReturnType<Check["run"]> => {
  try {
    const { stdout } = await promisify(execFile)("ffmpeg", ["-version"], { env: { PATH: env["PATH"] }, signal });
    return { state: "ok", says: stdout.split(" Copyright", 1)[0] ?? "" };
  } catch {
    return {
      state: "off",
      says: "ffmpeg is not installed, so that POST /audio takes WAV only; apt-get install ffmpeg",
    };
  }
};

const checkDatabase: (config: Config) => ReturnType<Check["run"]> = async ({ databaseUrl, dataDir }) => {
  if (databaseUrl === undefined)
    return { state: "ok", says: `the embedded PostgreSQL, started with the service, under ${dataDir}` };
  try {
    const { version, pending, quarantined } = await inspectDatabase(databaseUrl.reveal());
    if (quarantined > 0)
      return {
        state: "lesser",
        says: `PostgreSQL ${version} was restored or replaced, and ${quarantined} dials wait in quarantine; look at them with call-engine quarantine list, then release them`,
      };
    if (pending.length === 0) return { state: "ok", says: `PostgreSQL ${version}, on this version's schema` };
    return {
      state: "lesser",
      says: `DATABASE_URL: PostgreSQL ${version} lacks ${pending.length} migrations, which the next start runs; or run call-engine migrate`,
    };
  } catch (error) {
    return unusable("DATABASE_URL", error);
  }
};

const checkRedis: (config: Config) => ReturnType<Check["run"]> = async ({ redisUrl }) => {
  if (redisUrl === undefined) return { state: "off", says: "REDIS_URL is not set; one process alone needs none" };
  try {
    const { version, policy } = await inspectRedis(redisUrl.reveal());
    if (policy === undefined || policy === "noeviction") return { state: "ok", says: `Redis ${version}` };
    return {
      state: "lesser",
      says: `REDIS_URL: Redis ${version} forgets keys when its memory is full; set maxmemory-policy to noeviction, not ${policy}`,
    };
  } catch (error) {
    return unusable("REDIS_URL", error);
  }
};

/** What a server behind an address said, and what to do about it by its code, where that is known. */
const unusable = (variable: string, error: unknown): Awaited<ReturnType<Check["run"]>> => {
  const advice =
    codesOf(error).flatMap((code) => ADVICE.get(code) ?? [])[0] ?? "look at the address and the server's log";
  return { state: "broken", says: `${variable} cannot be used (${reasonOf(error)}); ${advice}` };
};

const codesOf = (thrown: unknown): readonly string[] => {
  if (typeof thrown !== "object" || thrown === null) return [];
  const { code, cause } = thrown as Readonly<{ code?: unknown; cause?: unknown }>;
  return [...(typeof code === "string" ? [code] : []), ...codesOf(cause)];
};

const NOT_REACHED = "look at its host and port, whether it runs, and the way into the network";

/** By the codes of Node's network, and of PostgreSQL (appendix A of its manual). */
const ADVICE: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", NOT_REACHED],
  ["EHOSTUNREACH", NOT_REACHED],
  ["ETIMEDOUT", NOT_REACHED],
  ["ENOTFOUND", "look at the name of its host"],
  ["EAI_AGAIN", "look at the name of its host, and at this machine's name server"],
  ["28P01", "look at its user and password"],
  ["28000", "look at its user, and at the server's pg_hba.conf"],
  ["3D000", "create that database, or name another"],
]);

/** Whether an object can be written, found and removed again, which is all that recordings need. */
const checkRecordings: (env: Env, deps: AdapterDeps) => ReturnType<Check["run"]> = async (env, deps) => {
  let settings: ReturnType<typeof readRecordingSettings>;
  try {
    settings = readRecordingSettings(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { state: "broken", says: error.mistakes.join("; ") };
  }
  if (settings.store === undefined) return { state: "ok", says: "files in the data folder" };
  const store = new ObjectStore(settings.store, deps);
  const key = `doctor/${deps.random.id()}`;
  try {
    await store.put(key, Buffer.from("call-engine doctor"), "text/plain");
    const found = await store.sizeOf(key);
    await store.remove(key);
    return found === undefined
      ? { state: "broken", says: "the object store does not have what it has just taken" }
      : { state: "ok", says: `the bucket ${settings.store.bucket} takes objects and gives them up again` };
  } finally {
    store.close();
  }
};

const checkModels: (deps: AdapterDeps) => ReturnType<Check["run"]> = async ({ modelFiles }) => {
  const found = await Promise.all(MODEL_FILES.map(async ({ name }) => ({ name, path: await modelFiles.find(name) })));
  const missing = found.filter(({ path }) => path === undefined).map(({ name }) => name);
  if (missing.length === 0) return { state: "ok", says: `all ${found.length} files are there` };
  return {
    state: "lesser",
    says: `${missing.length} of ${found.length} files are missing (${missing[0]} …); run call-engine models pull, or set MODELS_DIR to where they are`,
  };
};
