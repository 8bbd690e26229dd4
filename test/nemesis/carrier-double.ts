import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { SimulatedCall } from "../../src/adapters/carrier/twilio/simulated-call.ts";
import { signatureOf } from "../../src/adapters/carrier/twilio/signature.ts";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import { SystemRandom } from "../../src/adapters/random/system.ts";
import { SecretString } from "../../src/kit/secret-string.ts";
import { sleep } from "../../src/ports/clock.ts";
import { SeededRandom } from "../kit/seeded-random.ts";
import { silentLogger } from "../kit/silent-logger.ts";
import { allKinds, type People, type Person } from "./people.ts";

/** One request to ring somebody that was granted: what the carrier's own books say of it. */
export type LedgerCall = {
  readonly to: string;
  readonly at: number;
  readonly call: SimulatedCall;
  readonly person: Person;
  /** When the service asked for its end, while it was not over. */
  endAskedAt?: number;
};

/** What becomes of requests: shares of 1, tried in this order; all the rest is granted. */
export type Ambiguity = Readonly<{
  /** Granted, and the connection breaks. */
  lostAfter: number;
  /** Granted, and answered with an error of the server. */
  errorAfter: number;
  /** Granted, and answered only after the asker's patience. */
  hangsAfter: number;
  /** Not granted, and the connection breaks. */
  lostBefore: number;
  refused: number;
  tooMany: number;
  /** Shares of callbacks. */
  dropped: number;
  doubled: number;
  /** How late a callback may be, in milliseconds. */
  latest: number;
}>;

export const NO_AMBIGUITY: Ambiguity = {
  lostAfter: 0,
  errorAfter: 0,
  hangsAfter: 0,
  lostBefore: 0,
  refused: 0,
  tooMany: 0,
  dropped: 0,
  doubled: 0,
  latest: 0,
};

const SID = "AC00000000000000000000000000000000";
const TOKEN = new SecretString("0123456789abcdef0123456789abcdef");
/** Longer than the service waits for an answer. */
const HANG_MS = 15_000;

/** An account of the Twilio dialect whose people live by a seed, and whose books are the truth that the service is held to. */
export class CarrierDouble {
  readonly ledger = new Map<string, LedgerCall>();
  /** Requests that were refused, by number. */
  readonly refused = new Set<string>();
  ambiguity: Ambiguity;
  readonly #clock = new SystemClock();
  readonly #random: SeededRandom;
  readonly #people: People;
  readonly #server: Server;
  readonly #deps;
  #made = 0;

  constructor(seed: number, ambiguity: Ambiguity, people = allKinds) {
    this.#random = new SeededRandom(seed);
    this.#people = people;
    this.ambiguity = ambiguity;
    this.#deps = { clock: this.#clock, random: new SystemRandom(), logger: silentLogger() };
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
  }

  get environment(): Readonly<Record<string, string>> {
    const { port } = this.#server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    return { TWILIO_ACCOUNT_SID: SID, TWILIO_AUTH_TOKEN: TOKEN.reveal(), TWILIO_BASE_URL: url };
  }

  /** Calls with a person who is rung or talks. */
  get live(): number {
    return [...this.ledger.values()].filter(({ call }) => !call.over).length;
  }

  /** Calls with a person whose sound comes and goes. */
  get talking(): number {
    return [...this.ledger.values()].filter(({ call }) => !call.over && call.phone?.startedAt !== undefined).length;
  }

  callTo(to: string): LedgerCall | undefined {
    return [...this.ledger.values()].find((call) => call.to === to);
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => void this.#server.listen(0, "127.0.0.1", resolve));
  }

