import { DEMO_AGENT_ID } from "../../src/app/demo-workspace.ts";
import { createClient, type Client, type Dial } from "../../src/client/client.ts";
import { sleep, type Clock } from "../../src/ports/clock.ts";
import { receiveWebhooks, type WebhookReceiver } from "../kit/webhook-receiver.ts";
import { OVER, type Wanted } from "./audit.ts";
import type { World } from "./world.ts";

/** Requests that were repeated, and the most requests that one answer took. */
export type Patience = Readonly<{ retried: number; mostTries: number }>;

/** Somebody with a key who makes dials, repeats what is not answered, and takes the webhooks. */
export class Customer {
  readonly wanted: Wanted[] = [];
  readonly client: Client;
  readonly post: WebhookReceiver;
  readonly #clock: Clock;
  readonly #name: string;
  #fromNumberId = "";
  #retried = 0;
  #mostTries = 0;

  private constructor(world: World, name: string, post: WebhookReceiver) {
    this.#clock = world.clock;
    this.#name = name;
    this.post = post;
    this.client = createClient({ baseUrl: world.baseUrl, apiKey: world.apiKey });
  }

  /** `name` makes the requests of one run those of no other. */
  static async open(world: World, name: string): Promise<Customer> {
    let secret = "";
    const customer = new Customer(world, name, await receiveWebhooks(() => secret));
    ({ secret } = await customer.insist(() => customer.client.getWebhookSecret()));
    const number = { number: "+12025550101", carrier: "twilio", agentId: DEMO_AGENT_ID } as const;
    customer.#fromNumberId = (await customer.insist(() => customer.client.importPhoneNumber({ body: number }))).id;
    return customer;
  }

  get patience(): Patience {
    return { retried: this.#retried, mostTries: this.#mostTries };
  }

  /** Agents that wait for whoever is silent. */
  async bePatient(): Promise<void> {
    const { client } = this;
    const { id: _id, ...agent } = await client.getAgent({ id: DEMO_AGENT_ID });
    const body = { ...agent, idleMessageConfig: { ...agent.idleMessageConfig, enabled: false } };
    await client.updateAgent({ id: DEMO_AGENT_ID, body });
  }

  /** Makes the `nth` dial of this run, to somebody whom no other rings; it may be hung up after a while. */
  async dial(nth: number, hangUpAfterMs?: number): Promise<Wanted> {
    const to = `+1212${2_500_000 + nth}`;
    const body = {
      callAgentId: DEMO_AGENT_ID,
      fromNumberId: this.#fromNumberId,
      toNumber: to,
      webhookUrl: `${this.post.url}/`,
    };
    const idempotencyKey = `nemesis-${this.#name}-${nth}`;
    const dial = await this.insist(() => this.client.createDial({ body, idempotencyKey }));
    const want = { dialId: dial.dialId, to, hangUpAsked: false };
    this.wanted.push(want);
    if (hangUpAfterMs === undefined) return want;
    await sleep(this.#clock, hangUpAfterMs);
    want.hangUpAsked = true;
    await this.insist(() => this.client.hangUpDial({ id: dial.dialId }).catch(unlessOver));
    return want;
  }

  /** Repeats a request until it is answered. */
  async insist<T>(request: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        const answer = await request();
        if (tries > 1) this.#retried += 1;
        this.#mostTries = Math.max(this.#mostTries, tries);
        return answer;
      } catch (error) {
        if (tries === MOST_TRIES || isRefused(error)) throw error;
        await sleep(this.#clock, AGAIN_MS);
      }
    }
  }

  /** Every dial as it is in the end: over, or as it was found at `until` (monotonic milliseconds). */
  async settled(until: number, live: () => number, say?: (line: string) => void): Promise<ReadonlyMap<string, Dial>> {
    const dials = new Map<string, Dial>();
    for (;;) {
      const open = this.wanted.filter(({ dialId }) => dials.get(dialId)?.endedAt === undefined);
      for (const { dialId } of open)
        await this.insist(() => this.client.getDial({ id: dialId })).then(
          (dial) => dials.set(dialId, dial),
          () => undefined,
        );
      const left = open.filter(({ dialId }) => dials.get(dialId)?.endedAt === undefined).length;
      if ((left === 0 && live() === 0) || this.#clock.monotonic() > until) break;
      say?.(`quiet: ${left} dials are open, ${live()} calls live`);
      await sleep(this.#clock, 1_000);
    }
    await this.#told(this.#clock.monotonic() + POST_MS);
    // Corrections come after the end, and words after both.
    for (const { dialId } of this.wanted)
      dials.set(dialId, await this.insist(() => this.client.getDial({ id: dialId })));
    return dials;
  }

  /** Until every dial's end has been told, or the time is up. */
  async #told(until: number): Promise<void> {
    const isTold = () => {
      const told = new Set(
        this.post.received
          .filter(({ event, payload }) => event === "dial.updated" && OVER.has(String(payload["status"])))
          .map(({ payload }) => payload.dial_id),
      );
      return this.wanted.every(({ dialId }) => told.has(dialId));
    };
    while (!isTold() && this.#clock.monotonic() < until) await sleep(this.#clock, 200);
    // What comes behind the last one.
    await sleep(this.#clock, 2_000);
  }

  async close(): Promise<void> {
    await this.post.close();
  }
}

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
