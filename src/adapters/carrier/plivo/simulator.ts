import type {
  CarrierSimulator,
  RunningSimulator,
  SimulatedRing,
  SimulatorOptions,
} from "../../../ports/carrier-simulator.ts";
import { toDigits, toE164 } from "../rest/e164.ts";
import type { Callback } from "../simulation/callback-poster.ts";
import { readDocument, type Verb } from "../simulation/markup.ts";
import { Network, type Refusal } from "../simulation/network.ts";
import type { CallNews, NetworkCall, NextStep, Occasion } from "../simulation/network-call.ts";
import { StreamedPhone } from "../simulation/phone.ts";
import { RestServer, type RestAnswer, type RestRequest } from "../simulation/rest-server.ts";
import { counterOf, textOf, type Fields } from "../streaming/message-fields.ts";
import { plivoSignature } from "./signature.ts";
import { hangupOf, showCall } from "./simulated-records.ts";
import { PlivoPhone } from "./simulated-phone.ts";

/** Plivo's REST interface for calls, its callbacks and its media sockets, on this machine. */
export const simulator: CarrierSimulator = {
  name: "plivo",
  start: async (options) => {
    const network = new PlivoNetwork(options);
    await network.listen();
    return network;
  },
};

type Form = Readonly<Record<string, string>>;

/** What Plivo keeps of a call beside what every network does; addresses are empty where there are none. */
type Known = {
  answerUrl: string;
  ringUrl: string;
  hangupUrl: string;
  machineUrl: string;
  streamUrl: string;
  dialUrl: string;
  /** What comes after the verb that is being done. */
  rest: readonly Verb[];
  dial: Readonly<{ action: string; status: string }> | undefined;
};

class PlivoNetwork implements RunningSimulator {
  readonly #options: SimulatorOptions;
  readonly #authId: string;
  readonly #authToken: string;
  readonly #network: Network;
  readonly #rest: RestServer;
  readonly #known = new Map<string, Known>();

  constructor(options: SimulatorOptions) {
    this.#options = options;
    const { random, logger, clock } = options.deps;
    this.#authId = options.settings["PLIVO_AUTH_ID"] ?? "MASIMULATEDACCOUNT00";
    this.#authToken = options.settings["PLIVO_AUTH_TOKEN"] ?? random.secret(30);
    this.#network = new Network(options, {
      tell: (call, news) => {
        this.#tell(call, news);
      },
      next: (call, occasion) => this.#next(call, occasion),
      phone: (call, mediaUrl, caller, breaksAfterMs) => {
        const streamId = random.id();
        const { streamUrl } = this.#of(call);
        if (streamUrl !== "") this.#post(call, streamUrl, { Event: "StartStream", StreamID: streamId });
        const dialect = new PlivoPhone({ streamId, callId: call.parts.callId, accountId: this.#authId });
        return new StreamedPhone({ clock, mediaUrl, headers: {}, dialect, caller, breaksAfterMs });
      },
    });
    this.#rest = new RestServer({ host: options.host, logger, answer: (request) => this.#answer(request) });
  }

  get url(): string {
    return this.#rest.url;
  }

