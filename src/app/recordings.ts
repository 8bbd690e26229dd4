import { join } from "node:path";
import { DiskRecorder } from "../adapters/recorder/disk-recorder.ts";
import { ObjectRecorder } from "../adapters/recorder/object-recorder.ts";
import { ObjectStore, type ObjectStoreSettings } from "../adapters/recorder/object-store.ts";
import { ConfigError, type Config } from "../config.ts";
import { SecretString } from "../kit/secret-string.ts";
import type { RecordingFormat } from "../model/agent.ts";
import type { AdapterDeps } from "../ports/descriptor.ts";
import type { Recorder, StandingOf } from "../ports/recorder.ts";

/** What {@link readRecordingSettings} reads. */
export const RECORDING_VARIABLES = [
  "RECORDING_FORMAT",
  "S3_ENDPOINT",
  "S3_BUCKET",
  "S3_REGION",
  "S3_ACCESS_KEY_ID",
  "S3_SECRET_ACCESS_KEY",
  "S3_REDIRECT",
] as const;

type Env = Readonly<Record<string, string | undefined>>;

/** How and where this deployment keeps recordings. */
type RecordingSettings = Readonly<{
  format: RecordingFormat;
  /** Absent: on this machine. */
  store?: ObjectStoreSettings;
  redirects: boolean;
}>;

/** Opens what keeps recordings. Throws {@link ConfigError} for an environment that cannot be used. */
export const openRecorder = (config: Config, env: Env, deps: AdapterDeps, standingOf: StandingOf): Recorder => {
  const { format, store, redirects } = readRecordingSettings(env);
  const { logger } = deps;
  const disk = new DiskRecorder({ folder: join(config.dataDir, "recordings"), format, logger });
  return store === undefined
    ? disk
    : new ObjectRecorder({ spool: disk, store: new ObjectStore(store, deps), redirects, standingOf, logger });
};

/** @throws {ConfigError} with every mistake, none of them with a value of a setting. */
export const readRecordingSettings = (env: Env): RecordingSettings => {
  const text = (name: string) => env[name]?.trim() || undefined;
  const mistakes: string[] = [];
  const format = text("RECORDING_FORMAT") ?? "wav";
  if (format !== "wav" && format !== "ogg") mistakes.push("RECORDING_FORMAT must be wav or ogg");
  const redirects = text("S3_REDIRECT") ?? "true";
  if (redirects !== "true" && redirects !== "false") mistakes.push("S3_REDIRECT must be true or false");
  const given = {
    endpoint: text("S3_ENDPOINT"),
    bucket: text("S3_BUCKET"),
    region: text("S3_REGION"),
    accessKeyId: text("S3_ACCESS_KEY_ID"),
    secretAccessKey: text("S3_SECRET_ACCESS_KEY"),
  };
  const store = Object.values(given).some((value) => value !== undefined) ? readStore(given, mistakes) : undefined;
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return {
    format: format === "ogg" ? "ogg" : "wav",
    redirects: redirects === "true",
    ...(store === undefined ? {} : { store }),
  };
};

type Given = Readonly<Record<keyof ObjectStoreSettings, string | undefined>>;

const readStore = (given: Given, mistakes: string[]): ObjectStoreSettings => {
  const { endpoint = "", bucket = "", region = "us-east-1", accessKeyId = "", secretAccessKey = "" } = given;
  for (const [name, value] of Object.entries({
    S3_BUCKET: bucket,
    S3_ENDPOINT: endpoint,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  }))
    if (value === "") mistakes.push(`${name} is required where recordings go to an object store`);
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (
    endpoint !== "" &&
    (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "" || url.search !== "")
  )
    mistakes.push("S3_ENDPOINT must be an address such as https://s3.eu-central-1.amazonaws.com");
  if (bucket !== "" && !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    mistakes.push("S3_BUCKET must be the name of a bucket: 3 to 63 small letters, digits, dots and hyphens");
  return {
    endpoint: endpoint.replace(/\/+$/, ""),
    bucket,
    region,
    accessKeyId,
    secretAccessKey: new SecretString(secretAccessKey),
  };
};
