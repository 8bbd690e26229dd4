import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import { createServer as createPort, type AddressInfo } from "node:net";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import { SystemRandom } from "../../../src/adapters/random/system.ts";
import { examineAll } from "../../../src/app/doctor/doctor.ts";
import { CHECK_MS, examine, redactor, type Finding } from "../../../src/app/doctor/finding.ts";
import { readConfig } from "../../../src/config.ts";
import { adapterDeps } from "../../kit/adapter-deps.ts";
import { ObjectStoreServer, STORE_KEYS } from "../../kit/object-store-server.ts";
import { createTestDatabase } from "../../kit/postgres.ts";
import { startTestRedis } from "../../kit/redis.ts";
import { VirtualClock } from "../../kit/virtual-clock.ts";

type Env = Readonly<Record<string, string>>;

const KEY = "sk-canary-0123456789";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const diagnose = async (env: Env): Promise<ReadonlyMap<string, Finding>> => {
  const dataDir = await mkdtemp(join(tmpdir(), "call-engine-doctor-"));
  closing.push(() => rm(dataDir, { recursive: true }));
  const whole = { DATA_DIR: dataDir, PORT: "0", HOST: "127.0.0.1", ...env };
  const deps = adapterDeps({ clock: new SystemClock(), random: new SystemRandom() });
  const findings = new Map<string, Finding>();
  for await (const finding of examineAll(readConfig(whole), whole, deps)) findings.set(finding.what, finding);
  expect(JSON.stringify([...findings])).not.toContain("canary");
  return findings;
};

/** A server on loopback that answers by path; anything else is 404. */
const serve = async (answers: Readonly<Record<string, readonly [status: number, body: unknown]>>): Promise<string> => {
  const server = createServer(({ url = "", headers }, response) => {
    const [status, body] = answers[url.split("?", 1)[0] ?? ""] ?? [404, {}];
    const known = Object.values(headers).some((value) => String(value).includes("canary"));
    response.writeHead(known || status !== 200 ? status : 401, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  });
  return `http://127.0.0.1:${await listening(server)}`;
};

const listening = async (server: Server): Promise<number> => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
};

/** A port on which nobody listens. */
const closedPort = async (): Promise<number> => {
  const probe = createPort();
  probe.listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
};

test("a machine without ffmpeg is told what it cannot do", async () => {
  const said = async (path: string) => (await diagnose({ PATH: path })).get("ffmpeg");
  expect(await said(process.env["PATH"] ?? "")).toMatchObject({
    state: "ok",
    says: expect.stringMatching(/^ffmpeg version/),
  });
  expect(await said("/nowhere")).toMatchObject({
    state: "off",
    says: expect.stringContaining("apt-get install ffmpeg"),
  });
});

test("models and voices are asked with their keys, and what is wrong is said with the variable that mends it", async () => {
  const list = { data: [{ id: "small" }, { id: "gpt-4.1-mini-2026" }], has_more: false };
  const good = await serve({ "/v1/models": [200, list], "/v2/voices": [200, { voices: [] }] });
  const refusing = await serve({ "/models": [401, {}], "/v1/auth/token": [429, {}] });
  const found = await diagnose({
    LLM_BASE_URL: `${good}/v1`,
    LLM_MODEL: "small",
    LLM_API_KEY: KEY,
    OPENAI_API_KEY: KEY,
    OPENAI_BASE_URL: `${good}/v1`,
    OPENAI_MODELS: "huge",
    ANTHROPIC_API_KEY: KEY,
    ANTHROPIC_BASE_URL: refusing,
    GOOGLE_API_KEY: KEY,
    GOOGLE_BASE_URL: `http://127.0.0.1:${await closedPort()}`,
    ELEVENLABS_API_KEY: KEY,
    ELEVENLABS_BASE_URL: good,
  });
  expect(found.get("language-model openai-compatible")?.state).toBe("ok");
  expect(found.get("synthesizer elevenlabs")?.state).toBe("ok");
  expect(found.get("synthesizer openai")?.state).toBe("ok");
  expect(found.get("synthesizer cartesia")).toMatchObject({ state: "off", says: expect.stringContaining("CARTESIA_") });
  expect(found.get("language-model openai")).toMatchObject({
    state: "broken",
    says: "openai: does not list the model huge; look at OPENAI_BASE_URL, OPENAI_MODELS",
  });
  expect(found.get("language-model anthropic")).toMatchObject({
    state: "broken",
    says: "anthropic: answered 401; set ANTHROPIC_API_KEY to a key that may do this",
  });
  expect(found.get("language-model google")?.says).toMatch(
    /cannot be reached .*ECONNREFUSED.*look at GOOGLE_BASE_URL/u,
  );
});

