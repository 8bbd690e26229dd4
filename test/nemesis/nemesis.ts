import { createClient, type Client, type Dial } from "../../src/client/client.ts";
import { DEMO_AGENT_ID } from "../../src/app/demo-workspace.ts";
import { sleep } from "../../src/ports/clock.ts";
import { SeededRandom } from "../kit/seeded-random.ts";
import { receiveWebhooks, type WebhookReceiver } from "../kit/webhook-receiver.ts";
import { audit, type Verdict, type Wanted } from "./audit.ts";
import { CarrierDouble, NO_AMBIGUITY, type Ambiguity } from "./carrier-double.ts";
import { World, type Member } from "./world.ts";

export type NemesisOptions = Readonly<{
  seed: number;
  /** How long dials are made and things go wrong, in milliseconds. */
  forMs: number;
  dialsPerSecond: number;
  /** Mean time between two faults. */
  faultEveryMs: number;
  ambiguity: Ambiguity;
  /** Which things go wrong; each as often as it is named. */
  faults: readonly Fault[];
  /** How long after that everything may take to come to its end. */
  quietMs: number;
  say?: (line: string) => void;
}>;

export type Fault =
  | "kill a worker"
  | "kill the API"
  | "stop a worker for a while"
  | "deploy a worker"
  | "kill Redis"
  | "flush Redis"
  | "restart PostgreSQL";

export type NemesisReport = Readonly<{
  seed: number;
  dials: number;
  rung: number;
  talked: number;
  faults: Readonly<Record<string, number>>;
  results: Readonly<Record<string, number>>;
  corrected: number;
  /** Creations that needed more than one request, and the most requests that one needed. */
  retried: number;
  mostTries: number;
  /** From the end of the faults until every dial was over. */
  quietMs: number;
  verdict: Verdict;
}>;

/** Ways in which a carrier leaves the service in doubt, as shares of requests and of callbacks. */
export const DOUBT: Ambiguity = {
  lostAfter: 0.08,
  errorAfter: 0.04,
  hangsAfter: 0.02,
  lostBefore: 0.03,
  refused: 0.03,
  tooMany: 0.03,
  dropped: 0.1,
  doubled: 0.15,
};

/** The same without what only long waits can settle: requests that were never granted, and callbacks that never come. */
export const BRIEF_DOUBT: Ambiguity = {
  ...NO_AMBIGUITY,
  lostAfter: 0.15,
  errorAfter: 0.1,
  refused: 0.05,
  doubled: 0.3,
};

/** Makes dials while things go wrong, lets everything settle, and holds what came of it against the carrier's own books. */
export const runNemesis = async (options: NemesisOptions): Promise<NemesisReport> => {
  const carrier = new CarrierDouble(options.seed, options.ambiguity);
  await carrier.listen();
  const world = await World.open(carrier.environment);
  const customer: { secret: string } = { secret: "" };
  const receiver = await receiveWebhooks(() => customer.secret);
  try {
    return await new Nemesis(options, carrier, world, receiver).run(customer);
  } finally {
    await world.close();
    await receiver.close();
    await carrier.close();
  }
};

class Nemesis {
  readonly #options: NemesisOptions;
  readonly #carrier: CarrierDouble;
  readonly #world: World;
  readonly #receiver: WebhookReceiver;
  readonly #random: SeededRandom;
  readonly #client: Client;
  readonly #wanted: Wanted[] = [];
  readonly #faults: Partial<Record<Fault, number>> = {};
  readonly #under: Promise<void>[] = [];
  #fromNumberId = "";
  #retried = 0;
  #mostTries = 0;

  constructor(options: NemesisOptions, carrier: CarrierDouble, world: World, receiver: WebhookReceiver) {
    this.#options = options;
    this.#carrier = carrier;
    this.#world = world;
    this.#receiver = receiver;
    this.#random = new SeededRandom(options.seed + 1);
    this.#client = createClient({ baseUrl: world.baseUrl, apiKey: world.api.apiKey });
  }

