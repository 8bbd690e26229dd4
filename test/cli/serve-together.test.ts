import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import { ServeTogether } from "../../src/cli/serve-together.ts";
import { ConfigError } from "../../src/config.ts";
import { sleep, withDeadline } from "../../src/ports/clock.ts";
import { silentLogger } from "../kit/silent-logger.ts";

const clock = new SystemClock();

/** Writes who it is under its port, says that it is ready, and ends when it is told to: at once, or at the second time. */
const PROGRAM = `
  import { existsSync, writeFileSync } from "node:fs";
  const { PORT, SHARED_PORT, CONTROL_LISTEN, FOLDER, FAILS } = process.env;
  if (FAILS === "all") process.exit(3);
  const second = FOLDER + "/second";
  if (FAILS === "late" && Number(PORT) === Number(SHARED_PORT) + 2 && !existsSync(second)) {
    writeFileSync(second, "");
    process.exit(3);
  }
  writeFileSync(FOLDER + "/" + PORT, process.pid + " " + SHARED_PORT + " " + CONTROL_LISTEN);
  const beat = setInterval(() => undefined, 1000);
  process.on("message", (times) => {
    writeFileSync(FOLDER + "/" + PORT + ".asked", String(times));
    if (times === 2 || process.env.POLITE === "1") process.exit(0);
  });
  process.on("disconnect", () => process.exit(0));
  process.on("SIGTERM", () => undefined);
  console.log("ready port=" + PORT);
`;

const setUp = async (env: Readonly<Record<string, string>> = {}) => {
  const folder = await mkdtemp(join(tmpdir(), "call-engine-together-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const program = join(folder, "program.mjs");
  await writeFile(program, PROGRAM);
  const port = await freePort();
  const ready: string[] = [];
  const together = new ServeTogether({
    clock,
    logger: silentLogger(),
    program,
    args: [],
    env: { PATH: process.env["PATH"], FOLDER: folder, CONTROL_LISTEN: "127.0.0.1:50052", POLITE: "1", ...env },
    config: { host: "127.0.0.1", port },
    processes: 3,
    ready: (line) => ready.push(line),
  });
  const over = together.run();
  const told = (name: string) => readFile(join(folder, name), "utf8").catch(() => "");
  const until = async (what: string, holds: () => Promise<boolean> | boolean) => {
    const polled = async () => {
      while (!(await holds())) await sleep(clock, 10);
    };
    await withDeadline(clock, 20_000, what, polled());
  };
  return { together, over, port, ready, told, until, folder };
};

const freePort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
};

test("each process has ports of its own, one that dies comes back, and all end when they are told to", async () => {
  const { together, over, port, ready, told, until } = await setUp();
  await until("becoming ready", () => ready.length > 0);
  expect(ready).toEqual([`ready port=${port + 1}`]);
  for (const number of [1, 2, 3])
    expect(await told(String(port + number))).toMatch(new RegExp(`^\\d+ ${port} 127\\.0\\.0\\.1:${50_051 + number}$`));
  const [before] = (await told(String(port + 2))).split(" ");
  process.kill(Number(before), "SIGKILL");
  await until("coming back", async () => {
    const now = await told(String(port + 2));
    return now !== "" && !now.startsWith(`${before} `);
  });
  expect(ready).toHaveLength(1);
  together.stop();
  expect(await over).toBe(0);
});

test("who is asked twice hears of both", async () => {
  const { together, over, port, ready, told, until } = await setUp({ POLITE: "0" });
  await until("becoming ready", () => ready.length > 0);
  together.stop();
  await until("hearing", async () => (await told(`${port + 3}.asked`)) === "1");
  together.stop();
  expect(await over).toBe(0);
  expect(await told(`${port + 1}.asked`)).toBe("2");
});

test("when the first process cannot start there is no other, and its exit code is told", async () => {
  const { over, ready, folder } = await setUp({ FAILS: "all" });
  expect(await over).toBe(3);
  expect(ready).toEqual([]);
  expect(await readdir(folder)).toEqual(["program.mjs"]);
});

test("who is told to stop before anything has begun begins nothing", async () => {
  let begun = 0;
  const together = new ServeTogether({
    clock,
    logger: silentLogger(),
    program: "never started",
    get args() {
      begun += 1;
      return [];
    },
    env: {},
    config: { host: "127.0.0.1", port: await freePort() },
    processes: 2,
    ready: () => undefined,
  });
  const over = together.run();
  together.stop();
  expect(await over).toBe(0);
  expect(begun).toBe(0);
});

test("a process that cannot start at first does not keep the others from serving", async () => {
  const { together, over, port, ready, told, until } = await setUp({ FAILS: "late" });
  await until("the others", async () => (await told(String(port + 3))) !== "");
  expect(ready).toEqual([]);
  await until("becoming ready", () => ready.length > 0);
  together.stop();
  expect(await over).toBe(0);
});

test("a port that somebody has is refused, although it could be shared", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const together = new ServeTogether({
    clock,
    logger: silentLogger(),
    program: "never started",
    args: [],
    env: {},
    config: { host: "127.0.0.1", port: (server.address() as AddressInfo).port },
    processes: 2,
    ready: () => undefined,
  });
  await expect(together.run()).rejects.toThrow(ConfigError);
});
