import { Agent, get } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { once } from "node:events";
import fastify from "fastify";
import { expect, test } from "vitest";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import { closeConnections } from "../../src/api/close-connections.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

test("neither a connection on which nothing was asked nor one that is kept for more keeps the server open", async () => {
  const app = fastify({ keepAliveTimeout: 600_000 });
  closeConnections(app, new SystemClock());
  app.get("/", async () => "answered");
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  const answered = Promise.withResolvers<string>();
  get({ agent, port }, (response) => {
    response.setEncoding("utf8").on("data", answered.resolve);
  }).on("error", answered.reject);
  expect(await answered.promise).toBe("answered");
  const spare = connect(port, "127.0.0.1");
  await once(app.server, "connection");
  const cut = once(spare, "close");
  await app.close();
  await cut;
  agent.destroy();
});

test("a request that never comes to its end keeps the server for ten seconds at most", async () => {
  const clock = new VirtualClock();
  const app = fastify();
  closeConnections(app, clock);
  const asked = Promise.withResolvers<void>();
  app.get("/", () => {
    asked.resolve();
    return new Promise(() => undefined);
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await asked.promise;
  const cut = once(socket, "close");
  let over = false;
  const closed = app.close().then(() => (over = true));
  await clock.advance(9_000);
  expect(over).toBe(false);
  await clock.advance(2_000);
  await cut;
  await closed;
  expect(clock.pending).toBe(0);
});
