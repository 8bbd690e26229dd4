import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer, request as httpRequest, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPostgresBackend, withBackend } from "bullmq";
import pg from "pg";
import { startEmbeddedPostgres } from "../../../src/adapters/postgres/embedded.ts";
import { SystemRandom } from "../../../src/adapters/random/system.ts";
import { DEMO_AGENT_ID } from "../../../src/app/demo-workspace.ts";
import { sleep, withDeadline, type Clock } from "../../../src/ports/clock.ts";
import { startServiceProcess, type RunningService } from "../../kit/service-process.ts";
import { silentLogger } from "../../kit/silent-logger.ts";
import { greetingRows } from "./greeting.ts";
import { quantilesOf } from "./quantiles.ts";
import { ratioOf, type Row } from "./row.ts";

const SECONDS = 6;
const AT_ONCE = 50;
const MANY = 300;
const PATIENCE_MS = 60_000;

/** Refuses every call, so that a dial is over as soon as it was placed; tells which number was asked for, and when. */
class RefusingCarrier {
  readonly #server: Server;
  readonly #waiting = new Map<string, (atMs: number) => void>();

  constructor(clock: Clock) {
    this.#server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        const number = new URLSearchParams(Buffer.concat(parts).toString("utf8")).get("To") ?? "";
        this.#waiting.get(number)?.(clock.monotonic());
        this.#waiting.delete(number);
        response.writeHead(400, { "content-type": "application/json" }).end('{"code":21211}');
      });
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  /** When a call to the number was asked for. */
  asked(number: string): Promise<number> {
    return new Promise((resolve) => this.#waiting.set(number, resolve));
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }
}

/** Asks for a call; resolves when the request for it is written. */
type Place = (number: string) => Promise<unknown>;

/**
 * From a wish for a call to the carrier's being asked for it: the whole service, against a queue and two durable commits on the same
 * database and nothing else.
 */
export const placingRows = async (clock: Clock): Promise<readonly Row[]> => {
  const dataDir = await mkdtemp(join(tmpdir(), "call-engine-bench-"));
  // PostgreSQL runs as another user when we are root, and has to get in.
  await chmod(dataDir, 0o711);
  const carrier = new RefusingCarrier(clock);
  await carrier.listen();
  const service = await startServiceProcess({ ...SETTINGS, DATA_DIR: dataDir, TWILIO_BASE_URL: carrier.url });
  const floor = await openFloor(dataDir, carrier.url, clock);
  try {
    const place = await placing(service);
    // Keeps the agent's greeting, which a carrier that refuses at once would have made anew for each call.
    const rows: Row[] = [...(await greetingRows(service, clock))];
    await atRate(place, carrier, 20, clock);
    for (const perSecond of [20, 100]) {
      const least = quantilesOf(await atRate(floor.place, carrier, perSecond, clock));
      const ours = quantilesOf(await atRate(place, carrier, perSecond, clock));
      rows.push(startRow("p50", perSecond, ours.p50, least.p50), startRow("p99", perSecond, ours.p99, least.p99));
    }
    const least = await atOnce(floor.place, carrier, clock);
    const ours = await atOnce(place, carrier, clock);
    rows.push({
      id: "queue",
      definition: `calls asked for a second, ${AT_ONCE} wishes on their way at a time; floor: a queue and two durable commits`,
      unit: "1/s",
      engine: ours,
      floor: least,
      ratio: ratioOf(least, ours),
      target: "≥ 0.7 × floor",
      met: ours >= 0.7 * least,
    });
    return rows;
  } finally {
    await floor.close();
    await service.end("SIGTERM");
    await carrier.close();
    await rm(dataDir, { recursive: true, force: true });
  }
};

