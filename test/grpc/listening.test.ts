import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, test } from "vitest";
import model from "../../src/adapters/language-model/model-server/model-server.ts";
import transcriber from "../../src/adapters/transcriber/model-server/model-server.ts";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import { serveModels } from "../../src/model-server/serve-models.ts";
import type { LanguageModel } from "../../src/ports/language-model.ts";
import { adapterDeps } from "../kit/adapter-deps.ts";
import { silentLogger } from "../kit/silent-logger.ts";

const clock = new SystemClock();
const deps = adapterDeps({ clock });
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** A model that says one word, and then nothing until it is told to stop. */
const slowModel = (aborted: () => void): LanguageModel => ({
  name: "slow",
  scripted: false,
  models: [{ id: "slow", name: "Slow", modelOptions: [] }],
  async *generate(_, signal) {
    yield { type: "text", text: "Well" };
    await new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
    aborted();
  },
  close: async () => undefined,
});

const serve = async (model_: LanguageModel, tls?: Readonly<{ certPath: string; keyPath: string }>) => {
  const listening = await serveModels(
    { synthesizers: [], models: [model_] },
    { clock, logger: silentLogger(), address: "127.0.0.1:0", tls },
  );
  closing.push(() => listening.close());
  return listening;
};

test("a server with TLS is trusted by its authority and by nothing less", async () => {
  const folder = await mkdtemp(join(tmpdir(), "call-engine-tls-"));
  closing.push(() => rm(folder, { recursive: true, force: true }));
  const [certPath, keyPath] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  await promisify(execFile)("openssl", ["req", "-x509", ...kind, ...subject, "-keyout", keyPath, "-out", certPath]);
  const { port } = await serve(
    slowModel(() => undefined),
    { certPath, keyPath },
  );
  const url = `grpcs://127.0.0.1:${port}`;
  expect(await model.available({ MODEL_SERVER_URL: url, MODEL_SERVER_CA: certPath }, deps)).toBe(true);
  // Each of these waits for a server until its time is over, and then says what the network said.
  const [strange, plain, missing] = await Promise.all([
    model.available({ MODEL_SERVER_URL: url }, deps),
    model.available({ MODEL_SERVER_URL: `grpc://127.0.0.1:${port}` }, deps),
    model.available({ MODEL_SERVER_URL: url, MODEL_SERVER_CA: join(folder, "nothing.pem") }, deps),
  ]);
  expect([strange, plain, missing]).toEqual([
    expect.stringMatching(/^MODEL_SERVER_URL: .*certificate.*MODEL_SERVER_CA$/u),
    expect.stringMatching(/^MODEL_SERVER_URL: .*grpcs:\/\/ with it/u),
    expect.stringMatching(/^MODEL_SERVER_CA: .*nothing\.pem/u),
  ]);
});

test("an answer that nobody wants any more is given up on the other machine", async () => {
  const aborted = Promise.withResolvers<void>();
  const { port } = await serve(slowModel(() => aborted.resolve()));
  const made = await model.create({ MODEL_SERVER_URL: `grpc://127.0.0.1:${port}` }, deps);
  closing.push(() => made.close());
  const abort = new AbortController();
  const request = { model: "slow", messages: [], tools: [], options: {} };
  const words: string[] = [];
  for await (const event of made.generate(request, abort.signal)) {
    if (event.type === "text") words.push(event.text);
    abort.abort();
  }
  await aborted.promise;
  expect(words).toEqual(["Well"]);
});

test("a server that breaks off in the middle is told as unavailable, and one that stops serving is not used", async () => {
  const listening = await serve(slowModel(() => undefined));
  const env = { MODEL_SERVER_URL: `grpc://127.0.0.1:${listening.port}` };
  const made = await model.create(env, deps);
  closing.push(() => made.close());
  expect(await transcriber.available(env, deps)).toMatch(/does not offer/);
  listening.setServing(false);
  expect(await model.available(env, deps)).toMatch(/not serving/);
  const request = { model: "slow", messages: [], tools: [], options: {} };
  const answer = made.generate(request, new AbortController().signal)[Symbol.asyncIterator]();
  expect(await answer.next()).toEqual({ done: false, value: { type: "text", text: "Well" } });
  void listening.close();
  await expect(answer.next()).rejects.toMatchObject({ name: "ProviderError", kind: "unavailable", retryable: true });
});
