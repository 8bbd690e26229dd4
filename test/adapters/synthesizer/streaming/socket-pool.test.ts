import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { SocketPool } from "../../../../src/adapters/synthesizer/streaming/socket-pool.ts";
import { VirtualClock } from "../../../kit/virtual-clock.ts";

/** Takes connections and says nothing. */
const silentServer = async () => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket.on("error", () => undefined)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

test("who no longer wants a connection does not wait for the one that is being opened ahead", async () => {
  const clock = new VirtualClock();
  const pool = new SocketPool("vendor", clock);
  const target = { key: "one", url: await silentServer(), headers: {} };
  pool.warm(target);
  const caller = new AbortController();
  const leasing = pool.lease(target, caller.signal);
  caller.abort(new Error("the caller speaks"));
  await expect(leasing).rejects.toThrow("the caller speaks");
  await expect(pool.lease(target, caller.signal)).rejects.toThrow("the caller speaks");
  // The one ahead is for whoever comes next.
  expect(clock.pending).toBe(1);
  pool.close();
});
