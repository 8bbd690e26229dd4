import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type WebSocket, WebSocketServer } from "ws";
import type { EventLog } from "../../../src/app/bench-engine/event-log.ts";

/**
 * Listens at `PORT` as `call-engine bench-engine` does, and says where: `take` gets every media socket with the path that it was opened
 * at; `/events` and `/stats` are answered from here. Ends with SIGTERM.
 */
export const serveBench = async (log: EventLog, take: (ws: WebSocket, path: string) => void): Promise<void> => {
  const server = createServer((request, response) => {
    const isStats = request.url?.startsWith("/stats") === true;
    if (request.url === "/stats?gc=1") collectGarbage();
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(isStats ? { pid: process.pid, mem: process.memoryUsage() } : log.drain()));
  });
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
  sockets.on("connection", (ws, { url }) => take(ws, url ?? ""));
  process.on("SIGTERM", () => process.exit(0));
  server.listen(Number(process.env["PORT"] ?? 0), process.env["HOST"] ?? "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  console.log(`ready media=ws://localhost:${port}/media stats=http://localhost:${port}/stats`);
};

const collectGarbage = (): void => {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
};
