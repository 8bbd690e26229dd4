import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type WebSocket, WebSocketServer } from "ws";
import { machineMs } from "../../adapters/clock/machine.ts";
import { GuardedHttpCaller } from "../../adapters/http/guarded-http-caller.ts";
import { makeDeps } from "../../app.ts";
import type { Config } from "../../config.ts";
import { Scope } from "../../kit/scope.ts";
import type { VoiceActivityDetector } from "../../ports/vad.ts";
import { createProviders } from "../../registry.ts";
import { Lines } from "../../worker/lines.ts";
import { Worker } from "../../worker/worker.ts";
import { demoSeed } from "../demo-workspace.ts";
import { EnginesUnavailable } from "../engines-unavailable.ts";
import { callFactory } from "../prepare.ts";
import { openRecorder } from "../recordings.ts";
import { openStores } from "../stores.ts";
import { BENCH_CARRIER, benchCarrier } from "./bench-carrier.ts";
import { BenchCalls } from "./bench-calls.ts";
import { echoLine } from "./echo-line.ts";
import { EventLog } from "./event-log.ts";
import { loudDetector } from "./loud-detector.ts";
import type { Scenario } from "./scenario.ts";
import { ScriptedEngines } from "./scripted-engines.ts";

type Env = Readonly<Record<string, string | undefined>>;

type BenchEngine = Readonly<{
  port: number;
  /** Ends every call at once and leaves nothing running. */
  stop(): Promise<void>;
}>;

/** More than one core holds. */
const SLOTS = 10_000;

/** Starts a worker, its stores and scripted providers in this process, and listens for calls. */
export const startBenchEngine = async (config: Config, env: Env, scenario: Scenario): Promise<BenchEngine> => {
  const scope = new Scope("the bench engine");
  try {
    return await assemble(config, env, scenario, scope);
  } catch (error) {
    await scope.close().catch(() => undefined);
    throw error;
  }
};

const assemble = async (config: Config, env: Env, scenario: Scenario, scope: Scope): Promise<BenchEngine> => {
  const deps = makeDeps(config, env);
  scope.onClose(() => deps.metrics.close());
  const stores = await openStores(config, deps, scope);
  const vad = await detector(config, env, scenario, deps);
  const engines = new ScriptedEngines({ ...deps, now: machineMs, scenario, vad });
  const { running } = engines;
  scope.onClose(() => running.close());
  await stores.store.catalogue.seed(demoSeed(running.catalogue));
  const recorder = openRecorder(config, env, deps, (dialId) => stores.store.erasures.standingOf(dialId));
  scope.onClose(() => recorder.close());
  const http = new GuardedHttpCaller({ clock: deps.clock, allowPrivateNetwork: false });
  scope.onClose(() => http.close());
  const open = new Set<string>();
  const carrier = benchCarrier(deps, (callId) => open.has(callId));
  const lines = new Lines();
  const worker = new Worker(
    {
      ...deps,
      ...stores,
      dials: stores.store.dials,
      lines,
      recorder,
      carriers: new Map([[BENCH_CARRIER, carrier]]),
      gates: [],
      publicWsUrl: "ws://localhost",
      statusUrl: () => "http://localhost/",
      answerUrl: () => "http://localhost/",
      prepare: callFactory(
        { ...deps, ...stores, ...config.defaults, http, doNotCall: stores.store.catalogue },
        running,
        config.paceLeadMs,
        engines.tune,
      ),
    },
    { owner: `bench-${process.pid}`, drainMs: 0, slots: SLOTS, perSecond: SLOTS, perWorkspace: SLOTS, reserve: 0 },
  );
  scope.onClose(() => worker.drain());
  await worker.start();
  const log = new EventLog(machineMs);
  const calls = new BenchCalls({ deps, stores, carrier, worker, lines, engines, log }, open);
  scope.onClose(() => calls.close());
  const port = await listen(config, { deps, calls, log }, scope);
  return { port, stop: () => scope.close() };
};

const detector = async (
  config: Config,
  env: Env,
  scenario: Scenario,
  deps: ReturnType<typeof makeDeps>,
): Promise<VoiceActivityDetector> => {
  const wanted = config.defaults.vad ?? "energy";
  if (wanted === "energy") return loudDetector(scenario.energyThreshold);
  const { running, missing } = await createProviders<VoiceActivityDetector>(
    "vad",
    [wanted],
    env,
    deps,
    (name) => name === wanted,
  );
  const [found] = running;
  if (found === undefined)
    throw new EnginesUnavailable(`VAD=${wanted} cannot be had: ${missing[0]?.reason ?? "use energy or silero"}`);
  return found.made;
};

type Served = Readonly<{ deps: ReturnType<typeof makeDeps>; calls: BenchCalls; log: EventLog }>;

const listen = async (config: Config, { deps, calls, log }: Served, scope: Scope): Promise<number> => {
  const server = createServer((request, response) => respond(request, response, log));
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: 32 * 1024 });
  server.on("upgrade", (request, socket, head) => {
    const take = {
      "/media": (ws: WebSocket) => calls.take(ws, socket),
      "/echo": (ws: WebSocket) => echoLine(ws, socket, deps),
    }[pathOf(request)];
    if (take === undefined) socket.end("HTTP/1.1 404 Not Found\r\n\r\n");
    else sockets.handleUpgrade(request, socket, head, (ws) => void take(ws));
  });
  scope.onClose(() => closed(server, sockets));
  server.listen(config.port, config.host);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
};

const closed = (server: Server, sockets: WebSocketServer): Promise<void> =>
  new Promise((resolve) => {
    for (const ws of sockets.clients) ws.terminate();
    server.close(() => resolve());
    server.closeAllConnections();
  });

const pathOf = (request: IncomingMessage): string => (request.url ?? "").split("?", 1)[0] ?? "";

const respond = (request: IncomingMessage, response: ServerResponse, log: EventLog): void => {
  const path = pathOf(request);
  if (path === "/stats" && request.url?.endsWith("?gc=1") === true) collectGarbage();
  const answers: Readonly<Record<string, () => unknown>> = {
    "/events": () => log.drain(),
    "/stats": () => ({ pid: process.pid, mem: process.memoryUsage() }),
  };
  const body = answers[path]?.();
  response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" });
  response.end(JSON.stringify(body ?? { error: "There are /media, /echo, /events and /stats." }));
};

const collectGarbage = (): void => {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
};
