import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  archiveUrl,
  authorizationFor,
  readNpmSettings,
  registryOf,
} from "../../../src/adapters/model-files/npm-registry.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "npmrc-"));
});

afterEach(() => rm(folder, { recursive: true }));

const settingsOf = async (npmrc: string, environment: Readonly<Record<string, string>> = {}) => {
  await writeFile(join(folder, ".npmrc"), npmrc);
  return readNpmSettings({ HOME: folder, ...environment }, folder);
};

test("the registry comes from the environment before the files, and a scope may have its own", async () => {
  const settings = await settingsOf("registry = https://mirror.example/npm\n@acme:registry=https://acme.example/");
  expect(registryOf(settings, "tar")).toBe("https://mirror.example/npm/");
  expect(registryOf(settings, "@acme/thing")).toBe("https://acme.example/");
  const told = await settingsOf("registry=https://mirror.example/", { npm_config_registry: "http://127.0.0.1:4873/" });
  expect(registryOf(told, "tar")).toBe("http://127.0.0.1:4873/");
});

test("comments and quotes are understood, and variables are put in", async () => {
  const settings = await settingsOf(
    '# registry=https://wrong.example\n; registry=https://wrong.example\nregistry="https://right.example"\n//right.example/:_authToken=$' +
      "{TOKEN}",
    { TOKEN: "abc" },
  );
  expect(registryOf(settings, "tar")).toBe("https://right.example/");
  expect(authorizationFor(settings, "https://right.example/tar/-/tar-1.0.0.tgz")).toBe("Bearer abc");
});

test("credentials go only to the place that they are configured for", async () => {
  const settings = await settingsOf("//host.example/npm/:_authToken=abc\n//host.example/other/:_auth=dTpw");
  expect(authorizationFor(settings, "https://host.example/npm/tar")).toBe("Bearer abc");
  expect(authorizationFor(settings, "https://host.example/other/tar")).toBe("Basic dTpw");
  expect(authorizationFor(settings, "https://host.example/npmx/tar")).toBeUndefined();
  expect(authorizationFor(settings, "https://host.example.evil/npm/tar")).toBeUndefined();
});

test("an archive that npm's own registry is named for is fetched from the configured one, another from where it is", () => {
  const announced = "https://registry.npmjs.org/@scope/name/-/name-1.0.0.tgz";
  expect(archiveUrl("https://mirror.example/npm/", announced)).toBe(
    "https://mirror.example/npm/@scope/name/-/name-1.0.0.tgz",
  );
  expect(archiveUrl("https://mirror.example/npm/", "https://cdn.example/name.tgz")).toBe(
    "https://cdn.example/name.tgz",
  );
});
