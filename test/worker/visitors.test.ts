import { expect, test } from "vitest";
import { VisitorCalls } from "../../src/adapters/browser/browser-calls.ts";
import { memoryLiveState } from "../../src/adapters/live/memory.ts";
import type { CallPlan } from "../../src/model/call-plan.ts";
import type { Carrier } from "../../src/ports/carrier.ts";
import type { MediaSocket } from "../../src/ports/media-socket.ts";
import { hasPrompt, queueAge } from "../../src/worker/gates.ts";
import type { WorkerOptions } from "../../src/worker/worker.ts";
import { countingMetrics } from "../kit/counting-metrics.ts";
import { silentLogger } from "../kit/silent-logger.ts";
import { planOf, WorkerRig } from "./worker-rig.ts";

/** A visitor's socket in virtual time. */
class SimSocket implements MediaSocket {
  readonly bufferedAmount = 0;
  readonly got: Readonly<{ type: string }>[] = [];
  code: number | undefined;
  #handlers: Parameters<MediaSocket["listen"]>[0] | undefined;

  listen(handlers: Parameters<MediaSocket["listen"]>[0]): void {
    this.#handlers = handlers;
  }

  send(data: string | Uint8Array): void {
    if (typeof data === "string") this.got.push(JSON.parse(data) as Readonly<{ type: string }>);
  }

  say(message: Readonly<Record<string, unknown>>): void {
    this.#handlers?.message(JSON.stringify(message));
  }

  /** The peer goes away, or we close. */
  close(code: number): void {
    if (this.code !== undefined) return;
    this.code = code;
    this.#handlers?.closed(code);
  }
}

const FORMAT = { format: "pcm16", sampleRate: 24_000 };

/** A worker with visitors beside its carrier, and one browser dial. */
const start = async (plan: Partial<CallPlan> = {}, options: Partial<WorkerOptions> = {}) => {
  const parts: { calls?: VisitorCalls } = {};
  const rig: WorkerRig = new WorkerRig(options, (deps) => {
    const live = memoryLiveState({ clock: deps.clock });
    parts.calls = new VisitorCalls({
      clock: deps.clock,
      logger: silentLogger(),
      metrics: countingMetrics().metrics,
      live,
      begin: (dialId) => rig.worker.take(dialId),
      withdraw: (dialId) => rig.worker.withdraw(dialId),
      onLine: (ticket, line) => rig.lines.arrived(ticket, line),
    });
    const carriers = new Map<string, Carrier>([...deps.carriers, [parts.calls.name, parts.calls]]);
    return { ...deps, live, carriers, gates: [queueAge(1000), hasPrompt] };
  });
  await rig.worker.start();
  await rig.store.store.dials.create({
    plan: planOf("d1", { direction: "browser", carrier: "browser", ...plan }),
    sessionId: "s",
  });
  const calls = parts.calls as VisitorCalls;
  const come = async (): Promise<SimSocket> => {
    const socket = new SimSocket();
    expect(calls.attach({ dialId: "d1", tokenId: "t1" }, socket)).toBe(true);
    socket.say({ type: "start", input: FORMAT, output: FORMAT });
    // While muted, a visitor sends nothing.
    socket.say({ type: "mute", muted: true });
    // The line opens once the formats' parts are made, which takes no time of the clock.
    for (let round = 0; round < 20; round++) await rig.clock.settle();
    await rig.clock.advance(100);
    return socket;
  };
  return { rig, calls, come };
};

test("a visitor who comes late is let in at once, and who hangs up is the counterparty", async () => {
  const { rig, come } = await start();
  await rig.clock.advance(60_000);
  expect(rig.store.row("d1").state).toBe("QUEUED");
  const socket = await come();
  expect(rig.store.row("d1").state).toBe("IN_PROGRESS");
  expect(rig.worker.connected).toBe(1);
  socket.say({ type: "hang_up" });
  expect(await rig.ended("d1")).toMatchObject({ reason: "counterparty_hangup", endedBy: "remote" });
  await rig.clock.advance(100);
  expect(socket.got.at(-1)).toMatchObject({
    type: "bye",
    status: "completed",
    systemResultType: "COUNTERPARTY_HANGUP",
  });
  expect(socket.code).toBe(1000);
});

test("a socket that breaks costs the call only when it is not there again in time", async () => {
  const { rig, calls, come } = await start();
  const first = await come();
  first.close(1006);
  await rig.clock.advance(9_000);
  const second = await come();
  await rig.clock.advance(30_000);
  expect(rig.store.row("d1").state).toBe("IN_PROGRESS");
  expect(second.got[0]).toMatchObject({ type: "ready", resumed: true });
  second.close(1006);
  const brokenAt = rig.clock.monotonic();
  const end = await rig.ended("d1");
  expect(end).toMatchObject({ reason: "media_lost" });
  expect(end.at - brokenAt).toBeGreaterThanOrEqual(10_000);
  expect(end.at - brokenAt).toBeLessThan(12_000);
  expect(calls.presence("d1")).toEqual({ state: "absent" });
});

test("the agent's hang-up and the API's reach the visitor", async () => {
  const { rig, come } = await start();
  rig.calls.script("d1", { agentHangsUpMs: 5_000 });
  const socket = await come();
  expect(await rig.ended("d1")).toMatchObject({ reason: "agent_hangup", endedBy: "agent" });
  await rig.clock.advance(100);
  expect(socket.got.at(-1)).toMatchObject({ type: "bye", status: "completed", systemResultType: null });

  const other = await start();
  await other.come();
  await other.rig.deps.live.command("d1", { type: "hang-up", endReason: "operator_hangup" });
  expect(await other.rig.ended("d1")).toMatchObject({ reason: "operator_hangup", endedBy: "api" });
});

test("an agent without a prompt fails when its visitor comes, and not before", async () => {
  const { rig, come } = await start({ lacksPrompt: true });
  await rig.clock.advance(30_000);
  expect(rig.store.row("d1").state).toBe("QUEUED");
  const socket = await come();
  expect(await rig.ended("d1")).toMatchObject({ reason: "model_failed", endedBy: "system" });
  await rig.clock.advance(100);
  expect(socket.got.at(-1)).toMatchObject({ type: "bye", status: "failed", systemResultType: "FAILED" });
});

test("a visitor who leaves while the worker is full leaves the dial to whoever comes next", async () => {
  const { rig, come } = await start({}, { slots: 1 });
  await rig.dial("phone", { answers: ["accepted"], person: "answers", ringMs: 100, talkMs: 30_000 });
  await rig.clock.advance(500);
  const first = await come();
  expect(rig.store.row("d1").state).toBe("QUEUED");
  first.say({ type: "hang_up" });
  await rig.clock.advance(31_000);
  expect(rig.store.row("phone").state).toBe("ENDED");
  expect(rig.store.row("d1").state).toBe("QUEUED");
  await come();
  expect(rig.store.row("d1").state).toBe("IN_PROGRESS");
});

test("a dial that waits for its visitor does not hold up a shutdown, and nobody is let in during one", async () => {
  const { rig, come } = await start();
  await rig.worker.drain();
  expect(rig.store.row("d1").state).toBe("QUEUED");
  const socket = await come();
  expect(socket.got.at(-1)).toMatchObject({ type: "error", code: "unavailable" });
  expect(socket.code).toBe(1013);
});
