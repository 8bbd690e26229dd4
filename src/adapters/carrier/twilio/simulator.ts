import type {
  CarrierSimulator,
  RunningSimulator,
  SimulatedRing,
  SimulatorOptions,
} from "../../../ports/carrier-simulator.ts";
import { farEndOf } from "../simulation/people.ts";
import { RestServer, type RestAnswer, type RestRequest } from "../simulation/rest-server.ts";
import { signatureOf } from "./signature.ts";
import { twilioAccount, type SimulatedAccount } from "./simulated-account.ts";
import { SimulatedCall, type SimulatedCallParts } from "./simulated-call.ts";
import { SimulatedRooms } from "./simulated-rooms.ts";
import type { StatusFields } from "./status-callback.ts";

/** Twilio's REST interface for calls, its callbacks and its media sockets, on this machine. */
export const simulator: CarrierSimulator = {
  name: "twilio",
  start: (options) => startNetwork(options, twilioAccount(options)),
};

/** The same for any carrier that speaks this dialect. */
export const startNetwork = async (options: SimulatorOptions, account: SimulatedAccount): Promise<RunningSimulator> => {
  const network = new TwilioNetwork(options, account);
  await network.listen();
  return network;
};

type Answer = Exclude<RestAnswer, "lost">;

class TwilioNetwork implements RunningSimulator {
  readonly #options: SimulatorOptions;
  readonly #calls = new Map<string, SimulatedCall>();
  readonly #rooms: SimulatedRooms;
  readonly #rest: RestServer;
  readonly #account: SimulatedAccount;

  constructor(options: SimulatorOptions, account: SimulatedAccount) {
    this.#options = options;
    this.#account = account;
    this.#rooms = new SimulatedRooms(options.deps.clock);
    const { logger } = options.deps;
    this.#rest = new RestServer({ host: options.host, logger, answer: (request) => this.#answer(request) });
  }

  get url(): string {
    return this.#rest.url;
  }

  get environment(): Readonly<Record<string, string>> {
    return this.#account.environment(this.url);
  }

  get placed(): number {
    return [...this.#calls.values()].filter(({ parts }) => parts.direction === "outbound-api").length;
  }

  listen(): Promise<void> {
    return this.#rest.listen(this.#options.port);
  }

  async ring({ from, to, webhookUrl }: SimulatedRing): Promise<string> {
    const end = farEndOf(from, this.#options);
    if (end === undefined) throw new Error(`nobody has the number ${from} in the simulated network`);
    await end.caller;
    return this.#begin({
      ...end,
      from,
      to,
      direction: "inbound",
      document: { url: webhookUrl },
      statusUrl: webhookUrl,
      statusEvents: ["completed"],
      ringTimeoutMs: 60_000,
      timeLimitMs: DAY_MS,
    }).parts.sid;
  }

