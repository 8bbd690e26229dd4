import { machineMs } from "../../../src/adapters/clock/machine.ts";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import { EventLog } from "../../../src/app/bench-engine/event-log.ts";
import { readScenario } from "../../../src/app/bench-engine/scenario.ts";
import { serveBench } from "../engine/bench-server.ts";
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

await serveBench(log, (ws, path) => {
  if (path === "/echo") {
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