test("a key that no header takes, an address without its path, and a file that is not there are told by their variables", async () => {
  const shop = await serve({ "/": [200, {}] });
  const bare = await serve({ "/v1/chat/completions": [404, { error: { message: "no such model" } }] });
  const found = await diagnose({
    LLM_BASE_URL: shop,
    LLM_MODEL: "small",
    OPENAI_API_KEY: "“sk-0123456789”",
    GOOGLE_SPEECH_PROJECT: "p",
    GOOGLE_APPLICATION_CREDENTIALS: "/nowhere/account.json",
  });
  expect(found.get("language-model openai-compatible")).toMatchObject({
    state: "broken",
    says: `openai-compatible: gives no answers at ${shop}/chat/completions; its address mostly ends in /v1; look at LLM_BASE_URL, LLM_MODEL`,
  });
  for (const what of ["transcriber", "synthesizer", "language-model"])
    expect(found.get(`${what} openai`)).toMatchObject({
      state: "broken",
      says: expect.stringMatching(/^OPENAI_API_KEY/u),
    });
  expect(found.get("transcriber google")?.says).toBe(
    "GOOGLE_APPLICATION_CREDENTIALS names no file that can be read as JSON (ENOENT); look at GOOGLE_SPEECH_PROJECT, GOOGLE_APPLICATION_CREDENTIALS",
  );
  // Without a list of models, which not every server has.
  const plain = await diagnose({ LLM_BASE_URL: `${bare}/v1`, LLM_MODEL: "small" });
  expect(plain.get("language-model openai-compatible")?.state).toBe("ok");
});

test("what is chosen by name and not there is told, with what there is instead", { timeout: 60_000 }, async () => {
  const list = { data: [{ id: "small" }], has_more: false };
  const good = await serve({ "/v1/models": [200, list] });
  const models = { LLM_BASE_URL: `${good}/v1`, LLM_MODEL: "small", LLM_API_KEY: KEY };
  const wrong = await diagnose({
    ...models,
    VAD: "ears",
    DEFAULT_TRANSCRIBER: "deepgram",
    TRANSCRIBER_FALLBACKS: "azure",
    DEFAULT_VOICE: "flite-nobody",
    VOICE_FALLBACKS: "flite-rms,cartesia-x",
    LLM_FALLBACKS: "small,huge",
  });
  for (const [what, state, says] of [
    ["VAD", "lesser", "there is no vad ears; name one of energy, silero"],
    ["DEFAULT_TRANSCRIBER", "lesser", "deepgram does not run here: DEEPGRAM_API_KEY is not set"],
    ["TRANSCRIBER_FALLBACKS", "broken", "there is no transcriber azure; name one of assemblyai"],
    ["DEFAULT_VOICE", "broken", "flite-nobody: flite does not have it; GET /voices"],
    ["VOICE_FALLBACKS", "broken", "cartesia-x: cartesia does not run here: CARTESIA_API_KEY is not set"],
    ["LLM_FALLBACKS", "broken", "no provider that is configured offers huge; GET /models"],
  ] as const)
    expect(wrong.get(what), what).toMatchObject({ state, says: expect.stringContaining(says) });
  const right = await diagnose({ ...models, VAD: "energy", DEFAULT_VOICE: "flite-rms", LLM_FALLBACKS: "small" });
  for (const what of ["VAD", "DEFAULT_VOICE", "LLM_FALLBACKS"]) expect(right.get(what)?.state, what).toBe("ok");
  expect(right.has("VOICE_FALLBACKS")).toBe(false);
});