  async run(customer: { secret: string }): Promise<NemesisReport> {
    const { clock } = this.#world;
    customer.secret = (await this.#client.getWebhookSecret()).secret;
    const number = { number: "+12025550101", carrier: "twilio", agentId: DEMO_AGENT_ID } as const;
    this.#fromNumberId = (await this.#client.importPhoneNumber({ body: number })).id;
    const until = clock.monotonic() + this.#options.forMs;
    await Promise.all([this.#makeDials(until), this.#makeTrouble(until)]);
    await Promise.all(this.#under);
    // A request that was given up by its client may have been taken all the same, so its client asks until it knows.
    const began = clock.monotonic();
    const dials = await this.#settle(began + this.#options.quietMs);
    const quietMs = clock.monotonic() - began;
    await this.#post(clock.monotonic() + POST_MS);
    const calls = [...this.#carrier.ledger.values()];
    const verdict = audit({ wanted: this.#wanted, dials, calls, webhooks: this.#receiver.received });
    return {
      seed: this.#options.seed,
      dials: this.#wanted.length,
      rung: calls.length,
      talked: calls.filter(({ call }) => call.phone?.startedAt !== undefined).length,
      faults: this.#faults,
      results: countBy([...dials.values()].map(({ systemResultType }) => systemResultType ?? "none")),
      corrected: this.#receiver.received.filter(({ event }) => event === "dial.corrected").length,
      retried: this.#retried,
      mostTries: this.#mostTries,
      quietMs: Math.round(quietMs),
      verdict,
    };
  }

  async #makeDials(until: number): Promise<void> {
    const { clock } = this.#world;
    for (let made = 0; clock.monotonic() < until; made++) {
      this.#under.push(this.#makeDial(made));
      await sleep(clock, 1000 / this.#options.dialsPerSecond);
    }
  }

  async #makeDial(nth: number): Promise<void> {
    const to = `+1212${2_500_000 + nth}`;
    const hangUpAfter = this.#random.fraction() < 0.15 ? this.#random.fraction() * 8_000 : undefined;
    const body = {
      callAgentId: DEMO_AGENT_ID,
      fromNumberId: this.#fromNumberId,
      toNumber: to,
      webhookUrl: `${this.#receiver.url}/`,
    };
    const dial = await this.#insist(() =>
      this.#client.createDial({ body, idempotencyKey: `nemesis-${this.#options.seed}-${nth}` }),
    );
    const want = { dialId: dial.dialId, to, hangUpAsked: false };
    this.#wanted.push(want);
    if (hangUpAfter === undefined) return;
    await sleep(this.#world.clock, hangUpAfter);
    want.hangUpAsked = true;
    await this.#insist(() => this.#client.hangUpDial({ id: dial.dialId }).catch(unlessOver));
  }

  /** A customer who repeats a request until it is answered. */
  async #insist<T>(request: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        const answer = await request();
        if (tries > 1) this.#retried += 1;
        this.#mostTries = Math.max(this.#mostTries, tries);
        return answer;
      } catch (error) {
        if (tries === MOST_TRIES || isRefused(error)) throw error;
        await sleep(this.#world.clock, AGAIN_MS);
      }
    }
  }

  async #makeTrouble(until: number): Promise<void> {
    const { clock } = this.#world;
    const { faults, faultEveryMs, say } = this.#options;
    const rest = (ms: number) => sleep(clock, Math.max(0, Math.min(ms, until - clock.monotonic())));
    await rest(faultEveryMs / 2);
    while (clock.monotonic() < until && faults.length > 0) {
      const fault = faults[Math.floor(this.#random.fraction() * faults.length)] as Fault;
      this.#faults[fault] = (this.#faults[fault] ?? 0) + 1;
      say?.(`${Math.round((until - clock.monotonic()) / 1000)} s left: ${fault}`);
      this.#under.push(this.#strike(fault));
      await rest(faultEveryMs * (0.5 + this.#random.fraction()));
    }
  }

  async #strike(fault: Fault): Promise<void> {
    const worker: Member = this.#random.fraction() < 0.5 ? "worker-1" : "worker-2";
    switch (fault) {
      case "kill a worker":
        return this.#world.kill(worker);
      case "kill the API":
        return this.#world.kill("api");
      case "stop a worker for a while":
        return this.#world.pause(worker, 4_000 + this.#random.fraction() * 16_000);
      case "deploy a worker":
        return this.#world.replace(worker);
      case "kill Redis":
        return this.#world.killRedis();
      case "flush Redis":
        return this.#world.flushRedis();
      case "restart PostgreSQL":
        return this.#world.restartPostgres(this.#random.fraction() ** 2 * 5_000);
    }
  }

  /** Every dial as it is in the end: over, or as it was found when the time was up. */
  async #settle(until: number): Promise<ReadonlyMap<string, Dial>> {
    const { clock } = this.#world;
    const dials = new Map<string, Dial>();
    for (;;) {
      const open = this.#wanted.filter(({ dialId }) => dials.get(dialId)?.endedAt === undefined);
      for (const { dialId } of open)
        await this.#insist(() => this.#client.getDial({ id: dialId })).then(
          (dial) => dials.set(dialId, dial),
          () => undefined,
        );
      const left = open.filter(({ dialId }) => dials.get(dialId)?.endedAt === undefined).length;
      if ((left === 0 && this.#carrier.live === 0) || clock.monotonic() > until) break;
      this.#options.say?.(`quiet: ${left} dials are open, ${this.#carrier.live} calls live`);
      await sleep(clock, 1_000);
    }
    // Corrections come after the end.
    for (const { dialId } of this.#wanted)
      dials.set(dialId, await this.#insist(() => this.#client.getDial({ id: dialId })));
    return dials;
  }

  /** Until every dial's end has been told, or the time is up. */
  async #post(until: number): Promise<void> {
    const { clock } = this.#world;
    const isTold = () => {
      const told = new Set(
        this.#receiver.received
          .filter(({ event, payload }) => event === "dial.updated" && TERMINAL.has(String(payload["status"])))
          .map(({ payload }) => payload.dial_id),
      );
      return this.#wanted.every(({ dialId }) => told.has(dialId));
    };
    while (!isTold() && clock.monotonic() < until) await sleep(clock, 200);
    // What comes behind the last one.
    await sleep(clock, 2_000);
  }
}

const TERMINAL: ReadonlySet<string> = new Set(["completed", "busy", "no-answer", "canceled", "failed"]);
const POST_MS = 60_000;
const MOST_TRIES = 240;
const AGAIN_MS = 250;

/** An answer that another request would get as well. */
const isRefused = (error: unknown): boolean =>
  typeof error === "object" &&
  error !== null &&
  "status" in error &&
  typeof error.status === "number" &&
  error.status >= 400 &&
  error.status < 500 &&
  error.status !== 429;

/** Who asks to hang up a dial that is over is told so, and has what they wanted. */
const unlessOver = (error: unknown): void => {
  if (!(typeof error === "object" && error !== null && "status" in error && error.status === 409)) throw error;
};

const countBy = (words: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries([...Map.groupBy(words, (word) => word)].map(([word, all]) => [word, all.length]));
