import { spawnSync } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "../../src/adapters/postgres/embedded.ts";
import { SystemRandom } from "../../src/adapters/random/system.ts";
import { sleep } from "../../src/ports/clock.ts";
import { startServiceProcess, type RunningService } from "../kit/service-process.ts";
import { KEY, serveNova } from "../kit/vendors/deepgram-vendors.ts";
import type { ScriptedVendor } from "../kit/vendors/scripted-vendor.ts";
import { freePort, startTestRedis, type TestRedis } from "../kit/redis.ts";
import { silentLogger } from "../kit/silent-logger.ts";

export type Member = "api" | "worker-1" | "worker-2";

const API_KEY = "a-key-for-the-nemesis-0123456789";
/** How long whoever looks after the processes takes to start a dead one again. */
const RESTART_MS = 500;

/**
 * An API and two workers as processes, with a PostgreSQL and a Redis of their own, and what starts each of them again when it
 * dies. Ports stay the same, so that whoever knows an address finds the next process there.
 */
export class World {
  readonly clock = new SystemClock();
  readonly services = new Map<Member, RunningService>();
  readonly #folder: string;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #ports: ReadonlyMap<Member, number>;
  readonly #starting = new Map<Member, Promise<void>>();
  #postgres: EmbeddedPostgres;
  #redis: TestRedis;
  readonly #ears: ScriptedVendor;
  #closing = false;

  private constructor(
    folder: string,
    postgres: EmbeddedPostgres,
    redis: TestRedis,
    ears: ScriptedVendor,
    ports: ReadonlyMap<Member, number>,
    environment: Readonly<Record<string, string>>,
  ) {
    this.#folder = folder;
    this.#postgres = postgres;
    this.#redis = redis;
    this.#ears = ears;
    this.#ports = ports;
    this.#environment = environment;
  }

  static async open(carrier: Readonly<Record<string, string>>): Promise<World> {
    // Short, so that PostgreSQL's socket has the same path after each of its starts.
    const folder = await mkdtemp(join(tmpdir(), "nem-"));
    await chmod(folder, 0o711);
    const postgres = await startPostgres(folder);
    const redis = await startTestRedis();
    const ears = await serveNova();
    const ports = new Map<Member, number>();
    for (const member of ["api", "worker-1", "worker-2"] as const) ports.set(member, await freePort());
    const world = new World(folder, postgres, redis, ears, ports, {
      DATA_DIR: folder,
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      API_KEY,
      ALLOW_PRIVATE_NETWORK: "true",
      LOG_LEVEL: "error",
      // People here say nothing: what hears them need not be clever, and processes start in two seconds where they load no models.
      VAD: "energy",
      MODELS_DIR: join(folder, "no-models"),
      npm_config_registry: "http://127.0.0.1:1/",
      DEFAULT_TRANSCRIBER: "deepgram",
      DEEPGRAM_API_KEY: KEY,
      DEEPGRAM_BASE_URL: ears.url,
      WORKER_SLOTS: "40",
      DIALS_PER_SECOND: "40",
      DRAIN_SECONDS: "30",
      ...carrier,
    });
    await world.start("api");
    await Promise.all([world.start("worker-1"), world.start("worker-2")]);
    return world;
  }

  get api(): RunningService {
    const api = this.services.get("api");
    if (api === undefined) throw new Error("the API is not running");
    return api;
  }

  /** The address of the API, whether it runs or not. */
  get baseUrl(): string {
    return `http://localhost:${this.#ports.get("api")}/api`;
  }

  /** Starts a process, and starts it again whenever it ends before the world does. */
  start(member: Member): Promise<void> {
    const known = this.#starting.get(member);
    if (known !== undefined) return known;
    const starting = this.#spawn(member).finally(() => this.#starting.delete(member));
    this.#starting.set(member, starting);
    return starting;
  }

  kill(member: Member): void {
    this.services.get(member)?.process.kill("SIGKILL");
  }

  /** Asks a process to stop; another takes its place, as in a rolling deploy. */
  replace(member: Member): void {
    this.services.get(member)?.process.kill("SIGTERM");
  }

  async pause(member: Member, ms: number): Promise<void> {
    const child = this.services.get(member)?.process;
    child?.kill("SIGSTOP");
    await sleep(this.clock, ms);
    child?.kill("SIGCONT");
  }

  async killRedis(): Promise<void> {
    const { port } = this.#redis;
    await this.#redis.close();
    await sleep(this.clock, RESTART_MS);
    this.#redis = await startTestRedis({ port });
  }

  flushRedis(): Promise<void> {
    return new Promise((resolve) => {
      const socket = connect(this.#redis.port, "127.0.0.1", () => socket.end("FLUSHALL\r\nQUIT\r\n"));
      socket.resume();
      socket.once("close", () => resolve()).once("error", () => resolve());
    });
  }

  /** The server ends without a checkpoint, and recovers when it starts again. */
  async restartPostgres(awayMs = 0): Promise<void> {
    process.kill(this.#postgres.pid, "SIGQUIT");
    await sleep(this.clock, 100 + awayMs);
    this.#postgres = await startPostgres(this.#folder);
  }

  /** Everything ends; answers what each process's log says of errors. */
  async close(): Promise<void> {
    this.#closing = true;
    await Promise.allSettled(this.#starting.values());
    await Promise.allSettled([...this.services.values()].map((service) => service.end("SIGTERM", 40_000)));
    for (const { process: child } of this.services.values()) child.kill("SIGKILL");
    await this.#ears.close();
    await this.#redis.close();
    await this.#postgres.stop();
    await rm(this.#folder, { recursive: true, force: true }).catch(() => spawnSync("rm", ["-rf", this.#folder]));
  }

  async #spawn(member: Member): Promise<void> {
    for (;;) {
      try {
        const port = String(this.#ports.get(member));
        const service = await startServiceProcess(
          { ...this.#environment, PORT: port, PUBLIC_URL: `http://localhost:${port}` },
          member === "api" ? "api" : "worker",
        );
        this.services.set(member, service);
        service.process.once("exit", () => {
          if (!this.#closing) void sleep(this.clock, RESTART_MS).then(() => this.start(member));
        });
        return;
      } catch (error) {
        if (this.#closing) return;
        // Nothing has gone wrong yet, so it would never start.
        if (!this.services.has(member)) throw error;
        // A store that is away makes it end; whoever looks after processes tries again.
        await sleep(this.clock, RESTART_MS);
      }
    }
  }
}

const startPostgres = (dataDir: string): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres({ dataDir, logger: silentLogger(), clock: new SystemClock(), random: new SystemRandom() });