test("an account whose carrier refuses it is broken, one whose carrier knows it is not", async () => {
  const sid = `AC${"0".repeat(32)}`;
  const account = `/2010-04-01/Accounts/${sid}/Calls/00000000-0000-4000-8000-000000000000.json`;
  const knows = await serve({ [account]: [404, { code: 20_404 }] });
  const refuses = await serve({ [account]: [401, { code: 20_003 }] });
  const accountOf = (url: string): Env => ({
    TWILIO_ACCOUNT_SID: sid,
    TWILIO_AUTH_TOKEN: KEY,
    TWILIO_BASE_URL: url,
  });
  expect((await diagnose(accountOf(knows))).get("carrier twilio")?.state).toBe("ok");
  const refused = await diagnose(accountOf(refuses));
  expect(refused.get("carrier twilio")).toMatchObject({ state: "broken", says: expect.stringContaining("AUTH_TOKEN") });
  expect(refused.get("public address")).toMatchObject({ state: "broken", says: expect.stringContaining("PUBLIC_URL") });
  const mistaken = await diagnose({ TWILIO_ACCOUNT_SID: sid });
  expect(mistaken.get("carrier")).toMatchObject({
    state: "broken",
    says: expect.stringContaining("TWILIO_AUTH_TOKEN"),
  });
});

test("a database is looked at without being changed", async () => {
  const [ready, empty] = await Promise.all([createTestDatabase(), createTestDatabase({ migrated: false })]);
  closing.push(() => Promise.all([ready.close(), empty.close()]));
  expect((await diagnose({ DATABASE_URL: ready.url })).get("database")).toMatchObject({ state: "ok" });
  await ready.query("DELETE FROM schema_migration WHERE name LIKE '0002%'");
  expect((await diagnose({ DATABASE_URL: ready.url })).get("database")).toMatchObject({
    state: "lesser",
    says: expect.stringContaining("lacks 1 migrations"),
  });
  expect((await diagnose({ DATABASE_URL: empty.url })).get("database")?.state).not.toBe("ok");
  expect(await empty.query("SELECT to_regclass('schema_migration') AS there")).toEqual([{ there: null }]);
  const away = `postgres://somebody:canary-password@127.0.0.1:${await closedPort()}/calls`;
  expect((await diagnose({ DATABASE_URL: away })).get("database")).toMatchObject({
    state: "broken",
    says: expect.stringMatching(/ECONNREFUSED.*; look at its host and port/u),
  });
  const stranger = new URL(ready.url);
  stranger.pathname = "/nowhere";
  expect((await diagnose({ DATABASE_URL: stranger.href })).get("database")?.says).toMatch(/; create that database/u);
});

test("a Redis that forgets what it should keep is told, and one that is away", async () => {
  const redis = await startTestRedis();
  closing.push(() => redis.close());
  expect((await diagnose({ REDIS_URL: redis.url })).get("redis")).toMatchObject({
    state: "ok",
    says: expect.stringMatching(/^Redis \d/u),
  });
  const away = await diagnose({ REDIS_URL: `redis://:canary-password@127.0.0.1:${await closedPort()}` });
  expect(away.get("redis")).toMatchObject({
    state: "broken",
    says: expect.stringMatching(/ECONNREFUSED.*; look at its host/u),
  });
});

test("what several processes lack is told in the words of the start", async () => {
  const found = await diagnose({ PROCESSES: "2", SIP_SERVER: "sip.invalid", PORT: "8080" });
  expect(found.get("processes")).toEqual({
    what: "processes",
    state: "broken",
    says: [
      "processes that serve together share DATABASE_URL and REDIS_URL: set both",
      'the sip account "sip" needs its own addresses: run the process that has it by itself, without PROCESSES and SHARED_PORT',
    ].join("; "),
  });
  expect((await diagnose({ PROCESSES: "1" })).get("processes")).toMatchObject({ state: "ok" });
  expect((await diagnose({})).has("processes")).toBe(false);
});

