import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { CarrierHttpClient } from "../../../src/adapters/http/carrier-http-client.ts";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import type { CarrierHttpRequest } from "../../../src/ports/carrier-http.ts";

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

const serve = async (handler: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> => {
  const server = createServer(handler);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/x?y=1`;
};
const ask = (
  url: string,
  more: Partial<CarrierHttpRequest> = {},
  timeoutMs = 5000,
  signal = new AbortController().signal,
) =>
  new CarrierHttpClient({ clock: new SystemClock(), timeoutMs }).request(
    { method: "POST", url, headers: { authorization: "Basic abc" }, body: "a=b", ...more },
    signal,
  );

test("method, headers and body arrive, and the answer comes back", async () => {
  const url = await serve((request, response) => {
    let body = "";
    request.on("data", (part) => (body += String(part)));
    request.on("end", () => {
      response.writeHead(201, { "x-seen": `${request.method} ${request.url} ${request.headers.authorization}` });
      response.end(body);
    });
  });
  expect(await ask(url)).toMatchObject({
    type: "answered",
    status: 201,
    body: "a=b",
    headers: { "x-seen": "POST /x?y=1 Basic abc" },
  });
});

test("a redirect is an answer and is not followed", async () => {
  let asked = 0;
  const url = await serve((_request, response) => {
    asked += 1;
    response.writeHead(307, { location: "/elsewhere" }).end();
  });
  expect(await ask(url)).toMatchObject({ type: "answered", status: 307 });
  expect(asked).toBe(1);
});

test("what did not reach the carrier is told from what may have", async () => {
  const closed = createTcpServer();
  await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  expect(await ask(`http://127.0.0.1:${port}/`)).toMatchObject({ type: "not-sent" });
  expect(await ask("http://no-such-name.invalid/")).toMatchObject({ type: "not-sent" });
  expect(await ask("no url at all")).toMatchObject({ type: "not-sent" });
  // A server without TLS breaks the handshake, before anything of the request has left.
  expect(await ask((await serve(() => undefined)).replace("http:", "https:"))).toMatchObject({ type: "not-sent" });

  expect(await ask(await serve((request) => request.socket.destroy()))).toMatchObject({ type: "lost" });
  const half = await serve((_request, response) => {
    response.writeHead(201, { "content-length": "100" });
    response.write("half", () => response.destroy());
  });
  expect(await ask(half)).toMatchObject({ type: "lost" });
});

test("no answer in time and a broken-off wait are lost answers, too much answer is one too", async () => {
  const silent = await serve(() => undefined);
  expect(await ask(silent, {}, 50)).toMatchObject({ type: "lost" });
  const stop = new AbortController();
  const reached = Promise.withResolvers<void>();
  const url = await serve(() => {
    reached.resolve();
  });
  const asked = ask(url, {}, 5000, stop.signal);
  await reached.promise;
  stop.abort();
  expect(await asked).toMatchObject({ type: "lost" });
  const endless = await serve((_request, response) => response.end("x".repeat(1024 * 1024 + 1)));
  expect(await ask(endless)).toMatchObject({ type: "lost" });
});

test("a closed client sends nothing any more", async () => {
  const client = new CarrierHttpClient({ clock: new SystemClock() });
  const silent = await serve(() => undefined);
  const asked = client.request({ method: "GET", url: silent, headers: {} }, new AbortController().signal);
  await client.close();
  expect((await asked).type).not.toBe("answered");
  expect(await client.request({ method: "GET", url: silent, headers: {} }, new AbortController().signal)).toMatchObject(
    {
      type: "not-sent",
    },
  );
});
