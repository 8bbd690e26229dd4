import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { WebSocket } from "ws";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Carrier } from "../../src/ports/carrier.ts";
import type { LiveState, MediaTicket } from "../../src/ports/live.ts";
import type { MediaSocket } from "../../src/ports/media-socket.ts";
import type { Transport } from "../../src/ports/transport.ts";
import { MediaGateway } from "../../src/worker/media-gateway.ts";
import { watchForLeaks } from "../kit/leaks.ts";
import { silentLogger } from "../kit/silent-logger.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

const TOKEN = "a-secret-token-0123456789";

let clock: VirtualClock;
let gateway: MediaGateway;
let server: Server;
let base: string;
let tickets: Map<string, MediaTicket>;
let takeTicket: (token: string) => Promise<MediaTicket | undefined>;
let acceptMedia: (socket: MediaSocket, signal: AbortSignal) => Promise<Transport>;
let lines: { ticket: MediaTicket; line: Transport }[];
let arrived: PromiseWithResolvers<void>;
let wanted: boolean;
let leaks: () => Promise<void>;

/** A line that says which messages it got. */
let genuine: NonNullable<Carrier["verifyMedia"]>;

class EchoLine {
  readonly got: string[] = [];
  readonly socket: MediaSocket;
  closed = false;
  readonly ended = Promise.withResolvers<void>();
  constructor(socket: MediaSocket) {
    this.socket = socket;
    socket.listen({
      message: (data) => this.got.push(String(data)),
      closed: () => {
        this.closed = true;
        this.ended.resolve();
      },
    });
  }
  close(): void {
    this.socket.close(1000, "");
  }
}

beforeEach(async () => {
  leaks = watchForLeaks();
  clock = new VirtualClock();
  tickets = new Map([[TOKEN, { dialId: "dial", epoch: 3, carrier: "acme" }]]);
  takeTicket = async (token) => {
    const ticket = tickets.get(token);
    tickets.delete(token);
    return ticket;
  };
  acceptMedia = async (socket) => new EchoLine(socket) as unknown as Transport;
  lines = [];
  wanted = true;
  arrived = Promise.withResolvers();
  genuine = () => true;
  const carrier = {
    name: "acme",
    acceptMedia: (socket, signal) => acceptMedia(socket, signal),
    verifyMedia: (handshake) => genuine(handshake),
  } as Partial<Carrier>;
  gateway = new MediaGateway({
    clock,
    logger: silentLogger(),
    live: { takeTicket: (token) => takeTicket(token) } as Partial<LiveState> as LiveState,
    carriers: new Map([["acme", carrier as Carrier]]),
    publicWsUrl: "wss://calls.test",
    maxWaiting: 2,
    onLine: (ticket, line) => {
      lines.push({ ticket, line });
      arrived.resolve();
      return wanted;
    },
  });
  server = createServer();
  gateway.attach(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  base = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  await gateway.close();
  server.close();
  server.closeAllConnections();
  await leaks();
});

/** What became of a connection attempt: open, or the HTTP status. */
const dial = (path: string): Promise<WebSocket | number> =>
  new Promise((resolve) => {
    const ws = new WebSocket(`ws://${base}${path}`);
    ws.on("open", () => resolve(ws));
    ws.on("unexpected-response", (request, response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
      request.destroy();
    });
    ws.on("error", () => undefined);
  });

const closeOf = async (ws: WebSocket): Promise<number> => ((await once(ws, "close")) as [number])[0];

test("a handshake that the carrier did not sign is refused and leaves the token to the carrier", async () => {
  let seen: Parameters<typeof genuine>[0] | undefined;
  genuine = (handshake) => {
    seen = handshake;
    return false;
  };
  expect(await dial(`/media/acme/${TOKEN}`)).toBe(403);
  // The address is the public one, whatever the peer calls us.
  expect(seen?.url).toBe(`wss://calls.test/media/acme/${TOKEN}`);
  expect(seen?.headers["sec-websocket-version"]).toBe("13");
  expect(tickets.has(TOKEN)).toBe(true);
  genuine = () => true;
  const ws = (await dial(`/media/acme/${TOKEN}`)) as WebSocket;
  await arrived.promise;
  ws.close();
});

test("a socket with a good token becomes a line of its ticket", async () => {
  const ws = (await dial(`/media/acme/${TOKEN}?x=1`)) as WebSocket;
  await arrived.promise;
  expect(lines[0]!.ticket).toEqual({ dialId: "dial", epoch: 3, carrier: "acme" });
  lines[0]!.line.close();
  expect(await closeOf(ws)).toBe(1000);
});

test("the same token does not let a second socket in", async () => {
  await dial(`/media/acme/${TOKEN}`);
  expect(await dial(`/media/acme/${TOKEN}`)).toBe(403);
  expect(lines).toHaveLength(1);
});

test.each([
  ["/media/acme/a-token-that-nobody-issued", 403],
  ["/media/acme/short", 404],
  ["/media/nobody/a-token-that-nobody-issued", 404],
  ["/media/acme/", 404],
  ["/browser/dial", 404],
  ["/", 404],
])("%s is answered with HTTP %i", async (path, status) => {
  expect(await dial(path)).toBe(status);
  expect(lines).toHaveLength(0);
  expect(gateway.load).toEqual({ waiting: 0, open: 0 });
});

test("a token of another carrier is spent and refused", async () => {
  tickets.set(TOKEN, { dialId: "dial", epoch: 3, carrier: "other" });
  expect(await dial(`/media/acme/${TOKEN}`)).toBe(403);
  expect(await dial(`/media/acme/${TOKEN}`)).toBe(403);
});

test("when tickets cannot be checked the answer is to come again", async () => {
  takeTicket = () => Promise.reject(new Error("away"));
  expect(await dial(`/media/acme/${TOKEN}`)).toBe(503);
});

test("a peer that does not say what it is within three seconds is closed", async () => {
  const reason = Promise.withResolvers<unknown>();
  acceptMedia = (_socket, signal) =>
    new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(new Error("too slow")), { once: true });
      reason.resolve(undefined);
    });
  const ws = (await dial(`/media/acme/${TOKEN}`)) as WebSocket;
  const closed = closeOf(ws);
  await reason.promise;
  await clock.advance(2999);
  expect(ws.readyState).toBe(WebSocket.OPEN);
  await clock.advance(1);
  expect(await closed).toBe(1008);
  expect(gateway.load.waiting).toBe(0);
});

