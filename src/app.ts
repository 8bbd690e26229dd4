import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import type { VisitorCalls } from "./adapters/browser/browser-calls.ts";
import { SystemClock } from "./adapters/clock/system.ts";
import type { CallerScript } from "./adapters/carrier/simulation/script.ts";
import { isLoopbackNumber } from "./adapters/carrier/simulation/numbers.ts";
import { GuardedHttpCaller } from "./adapters/http/guarded-http-caller.ts";
import { createPinoLogger } from "./adapters/logger/pino.ts";
import { PromMetrics } from "./adapters/metrics/prom.ts";
import { modelFolders } from "./adapters/model-files/folders.ts";
import { ModelFolder } from "./adapters/model-files/model-folder.ts";
import { SystemRandom } from "./adapters/random/system.ts";
import { openFfmpeg } from "./adapters/sound-converter/ffmpeg.ts";
import { createServer } from "./api/server.ts";
import { ensureApiKey } from "./app/api-key.ts";
import { playBackgrounds } from "./app/backgrounds.ts";
import { watchCapacity } from "./app/capacity.ts";
import { openVisitorCalls } from "./app/browsers.ts";
import { listenDirectly } from "./app/direct-carriers.ts";
import { openCarriers, type OpenCarriers } from "./app/carriers.ts";
import { demoSeed, WORKSPACE_ID } from "./app/demo-workspace.ts";
import { startEngines, type RunningEngines, type Tier } from "./app/engines.ts";
import { preflight } from "./app/preflight.ts";
import { openProcesses, openSockets, takeOrders, type Processes } from "./app/processes.ts";
import { callFactory } from "./app/prepare.ts";
import { startHousekeeper, startRecordingKeeper } from "./app/keepers.ts";
import { openRecorder } from "./app/recordings.ts";
import { listenTogether, readSharing } from "./app/shared-port.ts";
import { beginDrain, stopper, type State } from "./app/stopping.ts";
import { openStores, type Stores } from "./app/stores.ts";
import { openTraces, tracesWanted } from "./app/traces.ts";
import type { Config } from "./config.ts";
import { createCallbackTokens } from "./dials/callback-token.ts";
import type { DialTraces } from "./dials/dial-traces.ts";
import { Extractions } from "./dials/extractions.ts";
import { Scope } from "./kit/scope.ts";
import type { Carrier } from "./ports/carrier.ts";
import type { AdapterDeps } from "./ports/descriptor.ts";
import type { HttpCaller } from "./ports/http-caller.ts";
import type { Recorder } from "./ports/recorder.ts";
import { hasPrompt, notListed, queueAge } from "./worker/gates.ts";
import { Lines } from "./worker/lines.ts";
import { Reaper } from "./worker/reaper.ts";
import { WebhookRelay } from "./worker/webhook-relay.ts";
import { Worker } from "./worker/worker.ts";

/** What a process does: take requests, hold calls, or both. */
export type Role = "all" | "api" | "worker";

/** Two processes that share nothing cannot divide the work. */
export class RolesNeedStores extends Error {
  override readonly name = "RolesNeedStores";
  constructor(role: Role) {
    super(`the role "${role}" shares its work with other processes: set DATABASE_URL and REDIS_URL, or run "all"`);
  }
}

export type AppOptions = Readonly<{
  config: Config;
  /** For the providers, each of which reads its own variables. */
  env: Readonly<Record<string, string | undefined>>;
  role: Role;
  /** Who answers at the conversing numbers of the loopback network. */
  caller?: CallerScript | undefined;
  /** Starts what hears, thinks and speaks; the engines that the environment names and the machine can run unless told. */
  engines?: typeof startEngines | undefined;
}>;

export type App = Readonly<{
  /** Base of the API, such as `http://localhost:8080/api`. */
  baseUrl: string;
  pageUrl: string;
  apiKey: string;
  tiers: readonly Tier[];
  /** Calls that ring or talk in this process. */
  calls(): number;
  /**
   * Stops in phases: no new dials, then calls end by themselves until the drain limit, then everything closes. A second call
   * cuts the first phase short. Resolves when nothing is left running.
   */
  stop(): Promise<void>;
}>;

