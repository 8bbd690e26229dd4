import { execFile } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SpeechSynthesizer } from "../src/ports/synthesizer.ts";
import type * as registryHere from "../src/registry.ts";
import { synthesizerContract } from "./contract/synthesizer.contract.ts";
import { adapterDeps } from "./kit/adapter-deps.ts";

/** Only types of it are meant: it is loaded from the folder in which the page's provider lies. */
type Registry = Pick<typeof registryHere, "createProviders" | "discover">;

const KEY = "key-of-the-test";
const RATE = 16_000;
const LETTER_MS = 65;

let folder: string;
let server: Server;
let registry: Registry;

/** A copy of the tree as far as one provider needs it, with the page's provider where the page says that it lies. */
beforeAll(async () => {
  const page = await readFile("docs/adding-a-provider.md", "utf8");
  const [, path = "", code = ""] = /^```ts file=(\S+)\n(.*?)^```$/msu.exec(page) ?? [];
  folder = await mkdtemp(join(tmpdir(), "call-engine-provider-"));
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), code);
  for (const part of ["kit", "model", "ports", "audio"]) await symlink(resolve("src", part), join(folder, "src", part));
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
  await copyFile("package.json", join(folder, "package.json"));
  await copyFile("src/registry.ts", join(folder, "src/registry.ts"));
  const config = { extends: resolve("tsconfig.json"), include: ["src/adapters"], exclude: [] };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
  registry = (await import(pathToFileURL(join(folder, "src/registry.ts")).href)) as Registry;
  server = createServer((request, response) => {
    void answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

/** The vendor: a tone for each text, in pieces of odd lengths. */
const answer: (...exchange: Parameters<NonNullable<Parameters<typeof createServer>[1]>>) => Promise<void> = async (
  request,
  response,
) => {
  if (request.headers.authorization !== `Bearer ${KEY}`) {
    response.writeHead(401).end();
    return;
  }
  if (request.url !== "/speak") {
    response.end("[]");
    return;
  }
  let body = "";
  for await (const bytes of request) body += String(bytes);
  const { text } = JSON.parse(body) as Readonly<{ text: string }>;
  const samples = Int16Array.from({ length: (text.length * LETTER_MS * RATE) / 1000 }, (_, at) =>
    Math.round(6000 * Math.sin((2 * Math.PI * 440 * (at + 9)) / RATE)),
  );
  const sound = Buffer.from(samples.buffer);
  for (let at = 0; at < sound.length && !response.destroyed; at += 3333) {
    response.write(sound.subarray(at, at + 3333));
    await new Promise((soon) => setImmediate(soon));
  }
  response.end();
};

const env = (key = KEY) => ({
  ACME_API_KEY: key,
  ACME_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
});

const made = async (): Promise<SpeechSynthesizer> => {
  const { running } = await registry.createProviders<SpeechSynthesizer>("synthesizer", [], env(), adapterDeps());
  const [only] = running;
  if (only === undefined) throw new Error("the registry did not find the page's provider");
  return only.made;
};

test("the page's provider is right by its types", { timeout: 60_000 }, async () => {
  const tsc = promisify(execFile)(resolve("node_modules/.bin/tsc"), ["--noEmit", "--project", folder], { cwd: folder });
  await expect(tsc).resolves.toMatchObject({ stdout: "" });
});

test("the registry finds the page's provider in its folder, and says what it lacks", async () => {
  expect((await registry.discover("synthesizer")).map(({ name }) => name)).toEqual(["acme"]);
  const without = await registry.createProviders("synthesizer", [], {}, adapterDeps());
  expect(without.missing).toEqual([{ name: "acme", reason: expect.stringContaining("ACME_API_KEY is not set") }]);
});

test("the page's provider knows a good key from a bad one", async () => {
  const [descriptor] = await registry.discover("synthesizer");
  const { signal } = new AbortController();
  await descriptor?.check?.(env(), adapterDeps(), signal);
  await expect(descriptor?.check?.(env("wrong"), adapterDeps(), signal)).rejects.toMatchObject({ kind: "auth" });
});

synthesizerContract("the page's provider", { make: made, threads: 0, wordTimes: false });
