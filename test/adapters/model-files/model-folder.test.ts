import { chmod, mkdtemp, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { modelFolders } from "../../../src/adapters/model-files/folders.ts";
import type { ModelFolders } from "../../../src/adapters/model-files/folders.ts";
import { MANIFEST, MODEL_FILES } from "../../../src/adapters/model-files/manifest.ts";
import { ModelFolder } from "../../../src/adapters/model-files/model-folder.ts";
import { makePackage } from "./registry-server.ts";

let root: string;
let folders: ModelFolders;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "models-"));
  folders = { models: root, cache: join(root, "cache"), spare: join(root, "spare") };
});

afterEach(() => rm(root, { recursive: true }));

const filesOf = async () => (await makePackage("weights", { "a.onnx": "aaa", "b.onnx": "bbb" })).carrier.files;

test("a file with the manifest's content is found, another is not", async () => {
  await writeFile(join(root, "a.onnx"), "aaa");
  await writeFile(join(root, "b.onnx"), "bbc");
  const folder = new ModelFolder(folders, await filesOf());
  expect(await folder.find("a.onnx")).toBe(join(root, "a.onnx"));
  expect(await folder.find("b.onnx")).toBeUndefined();
  await rm(join(root, "b.onnx"));
  expect(await folder.find("b.onnx")).toBeUndefined();
  await expect(folder.find("c.onnx")).rejects.toBeInstanceOf(RangeError);
});

test("a file that was not touched is not read again, one that was is", async () => {
  const path = join(root, "a.onnx");
  await writeFile(path, "aaa");
  await utimes(path, 1000, 1000);
  const files = await filesOf();
  expect(await new ModelFolder(folders, files).find("a.onnx")).toBe(path);
  // The same size and time: only a reader of the content could tell.
  await writeFile(path, "xyz");
  await utimes(path, 1000, 1000);
  expect(await new ModelFolder(folders, files).find("a.onnx")).toBe(path);
  await utimes(path, 2000, 2000);
  expect(await new ModelFolder(folders, files).find("a.onnx")).toBeUndefined();
});

test("a file is derived once, from its sources, and found again later", async () => {
  await writeFile(join(root, "a.onnx"), "aaa");
  const files = await filesOf();
  let made = 0;
  const make = async ([path]: readonly string[]) => {
    made += 1;
    return Buffer.from((await readFile(path ?? "", "utf8")).toUpperCase());
  };
  const folder = new ModelFolder(folders, files);
  const [first, second] = await Promise.all([
    folder.derive("upper-1.txt", ["a.onnx"], make),
    folder.derive("upper-1.txt", ["a.onnx"], make),
  ]);
  expect(first).toBe(second);
  expect(await readFile(first ?? "", "utf8")).toBe("AAA");
  expect(await new ModelFolder(folders, files).derive("upper-1.txt", ["a.onnx"], make)).toBe(first);
  expect(made).toBe(1);
  expect(await folder.derive("both-1.txt", ["a.onnx", "b.onnx"], make)).toBeUndefined();
  expect(() => folder.derive("../up", ["a.onnx"], make)).toThrow(RangeError);
});

test("a failed making leaves nothing behind and may be tried again", async () => {
  await writeFile(join(root, "a.onnx"), "aaa");
  const folder = new ModelFolder(folders, await filesOf());
  await expect(folder.derive("x-1", ["a.onnx"], () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  const path = await folder.derive("x-1", ["a.onnx"], () => Promise.resolve(Buffer.from("x")));
  expect((await stat(path ?? "")).size).toBe(1);
});

test("where the cache cannot be written, what is made lies in the spare folder and is found there again", async () => {
  await writeFile(join(root, "a.onnx"), "aaa");
  await writeFile(join(root, "closed"), "a file where the cache should be");
  const closed = { ...folders, cache: join(root, "closed", "cache") };
  const make = () => Promise.resolve(Buffer.from("x"));
  const path = await new ModelFolder(closed, await filesOf()).derive("x-1", ["a.onnx"], make);
  expect(path?.startsWith(folders.spare)).toBe(true);
  const refuse = () => Promise.reject(new Error("made twice"));
  expect(await new ModelFolder(closed, await filesOf()).derive("x-1", ["a.onnx"], refuse)).toBe(path);
});

test("a models folder that may only be read serves its files", async () => {
  await writeFile(join(root, "a.onnx"), "aaa");
  await chmod(root, 0o555);
  const folder = new ModelFolder(
    { models: root, cache: join(root, "cache"), spare: join(root, "spare") },
    await filesOf(),
  );
  expect(await folder.find("a.onnx")).toBe(join(root, "a.onnx"));
  await chmod(root, 0o755);
});

test("the folders follow the environment", () => {
  expect(modelFolders({ HOME: "/home/ann", DATA_DIR: "/srv/data" })).toEqual({
    models: "/home/ann/.cache/call-engine/models",
    cache: "/home/ann/.cache/call-engine/models",
    spare: "/srv/data/models",
  });
  expect(
    modelFolders({ HOME: "/home/ann", XDG_CACHE_HOME: "/var/cache", MODELS_DIR: "/srv/models", DATA_DIR: "/srv/data" }),
  ).toEqual({
    models: "/srv/models",
    cache: "/var/cache/call-engine/models",
    spare: "/srv/data/models",
  });
});

test("the manifest's names are plain and distinct, its digests complete", () => {
  expect(new Set(MODEL_FILES.map(({ name }) => name)).size).toBe(MODEL_FILES.length);
  expect(MODEL_FILES.length).toBeGreaterThan(10);
  for (const { name, sha256, bytes } of MODEL_FILES) {
    expect(name).toMatch(/^[\w][\w.-]*$/);
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(bytes).toBeGreaterThan(1000);
  }
  for (const { integrity } of MANIFEST) expect(integrity).toMatch(/^sha512-[\w+/]{86}==$/);
});

test("docs/models.md lists every file with its source, licence and digest", async () => {
  const written = await readFile(new URL("../../../docs/models.md", import.meta.url), "utf8");
  // A table's columns are padded.
  const page = written.replaceAll(/ +/g, " ");
  for (const carrier of MANIFEST) {
    expect(page).toContain(`${carrier.name}@${carrier.version}`);
    expect(page).toContain(carrier.integrity);
    expect(page).toContain(carrier.licence);
    for (const { name, path, bytes, sha256 } of carrier.files)
      expect(page).toContain(`| \`${name}\` | \`${path}\` | ${bytes} | \`${sha256}\` |`);
  }
});
