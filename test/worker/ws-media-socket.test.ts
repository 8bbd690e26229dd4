import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { WsMediaSocket } from "../../src/worker/ws-media-socket.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Both ends of a websocket: ours as the service makes it, and a client of another library's making. */
const connected = async () => {
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const ours = new Promise<Readonly<{ socket: WsMediaSocket; ws: WebSocket }>>((resolve) => {
    server.on("upgrade", (request, connection: Duplex, head) => {
      sockets.handleUpgrade(request, connection, head, (ws) =>
        resolve({ socket: new WsMediaSocket(ws, connection), ws }),
      );
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await once(client, "open");
  closing.push(() => {
    client.terminate();
    server.close();
  });
  return { ...(await ours), client };
};

const messages = (client: WebSocket, count: number): Promise<readonly (string | Buffer)[]> =>
  new Promise((resolve) => {
    const got: (string | Buffer)[] = [];
    client.on("message", (data: Buffer, isBinary) => {
      got.push(isBinary ? data : data.toString("utf8"));
      if (got.length === count) resolve(got);
    });
  });

test.each([0, 1, 125, 126, 127, 65_535, 65_536, 70_000])("a message of %i bytes comes whole", async (length) => {
  const { socket, client } = await connected();
  const got = messages(client, 2);
  const bytes = Uint8Array.from({ length }, (_, at) => at % 251);
  socket.send("a".repeat(length));
  socket.send(bytes);
  expect(await got).toEqual(["a".repeat(length), Buffer.from(bytes)]);
});

test("texts of any letters come as they were sent, in order, also between frames of the library's own", async () => {
  const { socket, ws, client } = await connected();
  const texts = fc.sample(fc.string({ unit: "grapheme", maxLength: 200 }), { numRuns: 50, seed: 7 });
  const got = messages(client, texts.length);
  for (const text of texts) {
    ws.ping();
    socket.send(text);
  }
  expect(await got).toEqual(texts);
});

test("what is sent behind the end of the socket is left out", async () => {
  const { socket, client } = await connected();
  const got: string[] = [];
  client.on("message", (data: Buffer) => got.push(data.toString()));
  const closed = once(client, "close");
  socket.send("before");
  socket.close(1000, "");
  socket.send("behind");
  await closed;
  expect(got).toEqual(["before"]);
});
