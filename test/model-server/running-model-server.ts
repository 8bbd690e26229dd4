import { spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import { withDeadline } from "../../src/ports/clock.ts";

const ROOT = resolve(import.meta.dirname, "../..");

export type RunningModelServer = Readonly<{ url: string; engines: readonly string[]; kill(): Promise<void> }>;

/** A model server as a process of its own, started as operators start it. */
export const runModelServer = (
  offer: string,
  env: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
): Promise<RunningModelServer> =>
  run([process.execPath, "src/main.ts", "model-server", "--listen", "127.0.0.1:0", "--offer", offer, ...args], ".", {
    LOG_LEVEL: "error",
    DATA_DIR: join(ROOT, "data"),
    ...env,
  });

/** One that is written in Python; the packages python3-grpcio and python3-grpc-tools of Debian belong to its own Python. */
export const runPythonModelServer = (token: string): Promise<RunningModelServer> =>
  run(["/usr/bin/python3", join(ROOT, "test/integration/model-server.py"), token], "proto", {});

const run = async (
  [program = "", ...args]: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<RunningModelServer> => {
  const child = spawn(program, args, {
    cwd: join(ROOT, folder),
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const line = async (): Promise<string> => {
    const first = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
    if (first.done === true) throw new Error("the model server ended before it was ready");
    return first.value;
  };
  const ready = await withDeadline(new SystemClock(), 60_000, "starting the model server", line());
  const [, url = "", engines = ""] = /^ready url=(\S+)(?: engines=(\S*))?$/.exec(ready) ?? [];
  return {
    url,
    engines: engines.split(","),
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
  };
};
