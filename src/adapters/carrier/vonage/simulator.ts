import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  verify,
  type KeyObject,
} from "node:crypto";
import type {
  CarrierSimulator,
  RunningSimulator,
  SimulatedRing,
  SimulatorOptions,
} from "../../../ports/carrier-simulator.ts";
import { toE164 } from "../rest/e164.ts";
import type { Callback } from "../simulation/callback-poster.ts";
import { Network, type Refusal } from "../simulation/network.ts";
import type { CallNews, NetworkCall, NextStep, Occasion } from "../simulation/network-call.ts";
import { StreamedPhone } from "../simulation/phone.ts";
import { RestServer, type RestAnswer, type RestRequest } from "../simulation/rest-server.ts";
import { counterOf, fieldsOf, parseFields, textOf, type Fields } from "../streaming/message-fields.ts";
import { addressOf, eventOf, showCall } from "./simulated-records.ts";
import { VonagePhone } from "./simulated-phone.ts";

/** Vonage's Voice interface, its webhooks and its websocket endpoints, on this machine. */
export const simulator: CarrierSimulator = {
  name: "vonage",
  start: async (options) => {
    const network = new VonageNetwork(options);
    await network.listen();
    return network;
  },
};

/** What Vonage keeps of a call beside what every network does. */
type Known = {
  eventUrl: string;
  /** What it answers with, or where that is fetched. */
  document: readonly Fields[] | Readonly<{ url: string }>;
  endpoint: Fields;
  /** Where the events of the leg go that is being connected. */
  legUrl: string;
  legTo: string;
};

class VonageNetwork implements RunningSimulator {
  readonly #options: SimulatorOptions;
  readonly #applicationId: string;
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  readonly #secret: string;
  readonly #network: Network;
  readonly #rest: RestServer;
  readonly #known = new Map<string, Known>();