/** Puts the service together and starts it; when something cannot start, what had started is stopped before this rejects. */
export const startApp = async (options: AppOptions): Promise<App> => {
  const { config, role } = options;
  await preflight(config, options.env);
  if (role !== "all" && (config.databaseUrl === undefined || config.redisUrl === undefined))
    throw new RolesNeedStores(role);
  const scope = new Scope("the service");
  try {
    return await assemble(options, scope);
  } catch (error) {
    await scope.close().catch(() => undefined);
    throw error;
  }
};

/** What every adapter may use, made from the configuration; also for commands that start no service. */
export const makeDeps = (
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
): AdapterDeps & Readonly<{ metrics: PromMetrics }> => {
  const clock = new SystemClock();
  return {
    clock,
    random: new SystemRandom(),
    logger: createPinoLogger({ level: config.logLevel, now: () => clock.now(), traceIds: tracesWanted(env) }),
    metrics: new PromMetrics(),
    modelFiles: new ModelFolder(modelFolders(env)),
    dataDir: config.dataDir,
  };
};

const assemble = async (options: AppOptions, scope: Scope): Promise<App> => {
  const { config, env, role, caller, engines: start = startEngines } = options;
  const deps = makeDeps(config, env);
  scope.onClose(() => {
    deps.metrics.close();
  });
  const instance = ownerName(deps);
  const traces = await openTraces(env, deps, instance, scope);
  const stores = await openStores(config, deps, scope);
  const engines = await start(config, env, deps);
  scope.onClose(() => engines.close());
  const carriers = await openCarriers(deps, env, engines.synthesizers, { caller });
  scope.onClose(() => carriers.close());
  const { erasures } = stores.store;
  const recorder = openRecorder(config, env, deps, (dialId) => erasures.standingOf(dialId));
  scope.onClose(() => recorder.close());
  await stores.store.catalogue.seed(demoSeed(engines.catalogue));
  const apiKey = await ensureApiKey(config, stores.store.catalogue, deps.random, WORKSPACE_ID);

  const http = new GuardedHttpCaller({ clock: deps.clock, allowPrivateNetwork: config.allowPrivateNetwork });
  scope.onClose(() => http.close());
  const state: State = { draining: false };
  const lines = new Lines();
  const visitors = openVisitorCalls({ config, deps, stores, lines, worker: () => state.worker });
  scope.onClose(() => visitors.close());
  const parts: Parts = { config, deps, traces, stores, engines, recorder, http, carriers, lines, visitors };
  const { server, publicUrl, port } = await listen(parts, env, scope, state);
  const given = { config, env, deps, stores };
  const processes = await openProcesses(given, instance, port, scope);
  state.passing = processes.forwarding;
  openSockets(server.server, { ...parts, publicUrl: publicUrl() }, processes, () => state.worker, scope);
  if (role !== "api") {
    state.worker = await startWorker(parts, scope, publicUrl(), processes);
    await takeOrders(given, processes, state.worker, () => void beginDrain(state), scope);
  }
  watchCapacity(role, parts, state);
  if (role !== "api") startRecordingKeeper(parts, scope);
  if (role !== "worker") {
    startReaper(parts, scope);
    startHousekeeper(parts, scope);
    startWebhookRelay(parts, scope, publicUrl);
  }
  const stop = stopper(scope, state);
  return {
    baseUrl: `${publicUrl()}/api`,
    pageUrl: `${publicUrl()}/`,
    apiKey,
    tiers: engines.tiers,
    calls: () => state.worker?.held ?? 0,
    stop,
  };
};

type Parts = Readonly<{
  config: Config;
  deps: ReturnType<typeof makeDeps>;
  traces: DialTraces | undefined;
  stores: Stores;
  engines: RunningEngines;
  recorder: Recorder;
  http: HttpCaller;
  carriers: OpenCarriers;
  lines: Lines;
  visitors: VisitorCalls;
}>;

/** Everybody who can bring a dial to its party. */
const placing = ({ carriers, visitors }: Parts): ReadonlyMap<string, Carrier> =>
  new Map([...carriers.accounts, [visitors.name, visitors]]);

