import { expect, test } from "vitest";
import { readRecordingSettings } from "../../src/app/recordings.ts";
import { ConfigError } from "../../src/config.ts";

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
