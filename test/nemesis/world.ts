import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "../../src/adapters/postgres/embedded.ts";
import { SystemRandom } from "../../src/adapters/random/system.ts";
import { sleep } from "../../src/ports/clock.ts";
import { startServiceProcess, type RunningService } from "../kit/service-process.ts";
import { serveAssembly } from "../kit/vendors/assemblyai-vendor.ts";
import { KEY } from "../kit/vendors/deepgram-vendors.ts";
import type { ScriptedVendor } from "../kit/vendors/scripted-vendor.ts";
import { freePort, startTestRedis, type TestRedis } from "../kit/redis.ts";
import { silentLogger } from "../kit/silent-logger.ts";
import { Balancer } from "./balancer.ts";
import { serveModel, type ModelDouble } from "./model-double.ts";

export type Role = "api" | "worker";

export type WorldOptions = Readonly<{
  /** Where the carrier is. */
  carrier: Readonly<Record<string, string>>;
  /** Names of the processes that it begins with. */
  apis: readonly string[];
  workers: readonly string[];
  /** Everybody knows one address, behind which connections go to any process; else each process is known by its own. */
  balanced: boolean;
  env?: Readonly<Record<string, string>>;
}>;

const API_KEY = "a-key-for-the-nemesis-0123456789";
/** How long whoever looks after the processes takes to start a dead one again. */
const RESTART_MS = 500;
const MOST_TRIES = 5;
/** Whoever looks after processes waits for as long as the machine needs. */
const START_MS = 300_000;

/**
 * APIs and workers as processes, with a PostgreSQL and a Redis of their own, and what starts each of them again when it
 * dies. Ports stay the same, so that whoever knows an address finds the next process there.
 */
export class World {
  readonly clock = new SystemClock();
  readonly services = new Map<string, RunningService>();
  readonly apiKey = API_KEY;
  readonly #folder: string;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #ports = new Map<string, number>();
  readonly #roles = new Map<string, Role>();
  /** Every process that ever was. */
  readonly #all: RunningService[] = [];
  readonly #starting = new Map<string, Promise<void>>();
  /** Those that are to end and not to be started again. */
  readonly #retired = new Set<string>();
  readonly #turns = new Map<"redis" | "postgres", Promise<void>>();
  readonly #firstApi: string;
  readonly #balancer: Balancer | undefined;
  #postgres: EmbeddedPostgres;
  #redis: TestRedis;
  readonly #ears: ScriptedVendor;
  readonly #model: ModelDouble;
  #closing = false;

  private constructor(parts: {
    folder: string;
    postgres: EmbeddedPostgres;
    redis: TestRedis;
    ears: ScriptedVendor;
    model: ModelDouble;
    balancer: Balancer | undefined;
    firstApi: string;
    environment: Readonly<Record<string, string>>;
  }) {
    this.#folder = parts.folder;
    this.#postgres = parts.postgres;
    this.#redis = parts.redis;
    this.#ears = parts.ears;
    this.#model = parts.model;
    this.#balancer = parts.balancer;
    this.#firstApi = parts.firstApi;
    this.#environment = parts.environment;
  }

  static async open({ carrier, apis, workers, balanced, env = {} }: WorldOptions): Promise<World> {
    // Short, so that PostgreSQL's socket has the same path after each of its starts.
    const folder = await mkdtemp(join(tmpdir(), "nem-"));
    await chmod(folder, 0o711);
    const postgres = await startPostgres(folder);
    const redis = await startTestRedis();
    const ears = await serveAssembly();
    const model = await serveModel();
    const balancer = balanced ? await Balancer.open(new SystemClock()) : undefined;
    const firstApi = apis[0] ?? "api";
    const environment = {
      DATA_DIR: folder,
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      API_KEY,
      ALLOW_PRIVATE_NETWORK: "true",
      LOG_LEVEL: "warn",
      // What hears people here need not be clever, and processes start in two seconds where they load no models.
      VAD: "energy",
      MODELS_DIR: join(folder, "no-models"),
      npm_config_registry: "http://127.0.0.1:1/",
      // What thinks for agents takes no part of the machine.
      LLM_BASE_URL: model.url,
      LLM_MODEL: "yes",
      // A vendor that has no voice, so that the one of this machine has no other to be compared with.
      DEFAULT_TRANSCRIBER: "assemblyai",
      ASSEMBLYAI_API_KEY: KEY,
      ASSEMBLYAI_BASE_URL: ears.url,
      WORKER_SLOTS: "40",
      DIALS_PER_SECOND: "40",
      DRAIN_SECONDS: "30",
      ...carrier,
      ...env,
    };
    const world = new World({ folder, postgres, redis, ears, model, balancer, firstApi, environment });
    // Who interrupts us wants nothing of it to go on; PostgreSQL ends by itself.
    for (const signal of ["SIGINT", "SIGTERM"] as const)
      process.once(signal, () => {
        for (const { process: child } of world.services.values()) child.kill("SIGKILL");
        void redis.close();
        process.exit(130);
      });
    try {
      await Promise.all(apis.map((name) => world.start(name, "api")));
      await Promise.all(workers.map((name) => world.start(name, "worker")));
      return world;
    } catch (error) {
      await world.close();
      throw error;
    }
  }

  /** The address of the API, whether it runs or not. */
  get baseUrl(): string {
    return `${this.#balancer?.url ?? `http://localhost:${this.#ports.get(this.#firstApi)}`}/api`;
  }