test("more sockets on their way in than allowed are told to come again", async () => {
  const gate = Promise.withResolvers<undefined>();
  takeTicket = () => gate.promise;
  const both = [dial(`/media/acme/${TOKEN}`), dial(`/media/acme/${TOKEN}x`)];
  await Promise.all([once(server, "upgrade"), once(server, "connection")]);
  while (gateway.load.waiting < 2) await once(server, "upgrade");
  expect(await dial(`/media/acme/${TOKEN}y`)).toBe(503);
  gate.resolve(undefined);
  expect(await Promise.all(both)).toEqual([403, 403]);
});

test("a line that nobody waits for is closed", async () => {
  wanted = false;
  const ws = (await dial(`/media/acme/${TOKEN}`)) as WebSocket;
  expect(await closeOf(ws)).toBe(1000);
});

test("messages before the handshake are held in order, and too many close the socket", async () => {
  const go = Promise.withResolvers<void>();
  acceptMedia = async (socket) => {
    await go.promise;
    return new EchoLine(socket) as unknown as Transport;
  };
  const ws = (await dial(`/media/acme/${TOKEN}`)) as WebSocket;
  for (let count = 0; count < 64; count++) ws.send(String(count));
  ws.ping();
  await once(ws, "pong");
  go.resolve();
  await arrived.promise;
  const line = lines[0]!.line as unknown as EchoLine;
  expect(line.got).toEqual(Array.from({ length: 64 }, (_, count) => String(count)));

  tickets.set(TOKEN, { dialId: "dial", epoch: 3, carrier: "acme" });
  acceptMedia = () => new Promise(() => {});
  const flood = (await dial(`/media/acme/${TOKEN}`)) as WebSocket;
  for (let count = 0; count < 65; count++) flood.send(String(count));
  expect(await closeOf(flood)).toBe(1008);
  await clock.advance(3000);
});

test("a message that is too large and a broken frame end that socket and nothing else", async () => {
  const ws = (await dial(`/media/acme/${TOKEN}`)) as WebSocket;
  await arrived.promise;
  ws.send("x".repeat(33 * 1024));
  expect(await closeOf(ws)).toBe(1009);
  tickets.set(TOKEN, { dialId: "dial", epoch: 3, carrier: "acme" });
  const broken = (await dial(`/media/acme/${TOKEN}`)) as WebSocket & { _socket: { write(data: Buffer): void } };
  const closed = closeOf(broken);
  broken._socket.write(Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff]));
  await closed;
  tickets.set(TOKEN, { dialId: "dial", epoch: 3, carrier: "acme" });
  expect(await dial(`/media/acme/${TOKEN}`)).toBeInstanceOf(WebSocket);
});

test("a peer that goes away while its ticket is looked up leaves nothing behind", async () => {
  const asked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<MediaTicket>();
  takeTicket = () => {
    asked.resolve();
    return gate.promise;
  };
  const [host, port] = base.split(":");
  const peer = connect(Number(port), host);
  peer.write(
    `GET /media/acme/${TOKEN} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
  );
  await asked.promise;
  peer.resetAndDestroy();
  await once(peer, "close");
  gate.resolve({ dialId: "dial", epoch: 3, carrier: "acme" });
  // Nobody reads the connection meanwhile, so its end may show only after the handshake.
  await arrived.promise;
  await (lines[0]!.line as unknown as EchoLine).ended.promise;
  expect(gateway.load).toEqual({ waiting: 0, open: 0 });
});

test("a peer that answers no ping is ended in the round after", async () => {
  const ws = (await dial(`/media/acme/${TOKEN}`)) as WebSocket;
  await arrived.promise;
  ws.pause();
  await clock.advance(20_000);
  expect(gateway.load.open).toBe(1);
  const line = lines[0]!.line as unknown as EchoLine;
  await clock.advance(20_000);
  ws.resume();
  await closeOf(ws);
  expect(line.closed).toBe(true);
});

test("closing ends every socket and refuses new ones", async () => {
  const ws = (await dial(`/media/acme/${TOKEN}`)) as WebSocket;
  await arrived.promise;
  const closed = closeOf(ws);
  await gateway.close();
  expect(await closed).toBe(1001);
  tickets.set(TOKEN, { dialId: "dial", epoch: 3, carrier: "acme" });
  expect(await dial(`/media/acme/${TOKEN}`)).toBe(503);
});
