import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parseArgs } from "node:util";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import { GuardedHttpCaller } from "../../../src/adapters/http/guarded-http-caller.ts";
import { SystemRandom } from "../../../src/adapters/random/system.ts";
import { openPostgresStore, type PostgresStore } from "../../../src/adapters/store/postgres/store.ts";
import { callEnd } from "../../../src/model/call-end.ts";
import { sleep } from "../../../src/ports/clock.ts";
import { WebhookRelay } from "../../../src/worker/webhook-relay.ts";
import { testAgent, testPhoneNumber, testPlan, testPrompt } from "../../kit/dial-plans.ts";
import { createTestDatabase, type TestDatabase } from "../../kit/postgres.ts";
import { silentLogger } from "../../kit/silent-logger.ts";
import { receiveWebhooks, type WebhookReceiver } from "../../kit/webhook-receiver.ts";

const clock = new SystemClock();
const random = new SystemRandom();
const WORKSPACE = "workspace-1";
const GOOD_ENDPOINTS = 10;
/** A dial that was placed, answered and ended has so many events. */
const EVENTS = 5;
const LONGEST_MS = 120_000;

/** What one round found: how long the good endpoints waited for everything, and from event to arrival at a steady pace. */
type Round = Readonly<{ drainMs: number; waitsMs: readonly number[] }>;

/**
 * `npm run bench -- webhooks [--dials 100] [--rounds 5] [--pace 20]`: one relay on a real PostgreSQL and ten endpoints on loopback, by turns alone and with an
 * eleventh that never answers and has as much to get as two others. Fails when the first attempts of a steady pace wait longer than a
 * second for their arrival (99th percentile), or when the bad endpoint makes the others wait more than 5 % longer for a backlog (medians).
 */
export const run = async (args: readonly string[]): Promise<void> => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      dials: { type: "string", default: "100" },
      rounds: { type: "string", default: "5" },
      pace: { type: "string", default: "20" },
    },
  });
  const bench = await Bench.open();
  try {
    const alone: Round[] = [];
    const beside: Round[] = [];
    await bench.round(Number(values.dials), Number(values.pace), false);
    for (let nth = 0; nth < Number(values.rounds); nth++)
      for (const bad of nth % 2 === 0 ? [false, true] : [true, false])
        (bad ? beside : alone).push(await bench.round(Number(values.dials), Number(values.pace), bad));
    const figures = { alone: figuresOf(alone), besideABadOne: figuresOf(beside) };
    const cost = figures.besideABadOne.drainMs / figures.alone.drainMs - 1;
    const p99 = Math.max(figures.alone.waitP99Ms, figures.besideABadOne.waitP99Ms);
    console.log(JSON.stringify({ ...figures, costOfTheBadOne: `${(100 * cost).toFixed(1)} %` }, null, 2));
    if (cost > 0.05 || p99 > 1_000) process.exitCode = 1;
  } finally {
    await bench.close();
  }
};

const figuresOf = (rounds: readonly Round[]) => {
  const waits = rounds.flatMap(({ waitsMs }) => waitsMs).toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? 0);
  const drains = rounds.map(({ drainMs }) => drainMs).toSorted((a, b) => a - b);
  return {
    drainMs: Math.round(drains[Math.floor(drains.length / 2)] ?? 0),
    drainsMs: rounds.map(({ drainMs }) => Math.round(drainMs)),
    attempts: waits.length,
    waitP50Ms: at(0.5),
    waitP99Ms: at(0.99),
  };
};

class Bench {
  readonly #database: TestDatabase;
  readonly #store: PostgresStore;
  readonly #good: readonly WebhookReceiver[];
  readonly #bad: Readonly<{ url: string; close(): void }>;
  #dials = 0;

  private constructor(
    database: TestDatabase,
    store: PostgresStore,
    good: readonly WebhookReceiver[],
    bad: Readonly<{ url: string; close(): void }>,
  ) {
    this.#database = database;
    this.#store = store;
    this.#good = good;
    this.#bad = bad;
  }

