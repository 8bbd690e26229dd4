import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import { sleep } from "../../src/ports/clock.ts";

export type TestRedis = Readonly<{
  url: string;
  port: number;
  /** Stops answering without closing anything (SIGSTOP), as a half-open peer does, and goes on. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}>;

const START_MS = 10_000;

/**
 * A real Redis of its own on a free port, or the given one, without persistence. Fails, rather than skips, when the program is not installed:
 * what is tested with it would otherwise look tested.
 */
export const startTestRedis = async (at: Readonly<{ port?: number }> = {}): Promise<TestRedis> => {
  const folder = await mkdtemp(join(tmpdir(), "call-engine-redis-"));
  const port = at.port ?? (await freePort());
  const server = spawn(
    "redis-server",
    ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder],
    { stdio: "ignore" },
  );
  const failed = new Promise<never>((_, reject) => {
    server.once("error", (cause) => {
      reject(
        new Error("redis-server is not installed: run apt-get update && apt-get install -y redis-server", { cause }),
      );
    });
    server.once("exit", (code) => {
      reject(new Error(`redis-server ended with code ${code}`));
    });
  });
  failed.catch(() => undefined);
  await Promise.race([failed, untilListening(port)]);
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    freeze: () => server.kill("SIGSTOP"),
    thaw: () => server.kill("SIGCONT"),
    async close() {
      if (server.exitCode === null && server.signalCode === null) {
        server.kill("SIGCONT");
        server.kill("SIGKILL");
        await once(server, "exit");
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
};

/** A port of loopback that nobody listens on at this moment. */
export const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("no free port");
  return address.port;
};

const untilListening = async (port: number): Promise<void> => {
  const clock = new SystemClock();
  const limit = clock.monotonic() + START_MS;
  for (;;) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true)).once("error", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
    if (open) return;
    if (clock.monotonic() > limit) throw new Error("redis-server does not listen");
    await sleep(clock, 20);
  }
};