  /** Starts a process, and starts it again whenever it ends before the world does, or before it is to retire. */
  start(name: string, role: Role = this.#roles.get(name) ?? "worker"): Promise<void> {
    const known = this.#starting.get(name);
    if (known !== undefined) return known;
    this.#roles.set(name, role);
    const starting = this.#spawn(name, role).finally(() => this.#starting.delete(name));
    this.#starting.set(name, starting);
    return starting;
  }

  kill(name: string): void {
    this.services.get(name)?.process.kill("SIGKILL");
  }

  /** Asks a process to stop; another takes its place as soon as it has. */
  replace(name: string): void {
    this.services.get(name)?.process.kill("SIGTERM");
  }

  /** Asks a process to stop, for good; answers how it ended. */
  async retire(name: string, signal: NodeJS.Signals = "SIGTERM"): Promise<number | NodeJS.Signals> {
    const child = this.services.get(name)?.process;
    if (child === undefined) throw new Error(`there is no ${name}`);
    this.#retired.add(name);
    const exited = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
    child.kill(signal);
    const [code, by] = await exited;
    this.#balancer?.remove(this.#ports.get(name) ?? 0);
    this.services.delete(name);
    return code ?? by ?? 0;
  }

  async pause(name: string, ms: number): Promise<void> {
    const child = this.services.get(name)?.process;
    child?.kill("SIGSTOP");
    await sleep(this.clock, ms);
    child?.kill("SIGCONT");
  }

  killRedis(): Promise<void> {
    return this.#inTurn("redis", async () => {
      const { port } = this.#redis;
      await this.#redis.close();
      await sleep(this.clock, RESTART_MS);
      this.#redis = await startTestRedis({ port });
    });
  }

  /** Redis answers nothing and closes nothing for a while. */
  freezeRedis(ms: number): Promise<void> {
    return this.#inTurn("redis", async () => {
      this.#redis.freeze();
      await sleep(this.clock, ms);
      this.#redis.thaw();
    });
  }

  flushRedis(): Promise<void> {
    return new Promise((resolve) => {
      const socket = connect(this.#redis.port, "127.0.0.1", () => socket.end("FLUSHALL\r\nQUIT\r\n"));
      socket.resume();
      socket.once("close", () => resolve()).once("error", () => resolve());
    });
  }

  /** The server ends without a checkpoint, and recovers when it starts again. */
  restartPostgres(awayMs = 0): Promise<void> {
    return this.#inTurn("postgres", async () => {
      process.kill(this.#postgres.pid, "SIGQUIT");
      await sleep(this.clock, 100 + awayMs);
      // Recovery takes its time where the machine has other work; nobody but us would try again.
      for (let tries = 1; ; tries++) {
        try {
          this.#postgres = await startPostgres(this.#folder);
          return;
        } catch (error) {
          if (tries === MOST_TRIES) throw error;
        }
      }
    });
  }

  /** What all processes have warned of, and how often. */
  get warnings(): Readonly<Record<string, number>> {
    const lines = this.#all.flatMap((service) => service.log().split("\n")).filter((line) => line.startsWith("{"));
    const counts = Map.groupBy(lines.map(warningIn), (what) => what);
    return Object.fromEntries([...counts].map(([what, all]) => [what, all.length]));
  }

  /** Everything ends. */
  async close(): Promise<void> {
    this.#closing = true;
    await Promise.allSettled(this.#starting.values());
    await Promise.allSettled([...this.services.values()].map((service) => service.end("SIGTERM", 40_000)));
    for (const { process: child } of this.services.values()) child.kill("SIGKILL");
    await this.#balancer?.close();
    await this.#ears.close();
    await this.#model.close();
    await this.#redis.close();
    await this.#postgres.stop();
    await rm(this.#folder, { recursive: true, force: true }).catch(() => spawnSync("rm", ["-rf", this.#folder]));
  }

  /** What befalls one store befalls it one after another. */
  #inTurn(store: "redis" | "postgres", work: () => Promise<void>): Promise<void> {
    const next = (this.#turns.get(store) ?? Promise.resolve()).then(work);
    this.#turns.set(store, next);
    return next;
  }

  async #spawn(name: string, role: Role): Promise<void> {
    const port = this.#ports.get(name) ?? (await freePort());
    this.#ports.set(name, port);
    for (;;) {
      try {
        const url = this.#balancer?.url ?? `http://localhost:${port}`;
        const env = { ...this.#environment, PORT: String(port), PUBLIC_URL: url };
        const service = await startServiceProcess(env, role, START_MS);
        this.services.set(name, service);
        this.#all.push(service);
        this.#balancer?.add(port);
        service.process.once("exit", () => {
          if (this.#closing || this.#retired.has(name)) return;
          void sleep(this.clock, RESTART_MS).then(() => this.start(name));
        });
        return;
      } catch (error) {
        if (this.#closing) return;
        // Nothing has gone wrong yet, so it would never start.
        if (!this.services.has(name)) throw error;
        // A store that is away makes it end; whoever looks after processes tries again.
        await sleep(this.clock, RESTART_MS);
      }
    }
  }
}

const warningIn = (line: string): string => {
  try {
    const { msg, error } = JSON.parse(line) as { msg: string; error?: { message?: string } };
    return error?.message === undefined ? msg : `${msg}: ${error.message.slice(0, 80)}`;
  } catch {
    // A process that was killed did not write the line to its end.
    return "a broken line";
  }
};

const startPostgres = (dataDir: string): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres({ dataDir, logger: silentLogger(), clock: new SystemClock(), random: new SystemRandom() });
