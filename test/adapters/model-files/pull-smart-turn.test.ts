import { createHash } from "node:crypto";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import { pullSmartTurn } from "../../../src/adapters/model-files/pull-smart-turn.ts";
import smartTurn from "../../../src/adapters/turn-detector/smart-turn/smart-turn.ts";
import type { Clock } from "../../../src/ports/clock.ts";
import { adapterDeps } from "../../kit/adapter-deps.ts";
import { SeededRandom } from "../../kit/seeded-random.ts";
import { tinyTurnNetwork } from "../../kit/tiny-turn-network.ts";

const network = tinyTurnNetwork();
const sha256 = createHash("sha256").update(network).digest("hex");

/** Waits between tries are not what is tried here. */
const hurried: Clock = {
  now: () => new SystemClock().now(),
  monotonic: () => new SystemClock().monotonic(),
  setTimer: (ms, ring) => new SystemClock().setTimer(ms > 20_000 ? ms : ms / 100, ring),
};

let folder = "";
let server: Server;
let url = "";
let requests = 0;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "smart-turn-"));
  requests = 0;
  server = createServer((request, response) => {
    requests += 1;
    if (request.url === "/there.onnx") response.end(network);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

const pull = (environment: Readonly<Record<string, string>>) =>
  pullSmartTurn({
    clock: hurried,
    random: new SeededRandom(1),
    environment: { MODELS_DIR: folder, HOME: folder, ...environment },
    onProgress: () => undefined,
  });

test("the network is brought once, and the turn detector hears with it", async () => {
  const setting = { SMART_TURN_URL: `${url}/there.onnx`, SMART_TURN_SHA256: sha256.toUpperCase() };
  const brought = await pull(setting);
  expect(brought).toEqual({
    name: "smart-turn-v3.onnx",
    path: join(folder, "smart-turn-v3.onnx"),
    bytes: network.length,
    pulled: true,
  });
  expect(Buffer.compare(await readFile(brought.path), network)).toBe(0);
  expect(await pull(setting)).toMatchObject({ pulled: false });
  expect(requests).toBe(1);
  expect(await smartTurn.available({ SMART_TURN_MODEL: brought.path })).toBe(true);
  const detector = await smartTurn.create(
    { SMART_TURN_MODEL: brought.path },
    adapterDeps({ clock: new SystemClock() }),
  );
  expect(await detector.judge(new Int16Array(16_000))).toBeGreaterThanOrEqual(0);
  await detector.close();
});

test("a file that is not the one that its makers published is not kept, unless another one is trusted", async () => {
  await expect(pull({ SMART_TURN_URL: `${url}/there.onnx` })).rejects.toMatchObject({
    name: "IntegrityMismatch",
    message: expect.stringContaining("sha256-K7AmMWsUpmBIanWxczzT+6uML9AxTcmve+SfjMqWfk8="),
  });
  expect(await readdir(folder)).toEqual([]);
});

test.for<[string, Readonly<Record<string, string>>, string, RegExp]>([
  ["no digest that could be one", { SMART_TURN_SHA256: "abc" }, "SmartTurnUnset", /64 hexadecimal/u],
  ["an open line", { SMART_TURN_SHA256: sha256, SMART_TURN_URL: "http://example.com/a" }, "SmartTurnUnset", /https:/u],
])("%s is refused with what to do", async ([, environment, name, message]) => {
  const failure: unknown = await pull(environment).catch((error: unknown) => error);
  expect(failure).toMatchObject({ name });
  expect((failure as Error).message).toMatch(message);
  expect(requests).toBe(0);
});

test("a server that does not have it says so", async () => {
  const setting = { SMART_TURN_URL: `${url}/gone.onnx`, SMART_TURN_SHA256: sha256 };
  await expect(pull(setting)).rejects.toMatchObject({
    name: "DownloadRefused",
    message: expect.stringContaining("404"),
  });
});
