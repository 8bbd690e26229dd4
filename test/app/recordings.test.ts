import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeDeps } from "../../src/app.ts";
import { openRecorder, readRecordingSettings } from "../../src/app/recordings.ts";
import { ConfigError, readConfig } from "../../src/config.ts";
import { ObjectStoreServer } from "../kit/object-store-server.ts";

const STORE = {
  S3_ENDPOINT: "https://s3.example.com/",
  S3_BUCKET: "calls",
  S3_REGION: "eu-central-1",
  S3_ACCESS_KEY_ID: "id",
  S3_SECRET_ACCESS_KEY: "secret",
};

test("without settings recordings are WAV files on this machine", () => {
  expect(readRecordingSettings({})).toEqual({ format: "wav", redirects: true });
});

test("an object store is described by its variables", () => {
  const settings = readRecordingSettings({ ...STORE, RECORDING_FORMAT: "ogg", S3_REDIRECT: "false" });
  expect(settings).toMatchObject({ format: "ogg", redirects: false });
  expect(settings.store).toMatchObject({ endpoint: "https://s3.example.com", bucket: "calls", region: "eu-central-1" });
  expect(settings.store?.secretAccessKey.reveal()).toBe("secret");
});

test("all mistakes are told, and no value of a secret", () => {
  const mistakes = (env: Record<string, string>) => {
    try {
      readRecordingSettings(env);
    } catch (error) {
      if (error instanceof ConfigError) return error.mistakes;
    }
    return [];
  };
  expect(mistakes({ S3_SECRET_ACCESS_KEY: "secret" }).join()).not.toMatch(/"?secret"?(?!_)\b.*:/);
  expect(mistakes({ S3_BUCKET: "calls" }).map((mistake) => mistake.split(" ")[0])).toEqual([
    "S3_ENDPOINT",
    "S3_ACCESS_KEY_ID",
    "S3_SECRET_ACCESS_KEY",
  ]);
  const wrong = {
    ...STORE,
    S3_ENDPOINT: "s3.example.com",
    S3_BUCKET: "A",
    S3_REDIRECT: "yes",
    RECORDING_FORMAT: "mp3",
  };
  expect(mistakes(wrong)).toHaveLength(4);
});

const opened = async (env: Readonly<Record<string, string>>) => {
  const dataDir = await mkdtemp(join(tmpdir(), "recordings-"));
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: "silent" });
  const deps = makeDeps(config, {});
  const recorder = openRecorder(config, env, deps, async () => ({ over: true, erased: false }));
  onTestFinished(async () => {
    await recorder.close();
    deps.metrics.close();
    await rm(dataDir, { recursive: true });
  });
  await (await recorder.open({ dialId: "d", recordingId: "r", sampleRate: 8000 })).close();
  return recorder;
};

test("the deployment chooses the format of recordings that do not say", async () => {
  const typeOf = async (env: Readonly<Record<string, string>>) =>
    (await (await opened(env)).read("d", "r"))?.contentType;
  expect([await typeOf({}), await typeOf({ RECORDING_FORMAT: "ogg" })]).toEqual(["audio/wav", "audio/ogg"]);
});

test("with an object store recordings go there, and readers are sent there unless it says otherwise", async () => {
  const server = await ObjectStoreServer.start();
  onTestFinished(() => server.close());
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = server.settings;
  const env = {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  };
  const recorder = await opened(env);
  await expect.poll(async () => (await recorder.read("d", "r"))?.address).toContain("X-Amz-Signature=");
  const through = await opened({ ...env, S3_REDIRECT: "false", RECORDING_FORMAT: "ogg" });
  await expect.poll(() => server.objects.size).toBe(2);
  await through.tend();
  expect((await through.read("d", "r"))?.address).toBeUndefined();
});
