import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { toError } from "../../kit/errors.ts";
import type { CallPlan } from "../../model/call-plan.ts";
import type { Carrier } from "../../ports/carrier.ts";
import type { Timer } from "../../ports/clock.ts";
import type { AdapterDeps } from "../../ports/descriptor.ts";
import type { Transport } from "../../ports/transport.ts";
import type { Lines } from "../../worker/lines.ts";
import type { Worker } from "../../worker/worker.ts";
import { WsMediaSocket } from "../../worker/ws-media-socket.ts";
import { DEMO_AGENT_ID, DEMO_PROMPT_ID, WORKSPACE_ID } from "../demo-workspace.ts";
import type { Stores } from "../stores.ts";
import { BENCH_CARRIER } from "./bench-carrier.ts";
import type { EventLog } from "./event-log.ts";
import type { ScriptedEngines } from "./scripted-engines.ts";

type BenchCallsParts = Readonly<{
  deps: AdapterDeps;
  stores: Stores;
  carrier: Carrier;
  worker: Worker;
  lines: Lines;
  engines: ScriptedEngines;
  log: EventLog;
}>;

const HANDSHAKE_MS = 3_000;

/** From the sound's arrival until a worker holds the call. */
const HELD_MS = 10_000;

/** Makes an inbound dial of each media socket, which then goes the way of every other. */
export class BenchCalls {
  readonly #parts: BenchCallsParts;
  readonly #open: Set<string>;
  /** What is let go of a while after its call. */
  readonly #leaving = new Set<Timer>();
  #count = 0;

  /** `open` holds the carrier's ids of the calls whose sound is there. */
  constructor(parts: BenchCallsParts, open: Set<string>) {
    this.#parts = parts;
    this.#open = open;
  }

  /** Takes a call to its beginning; never rejects. */
  async take(ws: WebSocket, connection: Duplex): Promise<void> {
    const { deps, carrier } = this.#parts;
    const socket = new WsMediaSocket(ws, connection);
    const patience = new AbortController();
    const timer = deps.clock.setTimer(HANDSHAKE_MS, () => patience.abort());
    try {
      const line = await carrier.acceptMedia(socket, patience.signal);
      timer.cancel();
      await this.#begin(ws, line);
    } catch (error) {
      timer.cancel();
      deps.logger.warn("a measured call did not begin", { error: toError(error) });
      socket.close(1011, "the call did not begin");
    }
  }

  /** Waits for nothing any more. */
  close(): void {
    for (const timer of this.#leaving) timer.cancel();
    this.#leaving.clear();
  }

  async #begin(ws: WebSocket, line: Transport): Promise<void> {
    const { deps, stores, worker, lines, engines, log } = this.#parts;
    const { dials } = stores.store;
    const callId = line.carrierCallId ?? deps.random.id();
    const dialId = deps.random.id();
    const close = engines.open(dialId, log.of(callId));
    this.#open.add(callId);
    ws.once("close", () => {
      this.#open.delete(callId);
      // The call lets go of its engines after its line; what still asks for them finds them.
      const timer = deps.clock.setTimer(HELD_MS, () => {
        this.#leaving.delete(timer);
        close();
      });
      this.#leaving.add(timer);
    });
    this.#count += 1;
    await dials.create({ plan: benchPlan(dialId, callId, this.#count), sessionId: deps.random.id() });
    if (!worker.take(dialId)) throw new Error("the worker takes no calls");
    await this.#held(dialId);
    const dial = await dials.peek(dialId);
    if (dial === undefined || !lines.arrived({ dialId, epoch: dial.epoch, carrier: BENCH_CARRIER }, line))
      throw new Error("nobody waits for the line");
  }

  /** A worker says that the call rings once it waits for the sound. */
  async #held(dialId: string): Promise<void> {
    const { deps, stores } = this.#parts;
    const patience = new AbortController();
    const timer = deps.clock.setTimer(HELD_MS, () => patience.abort());
    try {
      for await (const { event } of stores.live.follow(dialId, undefined, patience.signal))
        if (event.type === "status" && event.status === "ringing") return;
    } finally {
      timer.cancel();
      patience.abort();
    }
    throw new Error("no worker took the call in time");
  }
}

/** The plan of a measured call. Numbers are from the block that is reserved for fiction, with room for ten million calls behind it. */
export const benchPlan = (dialId: string, callId: string, count: number): CallPlan => ({
  dialId,
  workspaceId: WORKSPACE_ID,
  direction: "inbound",
  toNumber: "+12025550100",
  fromNumber: `+1202555${String(count % 10_000_000).padStart(7, "0")}`,
  carrier: BENCH_CARRIER,
  carrierCallId: callId,
  agent: { id: DEMO_AGENT_ID, name: "Bench", language: "en-US" },
  prompt: {
    id: DEMO_PROMPT_ID,
    name: "Bench",
    agentType: "STANDARD",
    prompt: "You answer the phone of a small office. Keep every answer to one or two short sentences.",
    aiModelId: dialId,
  },
  inputs: {},
  functions: [],
  language: "en-US",
  transcriber: { type: dialId, keywords: [] },
  voice: { id: dialId, options: [], volumeDb: 0 },
  sensitivity: "ULTRA_FAST",
  endpoint: { type: "SIMPLE", mode: "AGGRESSIVE" },
  idle: { enabled: false, messages: [], afterMs: 10_000, maxMessages: 0 },
  maxDurationMs: 10_800_000,
  ringTimeoutMs: 45_000,
  // Engines beside which this one is put keep no sound.
  unrecorded: true,
  warnings: [],
});