const SETTINGS = {
  LOG_LEVEL: "error",
  TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`,
  TWILIO_AUTH_TOKEN: "0".repeat(32),
  RATE_LIMIT_PER_SECOND: "100000",
  DIALS_PER_SECOND: "1000",
  CONCURRENCY_LIMIT: "1000",
  WORKER_SLOTS: "1000",
};

const startRow = (id: "p50" | "p99", perSecond: number, engine: number, floor: number): Row => ({
  id: `start.${id}@${perSecond}/s`,
  definition:
    "from a wish sent (POST /dials) to the carrier's being asked; floor: a commit, a job through BullMQ, a commit, the request",
  unit: "ms",
  engine,
  floor,
  ratio: ratioOf(engine, floor),
  ...(id === "p50" ? { target: "≤ floor + 2 ms", met: engine <= floor + 2 } : {}),
});

const placing = async ({ client }: RunningService): Promise<Place> => {
  const { id } = await client.importPhoneNumber({
    body: { number: "+12025550199", carrier: "twilio", agentId: DEMO_AGENT_ID },
  });
  return (toNumber) => client.createDial({ body: { callAgentId: DEMO_AGENT_ID, fromNumberId: id, toNumber } });
};

const OnPostgres = withBackend(createPostgresBackend);

/** The straight line: nothing is checked, limited, claimed or told. */
const openFloor = async (dataDir: string, carrierUrl: string, clock: Clock) => {
  const server = await startEmbeddedPostgres({ dataDir, logger: silentLogger(), clock, random: new SystemRandom() });
  const pool = new pg.Pool({ connectionString: server.url, max: 10 });
  await pool.query("CREATE TABLE bench_dial (number text PRIMARY KEY, placed boolean NOT NULL)");
  const connection = {
    connectionString: server.url,
    migrate: true,
    schema: "bench",
    options: "-c synchronous_commit=off",
  };
  const queue = new OnPostgres.Queue<{ number: string }>("floor", { connection });
  const worker = new OnPostgres.Worker<{ number: string }>(
    "floor",
    async ({ data: { number } }) => {
      await pool.query("UPDATE bench_dial SET placed = true WHERE number = $1", [number]);
      await asked(carrierUrl, number);
    },
    { connection, concurrency: AT_ONCE },
  );
  await worker.waitUntilReady();
  return {
    place: async (number: string) => {
      await pool.query("INSERT INTO bench_dial VALUES ($1, false)", [number]);
      await queue.add("dial", { number }, { removeOnComplete: true });
    },
    close: async () => {
      await worker.close();
      await queue.close();
      await pool.end();
      await server.stop();
    },
  };
};

const asked = (url: string, number: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = httpRequest(url, { method: "POST" }, (response) => {
      response.resume();
      response.on("end", resolve);
    });
    request.on("error", reject);
    request.end(new URLSearchParams({ To: number }).toString());
  });

let numbers = 0;

const nextNumber = (): string => {
  numbers += 1;
  return `+1202${String(2_000_000 + numbers)}`;
};

/** Milliseconds that each call took, at a steady rate whatever became of those before. */
const atRate = async (
  place: Place,
  carrier: RefusingCarrier,
  perSecond: number,
  clock: Clock,
): Promise<readonly number[]> => {
  const begun = clock.monotonic();
  const under: Promise<number>[] = [];
  for (let sent = 0; sent < perSecond * SECONDS; sent += 1) {
    const early = begun + (sent * 1000) / perSecond - clock.monotonic();
    if (early > 0) await sleep(clock, early);
    under.push(timed(place, carrier, clock));
  }
  return Promise.all(under);
};

const atOnce = async (place: Place, carrier: RefusingCarrier, clock: Clock): Promise<number> => {
  const begun = clock.monotonic();
  let left = MANY;
  const line = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await timed(place, carrier, clock);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, line));
  return (MANY * 1000) / (clock.monotonic() - begun);
};

const timed = async (place: Place, carrier: RefusingCarrier, clock: Clock): Promise<number> => {
  const number = nextNumber();
  const reached = carrier.asked(number);
  const from = clock.monotonic();
  await place(number);
  return (await withDeadline(clock, PATIENCE_MS, "placing a call", reached)) - from;
};
