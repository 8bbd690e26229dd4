import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import { createClient, type Client, type Dial } from "../../src/client/client.ts";
import { untilDial } from "../../src/demo/until-dial.ts";
import { withDeadline } from "../../src/ports/clock.ts";

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

/** From spawn to the ready line, models and database included. */
const START_MS = 100_000;

export type RunningService = Readonly<{
  process: ChildProcess;
  baseUrl: string;
  apiKey: string;
  client: Client;
  /** Reads a dial until a condition holds; rejects after `limitMs`. */
  until(dialId: string, condition: (dial: Dial) => boolean, limitMs: number): Promise<Dial>;
  /** All that it wrote on standard error so far. */
  log(): string;
  /** Sends a signal and answers the exit code, or the signal that ended it. */
  end(signal: NodeJS.Signals, limitMs?: number): Promise<number | NodeJS.Signals>;
}>;

export type ServiceRole = "all" | "api" | "worker";

/**
 * Starts the service as a process of its own, on a free port, and waits until it says that it is ready. One that does not is killed;
 * whoever started it ends it.
 */
export const startServiceProcess = async (
  env: Readonly<Record<string, string>>,
  role: ServiceRole = "all",
  limitMs = START_MS,
): Promise<RunningService> => {
  const clock = new SystemClock();
  const child = spawn(process.execPath, [MAIN, role], {
    env: { ...process.env, PORT: "0", HOST: "127.0.0.1", LOG_LEVEL: "warn", DEFAULT_VOICE: "flite-rms", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  child.stderr.on("data", (chunk: Buffer) => {
    log += chunk.toString("utf8");
  });
  const exited = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  const lines = createInterface({ input: child.stdout });
  const ready = (async () => {
    for await (const line of lines) if (line.startsWith("ready ")) return line;
    throw new Error(`the service ended before it was ready:\n${log}`);
  })();
  const line = await withDeadline(clock, limitMs, "starting the service", ready).catch((error: unknown) => {
    child.kill("SIGKILL");
    throw error;
  });
  const { baseUrl, apiKey } = fieldsOf(line);
  const client = createClient({ baseUrl, apiKey });
  return {
    process: child,
    baseUrl,
    apiKey,
    client,
    until: (dialId, condition, limitMs) => untilDial(client, clock, dialId, condition, limitMs),
    log: () => log,
    end: async (signal, limitMs = 60_000) => {
      child.kill(signal);
      const [code, by] = await withDeadline(clock, limitMs, `ending by ${signal}`, exited);
      return code ?? by ?? 0;
    },
  };
};

const fieldsOf = (line: string) => {
  const match = /^ready base_url=(\S+) api_key=(\S+) page=\S+$/u.exec(line);
  if (match === null) throw new Error(`not the line of a service that is ready: ${line}`);
  return { baseUrl: match[1] as string, apiKey: match[2] as string };
};