  async close(): Promise<void> {
    for (const { call } of this.ledger.values()) call.abort();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const form = new URLSearchParams(Buffer.concat(parts).toString("utf8"));
    const url = new URL(request.url ?? "/", "http://carrier");
    const path = url.pathname.replace(`/2010-04-01/Accounts/${SID}`, "");
    if (path === "/Calls.json" && request.method === "POST") return this.#place(form, response);
    if (path === "/Calls.json") return answer(response, 200, { calls: this.#list(url.searchParams) });
    const sid = /^\/Calls\/(\w+)\.json$/.exec(path)?.[1] ?? "";
    const known = this.ledger.get(sid);
    if (known === undefined) return answer(response, 404, { code: 20_404 });
    if (request.method === "POST") {
      if (known.call.over) return answer(response, 400, { code: 21_220 });
      known.endAskedAt ??= this.#clock.monotonic();
      known.call.hangUp();
    }
    return answer(response, 200, show(sid, known));
  }

  async #place(form: URLSearchParams, response: ServerResponse): Promise<void> {
    const luck = this.#draw(this.ambiguity, [
      "lostAfter",
      "errorAfter",
      "hangsAfter",
      "lostBefore",
      "refused",
      "tooMany",
    ]);
    const to = form.get("To") ?? "";
    if (luck === "lostBefore") return void response.destroy();
    if (luck === "refused") {
      this.refused.add(to);
      return answer(response, 400, { code: 21_215 });
    }
    if (luck === "tooMany") return answer(response, 429, { code: 20_429 }, { "retry-after": "1" });
    const [sid, call] = this.#ring(form);
    if (luck === "lostAfter") return void response.destroy();
    if (luck === "errorAfter") return answer(response, 500, { code: 20_500 });
    if (luck === "hangsAfter") await sleep(this.#clock, HANG_MS);
    return answer(response, 201, show(sid, call));
  }

  #ring(form: URLSearchParams): readonly [string, LedgerCall] {
    const to = form.get("To") ?? "";
    const person = this.#people(() => this.#random.fraction());
    this.#made += 1;
    const sid = `CA${this.#made.toString(16).padStart(32, "0")}`;
    const callbacks = this.#draw(this.ambiguity, ["dropped", "doubled"]);
    const call = new SimulatedCall({
      deps: this.#deps,
      faults: {
        drop: callbacks === "dropped" ? 1 : 0,
        duplicate: callbacks === "doubled" ? 1 : 0,
        delayMs: this.ambiguity.latest * this.#random.fraction() ** 3,
      },
      sid,
      accountSid: SID,
      from: form.get("From") ?? "",
      to,
      direction: "outbound-api",
      number: person.number,
      caller: Promise.resolve(person.caller),
      document: { twiml: form.get("Twiml") ?? "" },
      statusUrl: form.get("StatusCallback") ?? "",
      statusEvents: form.getAll("StatusCallbackEvent"),
      ringTimeoutMs: Number(form.get("Timeout")) * 1000,
      timeLimitMs: Number(form.get("TimeLimit")) * 1000,
      sign: (url, fields) => ({ "x-twilio-signature": signatureOf(TOKEN, url, new URLSearchParams(fields)) }),
      dial: () => {
        throw new Error("nobody is transferred here");
      },
      enter: () => {
        throw new Error("nobody is transferred here");
      },
    });
    const entry = { to, at: this.#clock.monotonic(), call, person };
    this.ledger.set(sid, entry);
    return [sid, entry];
  }

  #list(query: URLSearchParams): readonly unknown[] {
    return [...this.ledger]
      .filter(([, { call }]) => call.parts.to === query.get("To") && call.parts.from === query.get("From"))
      .toReversed()
      .slice(0, Number(query.get("PageSize") ?? 50))
      .map(([sid, call]) => show(sid, call));
  }

  /** One of the names by its share, or none of them. */
  #draw<Name extends keyof Ambiguity>(shares: Ambiguity, names: readonly Name[]): Name | undefined {
    let luck = this.#random.fraction();
    return names.find((name) => (luck -= shares[name]) < 0);
  }
}

const show = (sid: string, { to, call }: LedgerCall) => ({
  sid,
  to,
  from: call.parts.from,
  status: call.status,
  direction: "outbound-api",
  date_created: new Date(call.createdAt).toUTCString(),
});

const answer = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void => {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
};
