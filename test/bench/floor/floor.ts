import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { WebSocketServer } from "ws";
import { machineMs } from "../../../src/adapters/clock/machine.ts";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import { EventLog } from "../../../src/app/bench-engine/event-log.ts";
import { readScenario } from "../../../src/app/bench-engine/scenario.ts";
import { FloorCall } from "./floor-call.ts";

/**
 * What the same calls cost a program that is nothing but them: measured in the same run as the engine, it takes the machine out of the
 * figures. Speaks the protocol of `call-engine bench-engine`, from the same scenario.
 */
const PACE_EVERY_MS = 2;
const PAYLOAD = '"payload":"';

const clock = new SystemClock();
const scenario = readScenario(process.env["SCENARIO"]);
const log = new EventLog(machineMs);
const calls = new Set<FloorCall>();

const server = createServer((request, response) => {
  const isStats = request.url?.startsWith("/stats") === true;
  if (request.url === "/stats?gc=1") collectGarbage();
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(isStats ? { pid: process.pid, mem: process.memoryUsage() } : log.drain()));
});
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
sockets.on("connection", (ws, { url }) => {
  if (url === "/echo") {
    ws.on("message", (data: Buffer) => {
      const text = data.toString("latin1");
      const at = text.indexOf(PAYLOAD) + PAYLOAD.length;
      if (at < PAYLOAD.length) return;
      ws.send(`{"event":"media","media":{"payload":"${text.slice(at, text.indexOf('"', at))}"}}`);
    });
    return;
  }
  const call = new FloorCall(
    {
      listen: ({ message, closed }) => {
        ws.on("message", (data: Buffer) => message(data.toString("latin1")));
        ws.on("close", () => closed());
      },
      send: (data) => ws.send(data),
    },
    { clock, now: machineMs, scenario, log },
  );
  calls.add(call);
  ws.once("close", () => calls.delete(call));
});
setInterval(() => {
  const now = machineMs();
  for (const call of calls) call.pace(now);
}, PACE_EVERY_MS);

const collectGarbage = (): void => {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
};

process.on("SIGTERM", () => process.exit(0));
server.listen(Number(process.env["PORT"] ?? 0), process.env["HOST"] ?? "127.0.0.1");
await once(server, "listening");
const { port } = server.address() as AddressInfo;
console.log(`ready media=ws://localhost:${port}/media stats=http://localhost:${port}/stats`);