  constructor(options: SimulatorOptions) {
    this.#options = options;
    const { random, logger, clock } = options.deps;
    const { VONAGE_APPLICATION_ID: id, VONAGE_PRIVATE_KEY: pem, VONAGE_SIGNATURE_SECRET: secret } = options.settings;
    this.#applicationId = id ?? random.id();
    this.#privateKey =
      pem === undefined
        ? generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey
        : createPrivateKey(pem.replaceAll(String.raw`\n`, "\n"));
    this.#publicKey = createPublicKey(this.#privateKey);
    this.#secret = secret ?? random.secret(32);
    this.#network = new Network(options, {
      tell: (call, news) => {
        this.#tell(call, news);
      },
      next: (call, occasion) => this.#next(call, occasion),
      phone: (call, mediaUrl, caller, breaksAfterMs) => {
        const { endpoint } = this.#of(call);
        const headers = fieldsOf(endpoint["headers"]) ?? {};
        const dialect = new VonagePhone({ headers, contentType: textOf(endpoint["content-type"]) ?? "" });
        return new StreamedPhone({ clock, mediaUrl, headers: {}, dialect, caller, breaksAfterMs });
      },
    });
    this.#rest = new RestServer({ host: options.host, logger, answer: (request) => this.#answer(request) });
  }

  get url(): string {
    return this.#rest.url;
  }

  get environment(): Readonly<Record<string, string>> {
    const pem = this.#privateKey.export({ format: "pem", type: "pkcs8" }).toString();
    return {
      VONAGE_APPLICATION_ID: this.#applicationId,
      VONAGE_PRIVATE_KEY: pem.trim().replaceAll("\n", String.raw`\n`),
      VONAGE_SIGNATURE_SECRET: this.#secret,
      VONAGE_BASE_URL: this.url,
    };
  }

  get placed(): number {
    return this.#network.placed;
  }

  listen(): Promise<void> {
    return this.#rest.listen(this.#options.port);
  }

  async ring(ring: SimulatedRing): Promise<string> {
    const { callId } = (await this.#network.ring(ring)).parts;
    const { webhookUrl } = ring;
    this.#known.set(callId, { ...NOTHING_KNOWN, eventUrl: webhookUrl, document: { url: webhookUrl } });
    return callId;
  }

  async close(): Promise<void> {
    await this.#network.close();
    await this.#rest.close();
  }

  #answer({ method, path, query, headers, body }: RestRequest): RestAnswer {
    if (!this.#knows(headers.authorization ?? "")) return failure(401, "Unauthorized");
    if (path === "/v1/calls") return method === "POST" ? this.#place(body) : this.#list(query);
    const call = this.#network.find(/^\/v1\/calls\/([^/]+)$/.exec(path)?.[1] ?? "");
    if (call === undefined) return failure(404, "Not Found");
    if (method === "GET") return { status: 200, body: showCall(call) };
    if (call.state === "ended") return failure(400, "Call is not active");
    if (body["action"] === "hangup") call.hangUp();
    else if (body["action"] === "transfer") {
      const document = fieldsOf(body["destination"])?.["ncco"];
      if (!isDocument(document) || !call.redirect(this.#step(call, document))) return failure(400, "Bad Request");
    } else return failure(400, "Bad Request");
    return { status: 204 };
  }

  /** Whether a request comes with a fresh token of the application. */
  #knows(authorization: string): boolean {
    const [, content = "", payload = "", signature = ""] =
      /^Bearer ([\w-]+\.([\w-]+))\.([\w-]+)$/.exec(authorization) ?? [];
    const claims = parseFields(Buffer.from(payload, "base64url").toString("utf8"));
    const exp = claims?.["exp"];
    return (
      claims?.["application_id"] === this.#applicationId &&
      typeof claims["jti"] === "string" &&
      typeof exp === "number" &&
      exp * 1000 > this.#options.deps.clock.now() &&
      verify("RSA-SHA256", Buffer.from(content), this.#publicKey, Buffer.from(signature, "base64url"))
    );
  }

  #place(body: Fields): RestAnswer {
    const numberIn = (endpoint: unknown) => toE164(textOf(fieldsOf(endpoint)?.["number"]) ?? "");
    const to = Array.isArray(body["to"]) ? numberIn((body["to"] as readonly unknown[])[0]) : "";
    const document = body["ncco"];
    if (!isDocument(document)) return failure(400, "ncco is required", "ncco");
    const placed = this.#network.place({
      from: numberIn(body["from"]),
      to,
      ringTimeoutMs: (counterOf(body["ringing_timer"]) ?? 60) * 1000,
      timeLimitMs: (counterOf(body["length_timer"]) ?? 7200) * 1000,
      detectsMachines: body["machine_detection"] !== undefined,
    });
    if (typeof placed === "string") return REFUSALS[placed];
    const { callId } = placed.call.parts;
    this.#known.set(callId, { ...NOTHING_KNOWN, eventUrl: firstOf(body["event_url"]), document });
    const answer = { uuid: callId, status: "started", direction: "outbound", conversation_uuid: `CON-${callId}` };
    return placed.answerLost ? "lost" : { status: 201, body: answer };
  }

  #list(query: URLSearchParams): RestAnswer {
    const since = Date.parse(query.get("date_start") ?? "1970-01-01");
    const conversation = query.get("conversation_uuid");
    const calls = this.#network.calls
      .filter(({ createdAt, parts }) => createdAt >= since && [null, `CON-${parts.callId}`].includes(conversation))
      .map(showCall);
    return { status: 200, body: { count: calls.length, page_size: 100, _embedded: { calls: calls.slice(0, 100) } } };
  }

  #of({ parts }: NetworkCall): Known {
    return this.#known.get(parts.callId) ?? { ...NOTHING_KNOWN };
  }

  async #next(call: NetworkCall, occasion: Occasion): Promise<NextStep> {
    const known = this.#of(call);
    if (occasion === "answered")
      return "url" in known.document
        ? this.#ask(call, known.document.url, addressOf(call))
        : this.#step(call, known.document);
    // The event is synchronous: its answer may be another document, else the one that was carried out is at its end.
    const status = occasion === "media-closed" ? "disconnected" : "unanswered";
    const leg = { ...addressOf(call), uuid: `leg-${call.parts.callId}`, to: known.legTo, status };
    return known.legUrl === "" ? { step: "end" } : this.#ask(call, known.legUrl, leg);
  }

  async #ask(call: NetworkCall, url: string, fields: Fields): Promise<NextStep> {
    const answer = await call.poster.ask(this.#signed(url, fields));
    const document: unknown = answer?.status === 200 ? parse(answer.body) : undefined;
    return this.#step(call, isDocument(document) ? document : []);
  }

  /** What a document comes to, of which only the first action is simulated. */
  #step(call: NetworkCall, [action]: readonly Fields[]): NextStep {
    const known = this.#of(call);
    const endpoints = action?.["endpoint"];
    const endpoint = Array.isArray(endpoints) ? fieldsOf((endpoints as readonly unknown[])[0]) : undefined;
    if (action?.["action"] !== "connect" || endpoint === undefined)
      return { step: call.state === "ringing" ? "decline" : "end" };
    known.legUrl = action["eventType"] === "synchronous" ? firstOf(action["eventUrl"]) : "";
    if (endpoint["type"] === "websocket") {
      known.endpoint = endpoint;
      known.legTo = textOf(endpoint["uri"]) ?? "";
      return { step: "connect", mediaUrl: known.legTo };
    }
    known.legTo = textOf(endpoint["number"]) ?? "";
    return { step: "dial", to: toE164(known.legTo), ringMs: (counterOf(action["timeout"]) ?? 60) * 1000 };
  }

  #tell(call: NetworkCall, news: CallNews): void {
    const { eventUrl, legUrl, legTo } = this.#of(call);
    const address = addressOf(call);
    if (news.news === "transferred" && legUrl !== "")
      call.poster.post(
        this.#signed(legUrl, { ...address, uuid: `leg-${call.parts.callId}`, to: legTo, status: "answered" }),
      );
    const event = eventOf(call, news);
    // Whoever rings is announced by the request for a document.
    const announced = news.news === "ringing" && call.parts.direction === "inbound";
    if (event !== undefined && eventUrl !== "" && !announced)
      call.poster.post(this.#signed(eventUrl, { ...address, ...event, timestamp: new Date(this.#now).toISOString() }));
  }

  get #now(): number {
    return this.#options.deps.clock.now();
  }

  #signed(url: string, fields: Fields): Callback {
    const body = JSON.stringify(fields);
    const claims = {
      iat: Math.floor(this.#now / 1000),
      jti: this.#options.deps.random.id(),
      iss: "Vonage",
      payload_hash: createHash("sha256").update(body).digest("hex"),
      api_key: "simulated",
      application_id: this.#applicationId,
    };
    const content = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
    const token = `${content}.${createHmac("sha256", this.#secret).update(content).digest("base64url")}`;
    return {
      method: "POST",
      url,
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body,
    };
  }
}

const NOTHING_KNOWN: Known = { eventUrl: "", document: [], endpoint: {}, legUrl: "", legTo: "" };

const encode = (part: Fields): string => Buffer.from(JSON.stringify(part)).toString("base64url");

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const isDocument = (value: unknown): value is readonly Fields[] =>
  Array.isArray(value) && value.every((action) => fieldsOf(action) !== undefined);

const firstOf = (urls: unknown): string => (Array.isArray(urls) ? (textOf((urls as readonly unknown[])[0]) ?? "") : "");

const failure = (status: number, title: string, parameter?: string): Exclude<RestAnswer, "lost"> => ({
  status,
  body: {
    type: "https://developer.vonage.com/api-errors",
    title,
    detail: title,
    ...(parameter === undefined ? {} : { invalid_parameters: [{ name: parameter, reason: title }] }),
  },
});

const REFUSALS: Readonly<Record<Refusal, RestAnswer>> = {
  "invalid-number": failure(400, "Bad Request", "to[0].number"),
  refused: failure(403, "Forbidden"),
  "server-error": failure(500, "Internal Server Error"),
  "rate-limited": { ...failure(429, "Too Many Requests"), headers: { "retry-after": "1" } },
  lost: "lost",
};
