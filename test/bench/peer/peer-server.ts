import { initializeLogger } from "@livekit/agents";
import { machineMs } from "../../../src/adapters/clock/machine.ts";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import { EventLog } from "../../../src/app/bench-engine/event-log.ts";
import { readScenario } from "../../../src/app/bench-engine/scenario.ts";
import { serveBench } from "../engine/bench-server.ts";
import { PeerCall } from "./peer-call.ts";

const PACE_EVERY_MS = 2;

/** Takes calls until the process is stopped. */
export const servePeer = async (): Promise<void> => {
  initializeLogger({ pretty: false, level: process.env["LOG_LEVEL"] ?? "error" });
  const log = new EventLog(machineMs);
  const parts = {
    clock: new SystemClock(),
    now: machineMs,
    scenario: readScenario(process.env["SCENARIO"]),
    log,
    aligned: process.env["ALIGNED"] === "1",
    ourFilters: process.env["FILTERS"] === "ours",
  };
  const calls = new Set<PeerCall>();
  setInterval(() => {
    const now = machineMs();
    for (const call of calls) call.pace(now);
  }, PACE_EVERY_MS);
  await serveBench(log, (ws) => {
    const call = new PeerCall(parts, (text) => ws.send(text));
    calls.add(call);
    ws.on("message", (data: Buffer) => void call.read(data.toString("latin1")));
    ws.once("close", () => {
      calls.delete(call);
      void call.close();
    });
  });
};