  get environment(): Readonly<Record<string, string>> {
    return { PLIVO_AUTH_ID: this.#authId, PLIVO_AUTH_TOKEN: this.#authToken, PLIVO_BASE_URL: this.url };
  }

  get placed(): number {
    return this.#network.placed;
  }

  listen(): Promise<void> {
    return this.#rest.listen(this.#options.port);
  }

  async ring(ring: SimulatedRing): Promise<string> {
    const { callId } = (await this.#network.ring(ring)).parts;
    this.#known.set(callId, { ...NOTHING_KNOWN, answerUrl: ring.webhookUrl, hangupUrl: ring.webhookUrl });
    return callId;
  }

  async close(): Promise<void> {
    await this.#network.close();
    await this.#rest.close();
  }

  #answer({ method, path, query, headers, body }: RestRequest): RestAnswer {
    const authorization = `Basic ${Buffer.from(`${this.#authId}:${this.#authToken}`).toString("base64")}`;
    if (headers.authorization !== authorization) return failure(401, "Could not verify your access level.");
    const inside = path.replace(`/v1/Account/${this.#authId}`, "");
    if (inside === "/Call/") return method === "POST" ? this.#place(body) : this.#list(query);
    const [, kind, id = ""] = /^\/(Call|Request)\/([^/]+)\/$/.exec(inside) ?? [];
    const call = kind === undefined ? undefined : this.#network.find(id);
    if (call === undefined) return failure(404, "not found");
    const over = call.state === "ended";
    if (method === "GET")
      return over === (query.get("status") === "live")
        ? failure(404, "not found")
        : { status: 200, body: showCall(call) };
    if (over) return failure(404, "call not found");
    if (method === "DELETE") {
      call.hangUp();
      return { status: 204 };
    }
    return this.#transfer(call, body);
  }

  #place(body: Fields): RestAnswer {
    const answerUrl = textOf(body["answer_url"]);
    if (answerUrl === undefined) return failure(400, "answer_url parameter not present");
    const machineUrl = body["machine_detection"] === "true" ? textOf(body["machine_detection_url"]) : undefined;
    const placed = this.#network.place({
      from: toE164(textOf(body["from"]) ?? ""),
      to: toE164(textOf(body["to"]) ?? ""),
      ringTimeoutMs: (counterOf(body["ring_timeout"]) ?? 120) * 1000,
      timeLimitMs: (counterOf(body["time_limit"]) ?? 14_400) * 1000,
      detectsMachines: machineUrl !== undefined,
    });
    if (typeof placed === "string") return REFUSALS[placed];
    const { callId } = placed.call.parts;
    this.#known.set(callId, {
      ...NOTHING_KNOWN,
      answerUrl,
      ringUrl: textOf(body["ring_url"]) ?? "",
      hangupUrl: textOf(body["hangup_url"]) ?? "",
      machineUrl: machineUrl ?? "",
    });
    return placed.answerLost
      ? "lost"
      : { status: 201, body: { api_id: "simulated", message: "call fired", request_uuid: callId } };
  }

  #transfer(call: NetworkCall, body: Fields): RestAnswer {
    const url = textOf(body["aleg_url"]);
    if (url === undefined || call.state !== "in-progress") return failure(400, "call cannot be transferred");
    const fetched = this.#fetch(call, url);
    void fetched.then((step) => call.redirect(step));
    return { status: 202, body: { api_id: "simulated", message: "call transferred" } };
  }

  #list(query: URLSearchParams): RestAnswer {
    const live = query.get("status") === "live";
    const found = this.#network.calls.filter(
      ({ parts, state }) =>
        (state === "ended") !== live &&
        [parts.to, null].includes(asNumber(query.get("to_number"))) &&
        [parts.from, null].includes(asNumber(query.get("from_number"))),
    );
    if (live) return { status: 200, body: { api_id: "simulated", calls: found.map(({ parts }) => parts.callId) } };
    return { status: 200, body: { api_id: "simulated", objects: found.slice(0, 20).map(showCall) } };
  }

  #of({ parts }: NetworkCall): Known {
    return this.#known.get(parts.callId) ?? NOTHING_KNOWN;
  }

  async #next(call: NetworkCall, occasion: Occasion): Promise<NextStep> {
    const known = this.#of(call);
    if (occasion === "answered") return this.#fetch(call, known.answerUrl, "StartApp");
    if (occasion === "transfer-failed" && known.dial !== undefined)
      return this.#fetch(call, known.dial.action, "", { DialStatus: known.dial.status });
    return this.#step(call, known.rest);
  }

  async #fetch(call: NetworkCall, url: string, event = "", more: Form = {}): Promise<NextStep> {
    const fields = event === "" ? more : { Event: event, ...more };
    const answer = await call.poster.ask(this.#signed(url, this.#fieldsOf(call, fields)));
    const verbs = answer?.status === 200 ? readDocument(answer.body) : undefined;
    return this.#step(call, verbs ?? []);
  }

  /** What the first verb of a document comes to; the others are for later. */
  async #step(call: NetworkCall, [verb, ...rest]: readonly Verb[]): Promise<NextStep> {
    const known = this.#of(call);
    known.rest = rest;
    const { attributes = {}, text = "" } = verb ?? {};
    switch (verb?.name) {
      case "Stream":
        known.streamUrl = attributes["statusCallbackUrl"] ?? "";
        return { step: attributes["bidirectional"] === "true" ? "connect" : "end", mediaUrl: text };
      case "Redirect":
        return this.#fetch(call, text);
      case "Dial":
        known.dial = { action: attributes["action"] ?? "", status: "no-answer" };
        known.dialUrl = attributes["callbackUrl"] ?? "";
        return {
          step: "dial",
          to: toE164(verb.children[0]?.text ?? ""),
          ringMs: (counterOf(attributes["timeout"]) ?? 120) * 1000,
        };
      case "Hangup":
        return { step: call.state === "ringing" ? "decline" : "end" };
      default:
        return { step: "end" };
    }
  }

  #tell(call: NetworkCall, told: CallNews): void {
    const known = this.#of(call);
    switch (told.news) {
      case "ringing":
        if (call.parts.direction === "outbound" && known.ringUrl !== "")
          this.#post(call, known.ringUrl, { Event: "Ring", CallStatus: "ringing" });
        break;
      case "human":
      case "machine":
        this.#post(call, known.machineUrl, { Event: "MachineDetection", Machine: String(told.news === "machine") });
        break;
      case "transferred":
        if (known.dialUrl !== "") this.#post(call, known.dialUrl, { Event: "DialAnswer", DialAction: "answer" });
        break;
      case "ended":
        if (known.hangupUrl !== "") this.#post(call, known.hangupUrl, { Event: "Hangup", ...hangupOf(call, told.end) });
        break;
      case "initiated":
      case "answered":
      case "transfer-failed":
        break;
    }
  }

  #post(call: NetworkCall, url: string, fields: Form): void {
    call.poster.post(this.#signed(url, this.#fieldsOf(call, fields)));
  }

  #fieldsOf({ parts, state }: NetworkCall, more: Form): URLSearchParams {
    const { callId, from, to, direction } = parts;
    return new URLSearchParams({
      CallUUID: callId,
      ...(direction === "outbound" ? { RequestUUID: callId } : {}),
      From: toDigits(from),
      To: toDigits(to),
      Direction: direction,
      CallStatus: state,
      ...more,
    });
  }

  #signed(url: string, fields: URLSearchParams): Callback {
    const nonce = this.#options.deps.random.secret(15);
    const signature = plivoSignature({ url, fields, nonce, authToken: this.#authToken });
    return {
      method: "POST",
      url,
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "x-plivo-signature-v3": signature,
        "x-plivo-signature-v3-nonce": nonce,
      },
      body: fields.toString(),
    };
  }
}

const NOTHING_KNOWN: Known = {
  answerUrl: "",
  ringUrl: "",
  hangupUrl: "",
  machineUrl: "",
  streamUrl: "",
  dialUrl: "",
  rest: [],
  dial: undefined,
};

const asNumber = (number: string | null): string | null => (number === null ? null : toE164(number));

const failure = (status: number, error: string): Exclude<RestAnswer, "lost"> => ({
  status,
  body: { api_id: "simulated", error },
});

const REFUSALS: Readonly<Record<Refusal, RestAnswer>> = {
  "invalid-number": failure(400, "to parameter is invalid"),
  refused: failure(403, "destination is not enabled for the account"),
  "server-error": failure(500, "internal error"),
  "rate-limited": { ...failure(429, "too many requests"), headers: { "retry-after": "1" } },
  lost: "lost",
};