test("an object store is tried with an object, which is gone afterwards", async () => {
  const store = await ObjectStoreServer.start();
  closing.push(() => store.close());
  const envOf = (secret: string): Env => ({
    S3_ENDPOINT: store.settings.endpoint,
    S3_BUCKET: store.settings.bucket,
    S3_REGION: store.settings.region,
    S3_ACCESS_KEY_ID: STORE_KEYS.accessKeyId,
    S3_SECRET_ACCESS_KEY: secret,
  });
  expect((await diagnose(envOf(STORE_KEYS.secretAccessKey))).get("recordings")).toMatchObject({ state: "ok" });
  expect(store.objects.size).toBe(0);
  expect((await diagnose(envOf("canary-secret"))).get("recordings")).toMatchObject({
    state: "broken",
    says: expect.stringContaining("403"),
  });
  expect((await diagnose({ S3_BUCKET: "calls" })).get("recordings")).toMatchObject({
    state: "broken",
    says: expect.stringContaining("S3_ENDPOINT"),
  });
});

test("the public address is followed to this machine, websockets too", async () => {
  const port = String(await closedPort());
  const ofThis = `http://127.0.0.1:${port}`;
  const direct = await diagnose({ PORT: port, PUBLIC_URL: ofThis });
  expect(direct.get("public address")).toMatchObject({
    state: "lesser",
    says: expect.stringMatching(/^PUBLIC_URL: .*without https/u),
  });
  // Passes requests on and knows nothing of upgrades, as a proxy in its first configuration.
  const proxy = createServer((incoming, outgoing) => {
    incoming.pipe(
      request(`${ofThis}${incoming.url}`, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      }),
    );
  });
  const proxied = await diagnose({ PORT: port, PUBLIC_URL: `http://127.0.0.1:${await listening(proxy)}` });
  expect(proxied.get("public address")).toMatchObject({ state: "broken", says: expect.stringContaining("Upgrade") });
  const other = createServer((_request, response) => response.end("somebody else"));
  const elsewhere = await diagnose({ PORT: port, PUBLIC_URL: `http://127.0.0.1:${await listening(other)}` });
  expect(elsewhere.get("public address")?.says).toMatch(/^PUBLIC_URL: .*leads to another service/u);
  const nobody = await diagnose({ PORT: port, PUBLIC_URL: `http://127.0.0.1:${await closedPort()}` });
  expect(nobody.get("public address")?.says).toContain("ECONNREFUSED");
});

test("whatever does not answer is broken after its deadline, and is told to stop", async () => {
  const clock = new VirtualClock();
  let stopped = false;
  const examining = examine(
    {
      what: "something",
      run: (signal) => {
        signal.addEventListener("abort", () => (stopped = true));
        return new Promise(() => undefined);
      },
    },
    clock,
  );
  await clock.advance(CHECK_MS);
  expect(await examining).toMatchObject({ state: "broken", says: expect.stringContaining("10000 ms") });
  expect(stopped).toBe(true);
});

test("no line shows what a variable may keep secret", () => {
  const redact = redactor({ API_TOKEN: "abcdef123", DATABASE_URL: "postgres://u:p%40ssword@h/d", NAME: "plain-name" });
  expect(redact("abcdef123 p%40ssword p@ssword plain-name")).toBe("[secret] [secret] [secret] plain-name");
});

test("the command prints a line for each, and its exit code tells whether something is broken", async () => {
  const doctor = async (env: Env) => {
    const dataDir = await mkdtemp(join(tmpdir(), "call-engine-doctor-"));
    closing.push(() => rm(dataDir, { recursive: true }));
    const child = spawn(process.execPath, ["src/main.ts", "doctor"], {
      env: { PATH: process.env["PATH"], HOME: process.env["HOME"], DATA_DIR: dataDir, ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let printed = "";
    child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString("utf8")));
    const [code] = (await once(child, "close")) as [number];
    return { code, printed };
  };
  const { code, printed } = await doctor({
    LLM_BASE_URL: `http://127.0.0.1:${await closedPort()}`,
    LLM_MODEL: "small",
  });
  expect(printed).toMatch(/^broken {2}language-model openai-compatible {2}.*ECONNREFUSED/mu);
  expect(printed).toMatch(/\d broken\n$/u);
  expect(code).toBe(1);
});
