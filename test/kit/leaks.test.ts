import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { watchForLeaks } from "./leaks.ts";

test("nothing is reported when everything was closed", async () => {
  const check = watchForLeaks();
  const server = createServer((socket) => socket.resume()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  await once(socket, "connect");
  const worker = new Worker("require('node:worker_threads').parentPort.on('message', () => undefined)", { eval: true });
  await once(worker, "online");
  socket.destroy();
  server.close();
  void worker.terminate();
  // Not awaited: the check itself waits for what is still on its way out.
  await check();
});

test("a server that still listens is reported", async () => {
  const check = watchForLeaks();
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  await expect(check(50)).rejects.toThrow("left running after 50 ms: TCPServerWrap");
  server.close();
  await check();
});

test("a timer that still waits is reported", async () => {
  const check = watchForLeaks();
  // oxlint-disable-next-line no-restricted-globals -- the timer is the thing under test
  const timers = [setTimeout(() => undefined, 60_000), setTimeout(() => undefined, 60_000)];
  await expect(check(50)).rejects.toThrow("2 × Timeout");
  for (const timer of timers) clearTimeout(timer);
  await check();
});

test("a worker thread that still runs is reported", async () => {
  const check = watchForLeaks();
  const worker = new Worker("require('node:worker_threads').parentPort.on('message', () => undefined)", { eval: true });
  worker.unref();
  await once(worker, "online");
  await expect(check(50)).rejects.toThrow("worker thread");
  await worker.terminate();
});

test("a detached child process that still runs is reported", { skip: process.platform !== "linux" }, async () => {
  const check = watchForLeaks();
  const child = spawn("sleep", ["60"], { detached: true, stdio: "ignore" });
  child.unref();
  await once(child, "spawn");
  await expect(check(50)).rejects.toThrow(`process ${child.pid} (sleep)`);
  child.kill("SIGKILL");
});
