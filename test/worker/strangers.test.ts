import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { expect, test } from "vitest";
import type { Carrier } from "../../src/ports/carrier.ts";
import type { LiveState, MediaTicket } from "../../src/ports/live.ts";
import type { MediaSocket } from "../../src/ports/media-socket.ts";
import type { Transport } from "../../src/ports/transport.ts";
import { MediaGateway } from "../../src/worker/media-gateway.ts";
import { heapInUse } from "../kit/garbage.ts";
import { watchForLeaks } from "../kit/leaks.ts";
import { runs } from "../kit/runs.ts";
import { silentLogger } from "../kit/silent-logger.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

const TOKEN = "a-secret-token-0123456789";
const STRANGERS = runs(400, 10_000);
const AT_ONCE = 50;

/** What a stranger who means harm may open a connection with. */
const OPENINGS = [
  (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n${UPGRADE}\r\n`,
  (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n${UPGRADE.replace("13", "8")}\r\n`,
  (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`,
  () => "GET /browser/d1 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
  () => "\u0016\u0003\u0001\u0002",
];
const UPGRADE =
  "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

test(`${STRANGERS} sockets of strangers leave memory as it was, and the call that goes on unharmed`, async () => {
  const leaks = watchForLeaks();
  const got: string[] = [];
  const tickets = new Map<string, MediaTicket>([[TOKEN, { dialId: "d1", epoch: 1, carrier: "acme" }]]);
  const carrier = {
    name: "acme",
    acceptMedia: async (socket: MediaSocket) => {
      socket.listen({ message: (data) => got.push(String(data)), closed: () => undefined });
      return { close: () => socket.close(1000, "") } as Transport;
    },
  } as Partial<Carrier>;
  const gateway = new MediaGateway({
    clock: new VirtualClock(),
    logger: silentLogger(),
    live: {
      takeTicket: async (token: string) => {
        const ticket = tickets.get(token);
        tickets.delete(token);
        return ticket;
      },
    } as Partial<LiveState> as LiveState,
    carriers: new Map([["acme", carrier as Carrier]]),
    publicWsUrl: "wss://calls.test",
    onLine: () => true,
  });
  const server = createServer();
  gateway.attach(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const call = new WebSocket(`ws://127.0.0.1:${port}/media/acme/${TOKEN}`);
  await once(call, "open");

  const storm = async (count: number): Promise<readonly string[]> => {
    const answers: string[] = [];
    for (let begun = 0; begun < count; begun += AT_ONCE)
      answers.push(...(await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => knock(port, begun + index)))));
    return answers;
  };
  await storm(2 * AT_ONCE);
  const before = await heapInUse();
  const answers = await storm(STRANGERS);
  expect(new Set(answers)).toEqual(new Set(["400", "403", "404"]));
  expect((await heapInUse()) - before).toBeLessThan(1_000_000);
  expect(gateway.load).toEqual({ waiting: 0, open: 1 });
  call.send("still here");
  while (got.length === 0) await new Promise(setImmediate);
  expect(got).toEqual(["still here"]);

  await gateway.close();
  server.close();
  server.closeAllConnections();
  await leaks();
}, 300_000);

/** Opens a socket, says something, and answers the status that it is refused with. */
const knock = async (port: number, index: number): Promise<string> => {
  const socket: Socket = connect(port, "127.0.0.1");
  const opening = OPENINGS[index % OPENINGS.length] ?? OPENINGS[0];
  const path = `/media/${index % 2 === 0 ? "acme" : "nobody"}/${"guess-".repeat(4)}${index}`;
  let answer = "";
  socket.setEncoding("latin1").on("data", (text: string) => {
    answer += text;
  });
  socket.on("error", () => undefined);
  socket.write(opening?.(path) ?? "");
  await once(socket, "close");
  return answer.slice(9, 12);
};