  async close(): Promise<void> {
    for (const call of this.#calls.values()) call.abort();
    await Promise.all([...this.#calls.values()].map((call) => call.settled));
    await this.#rest.close();
  }

  #answer(request: RestRequest): RestAnswer {
    if (!this.#knows(request)) return failure(401, 20_003, "Authenticate");
    return this.#route(request.method, request.path, request.query, new URLSearchParams(request.text));
  }

  #knows({ headers }: RestRequest): boolean {
    const { id, password } = this.#account;
    const expected = Buffer.from(`${id}:${password.reveal()}`).toString("base64");
    return headers.authorization === `Basic ${expected}`;
  }

  #route(method: string, whole: string, query: URLSearchParams, form: URLSearchParams): RestAnswer {
    const account = this.#account.path;
    const path = whole.startsWith(`${account}/`) ? whole.slice(account.length) : "";
    if (path === "/Conferences.json") return this.#rooms.list(query);
    if (path === "/Calls.json") return method === "POST" ? this.#create(form) : this.#list(query);
    const call = this.#calls.get(/^\/Calls\/([0-9A-Za-z-]{34,36})\.json$/.exec(path)?.[1] ?? "");
    if (call === undefined) return failure(404, 20_404, "The requested resource was not found");
    if (method === "POST") return this.#update(call, form);
    return { status: 200, body: this.#show(call) };
  }

  #create(form: URLSearchParams): RestAnswer {
    const { deps, faults } = this.#options;
    if (deps.random.fraction() < (faults.tooMany ?? 0)) return TOO_MANY;
    const to = form.get("To") ?? "";
    const end = farEndOf(to, this.#options);
    if (end === undefined || end.number.place === "invalid-number") return failure(400, 21_211, "Invalid 'To' number");
    if (end.number.place === "refused") return failure(400, 21_215, "Account not authorized to call this number");
    if (end.number.place === "server-error") return failure(500, 20_500, "An internal server error has occurred");
    if (end.number.place === "rate-limited") return TOO_MANY;
    const [twiml, url] = [form.get("Twiml"), form.get("Url")];
    if (twiml === null && url === null) return failure(400, 21_205, "Url parameter is required");
    if (end.number.place === "request-lost" || end.number.place === "not-sent") return "lost";
    const statusUrl = form.get("StatusCallback");
    const machineUrl = form.get("AsyncAmdStatusCallback");
    const events = form.getAll("StatusCallbackEvent").flatMap((one) => one.split(/[ ,]+/));
    const call = this.#begin({
      ...end,
      from: form.get("From") ?? "",
      to,
      direction: "outbound-api",
      document: twiml === null ? { url: url ?? "" } : { twiml },
      ...(statusUrl === null ? {} : { statusUrl }),
      statusEvents: events.length === 0 ? ["completed"] : events,
      ringTimeoutMs: Number(form.get("Timeout") ?? 60) * 1000,
      timeLimitMs: Number(form.get("TimeLimit") ?? 14_400) * 1000,
      ...(machineUrl === null || form.get("MachineDetection") === null ? {} : { machineUrl }),
    });
    const lost = end.number.place === "answer-lost" || deps.random.fraction() < (faults.loseAnswer ?? 0);
    return lost ? "lost" : { status: 201, body: this.#show(call) };
  }

  #update(call: SimulatedCall, form: URLSearchParams): Answer {
    if (call.over) return failure(400, 21_220, "Call is not in-progress. Cannot redirect.");
    const twiml = form.get("Twiml");
    const status = form.get("Status");
    if (status === "completed" || status === "canceled") call.hangUp();
    else if (twiml !== null && call.status === "in-progress") call.redirect(twiml);
    else return failure(400, 21_218, "Invalid update");
    return { status: 200, body: this.#show(call) };
  }

  #list(query: URLSearchParams): Answer {
    const fits = ({ parts, status }: SimulatedCall) =>
      Object.entries({ To: parts.to, From: parts.from, ParentCallSid: parts.parentSid, Status: status }).every(
        ([name, value]) => !query.has(name) || query.get(name) === value,
      );
    const found = [...this.#calls.values()].filter(fits).toReversed();
    const size = Math.min(1000, Number(query.get("PageSize") ?? 50));
    return {
      status: 200,
      body: {
        calls: found.slice(0, size).map((call) => this.#show(call)),
        page: 0,
        page_size: size,
        next_page_uri: null,
      },
    };
  }

  #show({ parts, status, createdAt }: SimulatedCall): Readonly<Record<string, unknown>> {
    return {
      sid: parts.sid,
      account_sid: this.#account.id,
      to: parts.to,
      from: parts.from,
      status,
      direction: parts.direction,
      parent_call_sid: parts.parentSid ?? null,
      date_created: new Date(createdAt).toUTCString(),
      api_version: "2010-04-01",
      uri: `${this.#account.path}/Calls/${parts.sid}.json`,
    };
  }

  #begin(
    parts: Omit<SimulatedCallParts, "deps" | "faults" | "writer" | "sid" | "accountSid" | "sign" | "dial" | "enter">,
  ): SimulatedCall {
    const { deps, faults } = this.#options;
    const account = this.#account;
    const call = new SimulatedCall({
      ...parts,
      deps,
      faults,
      writer: account.writer,
      sid: account.newCallId(),
      accountSid: account.id,
      sign: (url, fields) => ({ [account.signatureHeader]: this.#sign(url, fields) }),
      dial: (parent, to, ringTimeoutMs) => this.#dial(parent, to, ringTimeoutMs),
      enter: (who, room, opens) => this.#rooms.enter(who, room, opens),
    });
    this.#calls.set(call.parts.sid, call);
    if (this.#calls.size > MOST_REMEMBERED) this.#forget();
    return call;
  }

  #dial(parent: SimulatedCall, to: string, ringTimeoutMs: number): SimulatedCall {
    const { deps } = this.#options;
    const nobody = { number: { ...NOBODY }, caller: Promise.resolve({ next: () => ({}) }) };
    return this.#begin({
      ...(farEndOf(to, { deps }) ?? nobody),
      from: parent.parts.direction === "inbound" ? parent.parts.to : parent.parts.from,
      to,
      direction: "outbound-dial",
      document: { twiml: "<Response/>" },
      statusEvents: [],
      ringTimeoutMs,
      timeLimitMs: DAY_MS,
      parentSid: parent.parts.sid,
    });
  }

  #sign(url: string, fields: StatusFields): string {
    return signatureOf(this.#account.signingKey, url, new URLSearchParams(fields));
  }

  #forget(): void {
    for (const [sid, call] of this.#calls) if (call.over) this.#calls.delete(sid);
  }
}

const DAY_MS = 86_400_000;
const MOST_REMEMBERED = 10_000;

const NOBODY = {
  what: "nobody has this number",
  place: "accepted",
  ringMs: 0,
  outcome: "unallocated",
  caller: "conversation",
} as const;

const failure = (status: number, code: number, message: string): Answer => ({
  status,
  body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
});

const TOO_MANY: Answer = { ...failure(429, 20_429, "Too Many Requests"), headers: { "retry-after": "1" } };
