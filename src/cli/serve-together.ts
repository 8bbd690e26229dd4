import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { ConfigError, type Config } from "../config.ts";
import { deferred } from "../kit/deferred.ts";
import { toError } from "../kit/errors.ts";
import type { Clock, Timer } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";

type Env = Readonly<Record<string, string | undefined>>;

type Together = Readonly<{
  /** The program and its arguments, the same for each of them. */
  program: string;
  args: readonly string[];
  env: Env;
  config: Pick<Config, "host" | "port">;
  processes: number;
  clock: Clock;
  logger: Logger;
  /** Gets the line of the first one once all are ready. */
  ready(line: string): void;
}>;

/** Who dies sooner than this after its start is started again later each time, in milliseconds. */
const SETTLED_MS = 60_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Runs one program several times behind one port, so that it uses several cores. Each has a port of its own behind the shared one, by
 * which the others reach it, and which tells its metrics. One that dies is started again. They notice when this process is gone, and stop
 * as if they had been told to.
 */
export class ServeTogether {
  readonly #given: Together;
  readonly #running = new Map<number, ChildProcess>();
  readonly #restarts = new Set<Timer>();
  readonly #ready = new Set<number>();
  readonly #over = deferred<number>();
  /** Nobody is started again: we were told to stop, or have not begun. */
  #final = true;
  #asked = 0;
  #exitCode = 0;
  /** What the first one said when it was ready. */
  #line = "";

  constructor(given: Together) {
    this.#given = given;
  }

  /**
   * Resolves with the exit code when all have ended: 0 unless one ended badly after `stop`, or the first one before it was ready.
   * Rejects with {@link ConfigError} when the port is somebody else's.
   */
  async run(): Promise<number> {
    await freePort(this.#given.config);
    // The first one makes what all need: the schema, the key, the models. The others begin when it is ready.
    if (this.#asked === 0) this.#start(1, 0);
    return this.#over.promise;
  }

  /**
   * Has all of them stop; once more, and they hurry. Told by a message and not by a signal: terminals and service managers signal a
   * whole group, and what came twice would be an order to hurry.
   */
  stop(): void {
    this.#final = true;
    this.#asked += 1;
    for (const timer of this.#restarts) timer.cancel();
    this.#restarts.clear();
    for (const child of this.#running.values()) tell(child, this.#asked);
    if (this.#running.size === 0) this.#over.resolve(this.#exitCode);
  }

  /** `deaths`: how often its predecessors died soon after they were started. */
  #start(number: number, deaths: number): void {
    const { clock, program, args, env, config } = this.#given;
    const child = fork(program, args, {
      env: { ...env, ...ownSettings(env, config.port, number) },
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    });
    this.#running.set(number, child);
    const begunMs = clock.monotonic();
    if (child.stdout !== null)
      createInterface({ input: child.stdout }).on("line", (line) => {
        if (line.startsWith("ready ")) this.#isReady(number, line);
      });
    let ended = false;
    const end = (code: number | null) => {
      if (ended) return;
      ended = true;
      this.#running.delete(number);
      this.#ended(number, code, clock.monotonic() - begunMs < SETTLED_MS ? deaths + 1 : 1);
    };
    child.once("error", () => end(null));
    child.once("exit", end);
  }

  #isReady(number: number, line: string): void {
    const { processes, ready } = this.#given;
    if (this.#ready.size === processes) return;
    this.#ready.add(number);
    if (this.#ready.size === processes) ready(this.#line || line);
    if (number !== 1 || this.#line !== "") return;
    this.#line = line;
    if (this.#asked > 0) return;
    this.#final = false;
    for (let other = 2; other <= processes; other += 1) this.#start(other, 0);
  }

  #ended(number: number, code: number | null, deaths: number): void {
    const { clock, config, logger } = this.#given;
    if (this.#final) {
      if (code !== 0) this.#exitCode = code ?? 1;
      if (this.#running.size === 0) this.#over.resolve(this.#exitCode);
      return;
    }
    const ms = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(deaths - 1, 10));
    const port = config.port + number;
    logger.error("a process of the service ended by itself and is started again", { port, code: code ?? "", ms });
    const timer = clock.setTimer(ms, () => {
      this.#restarts.delete(timer);
      this.#start(number, deaths);
    });
    this.#restarts.add(timer);
  }
}

/** How often a process was asked to stop; one that is gone need not be. */
const tell = (child: ChildProcess, times: number): void => {
  child.send(times, () => undefined);
};

/** What the processes do not share. */
const ownSettings = (env: Env, port: number, number: number): Env => {
  const [, host, control] = /^(.*):(\d{1,5})$/.exec(env["CONTROL_LISTEN"]?.trim() ?? "") ?? [];
  return {
    PROCESSES: "",
    SHARED_PORT: String(port),
    PORT: String(port + number),
    // The first one is where operators expect it; 0 takes any.
    ...(host === undefined || control === undefined || control === "0"
      ? {}
      : { CONTROL_LISTEN: `${host}:${Number(control) + number - 1}` }),
  };
};

/** A port that may be shared can be taken without an error even when strangers listen there who share it too. */
const freePort = async (at: Together["config"]): Promise<void> => {
  const probe = createServer();
  try {
    probe.listen({ port: at.port, host: at.host });
    await once(probe, "listening");
  } catch (error) {
    throw new ConfigError([`PORT ${at.port} on HOST ${at.host} cannot be had (${toError(error).message})`]);
  }
  probe.close();
  await once(probe, "close");
};