  static async open(): Promise<Bench> {
    const database = await createTestDatabase();
    const store = await openPostgresStore({ url: database.url, clock, random });
    const seed = { agent: testAgent(), prompt: testPrompt(), phoneNumber: testPhoneNumber() };
    await store.catalogue.seed({ workspaceId: WORKSPACE, ...seed });
    const { secret } = await store.outbox.secret(WORKSPACE);
    const good = await Promise.all(Array.from({ length: GOOD_ENDPOINTS }, () => receiveWebhooks(() => secret)));
    return new Bench(database, store, good, await silentEndpoint());
  }

  async close(): Promise<void> {
    this.#bad.close();
    await Promise.all(this.#good.map((one) => one.close()));
    await this.#store.close();
    await this.#database.close();
  }

  /** A backlog of `dials` dials to the good endpoints, and then as many at `pace` a second. */
  async round(dials: number, pace: number, bad: boolean): Promise<Round> {
    // What the bad endpoint did not take is not left to the next round.
    await this.#database.query("TRUNCATE outbox, webhook_stream, webhook_attempt");
    await Promise.all(Array.from({ length: dials }, (_, nth) => this.#live(this.#goodUrl(nth))));
    const forBad = bad ? (2 * dials) / GOOD_ENDPOINTS : 0;
    await Promise.all(Array.from({ length: forBad }, () => this.#live(this.#bad.url)));
    const ignore = () => undefined;
    const http = new GuardedHttpCaller({ clock, allowPrivateNetwork: true });
    const relay = new WebhookRelay({
      outbox: this.#store.outbox,
      http,
      publicUrl: () => "https://calls.test",
      clock,
      random,
      logger: silentLogger(),
      metrics: { webhookWaited: ignore, webhookAttempt: ignore, webhookDead: ignore },
    });
    const before = this.#received;
    const began = clock.monotonic();
    relay.start();
    try {
      await this.#until(before + dials * EVENTS);
      const drainMs = clock.monotonic() - began;
      const seen = this.#good.map(({ received }) => received.length);
      const live: Promise<void>[] = [];
      for (let nth = 0; nth < dials; nth++) {
        live.push(this.#live(this.#goodUrl(nth)));
        await sleep(clock, 1_000 / pace);
      }
      await Promise.all(live);
      await this.#until(before + 2 * dials * EVENTS);
      const told = this.#good.flatMap(({ received }, at) => received.slice(seen[at]));
      return { drainMs, waitsMs: told.map(({ at, created_at: made }) => at - Date.parse(made)) };
    } finally {
      await relay.stop();
      await http.close();
    }
  }

  get #received(): number {
    return this.#good.reduce((sum, { received }) => sum + received.length, 0);
  }

  #goodUrl(nth: number): string {
    return `${(this.#good[nth % GOOD_ENDPOINTS] as WebhookReceiver).url}/`;
  }

  async #until(count: number): Promise<void> {
    const giveUpAt = clock.monotonic() + LONGEST_MS;
    while (this.#received < count) {
      if (clock.monotonic() > giveUpAt) throw new Error(`${count - this.#received} webhooks did not come`);
      await sleep(clock, 5);
    }
  }

  async #live(webhookUrl: string): Promise<void> {
    this.#dials += 1;
    const dialId = `dial-${this.#dials}`;
    const toNumber = `+1212${5_000_000 + this.#dials}`;
    const plan = testPlan({ dialId, workspaceId: WORKSPACE, toNumber });
    const { dials } = this.#store;
    await dials.create({ plan, sessionId: `session-${this.#dials}`, webhookUrl });
    await dials.claim(dialId, "worker");
    await dials.advance(dialId, "RINGING");
    await dials.advance(dialId, "IN_PROGRESS");
    await dials.end(dialId, { type: "observed", evidence: 2, end: callEnd("agent_hangup", "agent") });
    await dials.transcriptComplete(dialId);
  }
}

/** Takes every request and answers none. */
const silentEndpoint = async (): Promise<Readonly<{ url: string; close(): void }>> => {
  const server = createServer((request) => void request.resume());
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