const listen = async (parts: Parts, env: AppOptions["env"], scope: Scope, state: State) => {
  const { config, deps, traces, stores, engines, recorder, carriers, http } = parts;
  const sounds = openFfmpeg({ clock: deps.clock, path: env["PATH"] });
  scope.onClose(() => sounds.close());
  let port = config.port;
  const { sharedPort } = await readSharing(env, config);
  const publicUrl = () => config.publicUrl ?? `http://localhost:${sharedPort ?? port}`;
  const server = createServer({
    ...deps,
    ...stores,
    traces,
    recorder,
    sounds,
    carriers: carriers.accounts,
    http,
    engines: engines.catalogue,
    models: (id) => engines.modelFor(id),
    policy: {
      carriers: carriers.names,
      isExempt: (number, account) => carriers.simulated.has(account) && isLoopbackNumber(number),
      allowPrivateNetwork: config.allowPrivateNetwork,
    },
    publicUrl,
    onReport: (dialId) => {
      state.worker?.nudge(dialId);
    },
    requestsPerSecond: config.limits.requestsPerSecond,
    corsOrigins: config.corsOrigins,
    offer: stores.shared ? undefined : (dial) => state.worker?.offer(dial) ?? false,
    readiness: () => ({ draining: state.draining, notReady: [] }),
    sharedPort,
  });
  scope.onClose(() => server.close());
  await server.listen({ port: config.port, host: config.host });
  ({ port } = server.server.address() as AddressInfo);
  if (sharedPort !== undefined) await listenTogether(server.server, { host: config.host, port: sharedPort }, scope);
  return { server, publicUrl, port };
};

const startWorker = async (
  parts: Parts,
  scope: Scope,
  publicUrl: string,
  { self, presence }: Processes,
): Promise<Worker> => {
  const { config, deps, traces, stores, engines, recorder, carriers, http, lines } = parts;
  const callbacks = createCallbackTokens(stores.deploymentSecret);
  const extractions = new Extractions({ ...deps, dials: stores.store.dials, models: engines.modelFor });
  scope.onClose(() => extractions.close());
  const calling = { http, carriers: carriers.accounts, doNotCall: stores.store.catalogue };
  const worker = new Worker(
    {
      ...deps,
      ...stores,
      traces,
      dials: stores.store.dials,
      lines,
      recorder,
      carriers: placing(parts),
      gates: [notListed, queueAge(config.limits.queueMaxAgeMs), hasPrompt],
      publicWsUrl: publicUrl.replace(/^http/, "ws"),
      statusUrl: ({ dialId, carrier }) => callbacks.statusUrl(publicUrl, carrier, dialId),
      answerUrl: ({ dialId, carrier }) => callbacks.answerUrl(publicUrl, carrier, dialId),
      presence,
      released: (plan) => {
        extractions.begin(plan);
      },
      prepare: playBackgrounds(
        callFactory({ ...deps, ...stores, ...config.defaults, ...calling, traces }, engines, config.paceLeadMs),
        { ...deps, audio: stores.store.catalogue },
      ),
    },
    {
      owner: self.name,
      drainMs: config.drainMs,
      slots: config.limits.workerSlots,
      perSecond: config.limits.dialsPerSecond,
      perWorkspace: config.limits.concurrency,
      reserve: config.limits.inboundReserve,
    },
  );
  scope.onClose(() => worker.drain());
  await worker.start();
  const direct = { deps, traces, stores, http, engines: engines.catalogue, lines, callbacks, publicUrl };
  await listenDirectly(direct, carriers.accounts.values(), worker);
  return worker;
};

const startReaper = (parts: Parts, scope: Scope): void => {
  const { config, deps, traces, stores } = parts;
  const reaper = new Reaper(
    { ...deps, ...stores, traces, dials: stores.store.dials, carriers: placing(parts) },
    { owner: ownerName(deps), queueMaxAgeMs: config.limits.queueMaxAgeMs },
  );
  reaper.start();
  scope.onClose(() => reaper.stop());
};

/** Beside the API rather than beside calls, whose sound no burst of deliveries should disturb. */
const startWebhookRelay = ({ deps, traces, stores, http }: Parts, scope: Scope, publicUrl: () => string): void => {
  const relay = new WebhookRelay({ ...deps, traces, outbox: stores.store.outbox, http, publicUrl });
  relay.start();
  scope.onClose(() => relay.stop());
};

const ownerName = ({ random }: AdapterDeps): string => `${hostname()}-${process.pid}-${random.secret(6)}`;
