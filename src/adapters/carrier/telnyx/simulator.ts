import { generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import type {
  CarrierSimulator,
  RunningSimulator,
  SimulatedRing,
  SimulatorOptions,
} from "../../../ports/carrier-simulator.ts";
import type { Callback } from "../simulation/callback-poster.ts";
import { Network, type Refusal } from "../simulation/network.ts";
import type { CallNews, NetworkCall, NetworkEnd, NextStep } from "../simulation/network-call.ts";
import { StreamedPhone } from "../simulation/phone.ts";
import { RestServer, type RestAnswer, type RestRequest } from "../simulation/rest-server.ts";
import { counterOf, textOf, type Fields } from "../streaming/message-fields.ts";
import { TelnyxPhone } from "./simulated-phone.ts";

/** Telnyx's Call Control interface, its webhooks and its media sockets, on this machine. */
export const simulator: CarrierSimulator = {
  name: "telnyx",
  start: async (options) => {
    const network = new TelnyxNetwork(options);
    await network.listen();
    return network;
  },
};

/** What Telnyx keeps of a call beside what every network does. */
type Known = { webhookUrl: string; clientState: string; stream: Fields; targetState: string };

class TelnyxNetwork implements RunningSimulator {
  readonly #options: SimulatorOptions;
  readonly #apiKey: string;
  readonly #connectionId: string;
  readonly #publicKey: string;
  readonly #privateKey: KeyObject;
  readonly #network: Network;
  readonly #rest: RestServer;
  readonly #known = new Map<string, Known>();
  readonly #events: Fields[] = [];

  constructor(options: SimulatorOptions) {
    this.#options = options;
    const { random, logger } = options.deps;
    this.#apiKey = options.settings["TELNYX_API_KEY"] ?? `KEY${random.secret(24)}`;
    this.#connectionId = options.settings["TELNYX_CONNECTION_ID"] ?? "1494404757140276705";
    // The key that it signs with is its own, whatever the service was told before.
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    this.#privateKey = privateKey;
    this.#publicKey = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url").toString("base64");
    this.#network = new Network(options, {
      tell: (call, news) => {
        this.#tell(call, news);
      },
      next: (call, occasion) => Promise.resolve(occasion === "answered" ? this.#stream(call) : WAIT),
      phone: (call, mediaUrl, caller, breaksAfterMs) =>
        new StreamedPhone({
          clock: options.deps.clock,
          mediaUrl,
          headers: this.#mediaHeaders(call),
          dialect: new TelnyxPhone({
            streamId: random.id(),
            callId: call.parts.callId,
            from: call.parts.from,
            to: call.parts.to,
            clientState: this.#of(call).clientState,
          }),
          caller,
          breaksAfterMs,
        }),
    });
    this.#rest = new RestServer({ host: options.host, logger, answer: (request) => this.#answer(request) });
  }

  get url(): string {
    return this.#rest.url;
  }

  get environment(): Readonly<Record<string, string>> {
    return {
      TELNYX_API_KEY: this.#apiKey,
      TELNYX_CONNECTION_ID: this.#connectionId,
      TELNYX_PUBLIC_KEY: this.#publicKey,
      TELNYX_BASE_URL: this.url,
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
    this.#known.set(callId, { webhookUrl: ring.webhookUrl, clientState: "", stream: {}, targetState: "" });
    return callId;
  }

  async close(): Promise<void> {
    await this.#network.close();
    await this.#rest.close();
  }

  #answer(request: RestRequest): RestAnswer {
    if (request.headers.authorization !== `Bearer ${this.#apiKey}`)
      return failure(401, "10009", "Authentication failed");
    if (request.path === "/v2/calls" && request.method === "POST") return this.#place(request.body);
    if (request.path === "/v2/call_events") return { status: 200, body: { data: this.#list(request.query), meta: {} } };
    const [, id = "", action] = /^\/v2\/calls\/([^/]+)(?:\/actions\/(\w+))?$/.exec(request.path) ?? [];
    const call = this.#network.find(decodeURIComponent(id));
    if (call === undefined) return failure(404, "10005", "Resource not found");
    if (action === undefined) return { status: 200, body: { data: this.#show(call) } };
    if (call.state === "ended") return failure(422, "90018", "Call has already ended");
    return this.#command(call, action, request.body);
  }

  #place(body: Fields): RestAnswer {
    if (body["connection_id"] !== this.#connectionId)
      return failure(422, "10015", "Invalid connection", "/connection_id");
    if (body["stream_bidirectional_mode"] !== "rtp")
      return failure(422, "10015", "Only rtp is simulated", "/stream_bidirectional_mode");
    const placed = this.#network.place({
      from: textOf(body["from"]) ?? "",
      to: textOf(body["to"]) ?? "",
      ringTimeoutMs: (counterOf(body["timeout_secs"]) ?? 30) * 1000,
      timeLimitMs: (counterOf(body["time_limit_secs"]) ?? 14_400) * 1000,
      detectsMachines: (body["answering_machine_detection"] ?? "disabled") !== "disabled",
    });
    if (typeof placed === "string") return REFUSALS[placed];
    const { call, answerLost } = placed;
    this.#known.set(call.parts.callId, knownOf(body, ""));
    return answerLost ? "lost" : { status: 200, body: { data: this.#show(call) } };
  }

  #command(call: NetworkCall, action: string, body: Fields): RestAnswer {
    if (action === "hangup") call.hangUp();
    else if (action === "reject") call.answer({ step: "decline" });
    else if (action === "answer") {
      this.#known.set(call.parts.callId, knownOf(body, this.#of(call).webhookUrl));
      call.answer(this.#stream(call));
    } else if (action === "transfer") {
      this.#of(call).targetState = textOf(body["target_leg_client_state"]) ?? "";
      const ringMs = (counterOf(body["timeout_secs"]) ?? 30) * 1000;
      if (!call.ringBeside(textOf(body["to"]) ?? "", ringMs)) return failure(422, "90034", "Call not answered yet");
    } else return failure(404, "10005", "Resource not found");
    return { status: 200, body: { data: { result: "ok" } } };
  }

  #show({ parts, state, talkedSeconds }: NetworkCall): Fields {
    const { callId } = parts;
    return {
      call_control_id: callId,
      call_leg_id: `leg-${callId}`,
      call_session_id: `session-${callId}`,
      record_type: "call",
      is_alive: state !== "ended",
      call_duration: talkedSeconds,
      client_state: this.#known.get(callId)?.clientState,
    };
  }

  #list(query: URLSearchParams): readonly Fields[] {
    const fits = (event: Fields) =>
      [
        ["filter[leg_id]", event["call_leg_id"]],
        ["filter[application_session_id]", event["call_session_id"]],
        ["filter[name]", event["name"]],
      ].every(([name, value]) => !query.has(String(name)) || query.get(String(name)) === value);
    return this.#events.filter(fits).slice(-250);
  }

  #of({ parts }: NetworkCall): Known {
    return this.#known.get(parts.callId) ?? { webhookUrl: "", clientState: "", stream: {}, targetState: "" };
  }

  #stream(call: NetworkCall): NextStep {
    const mediaUrl = textOf(this.#of(call).stream["stream_url"]);
    return mediaUrl === undefined ? WAIT : { step: "connect", mediaUrl };
  }

  #mediaHeaders(call: NetworkCall): Readonly<Record<string, string>> {
    const token = textOf(this.#of(call).stream["stream_auth_token"]);
    return token === undefined ? {} : { "x-telnyx-streaming-auth-token": token };
  }

  #tell(call: NetworkCall, news: CallNews): void {
    for (const [type, payload] of eventsOf(call, news)) this.#post(call, type, payload);
    // Whoever did not answer a transfer has a leg of their own, which ends.
    if (news.news === "transfer-failed")
      this.#post(call, "call.hangup", {
        call_control_id: `other-${call.parts.callId}`,
        call_leg_id: `leg-other-${call.parts.callId}`,
        client_state: this.#of(call).targetState,
        hangup_cause: "no_answer",
        hangup_source: "unknown",
      });
  }

  #post(call: NetworkCall, type: string, more: Fields): void {
    const { clock, random } = this.#options.deps;
    const { callId, from, to, direction } = call.parts;
    const { webhookUrl, clientState } = this.#of(call);
    const payload = {
      call_control_id: callId,
      call_leg_id: `leg-${callId}`,
      call_session_id: `session-${callId}`,
      connection_id: this.#connectionId,
      client_state: clientState === "" ? null : clientState,
      direction: direction === "inbound" ? "incoming" : "outgoing",
      from,
      to,
      ...more,
    };
    const event = { call_leg_id: payload.call_leg_id, call_session_id: payload.call_session_id, name: type };
    this.#events.push({ ...event, record_type: "call_event", type: "webhook", metadata: { payload } });
    if (this.#events.length > MOST_EVENTS) this.#events.shift();
    const occurred = new Date(clock.now()).toISOString();
    const data = { event_type: type, id: random.id(), occurred_at: occurred, payload, record_type: "event" };
    call.poster.post(
      this.#signed(webhookUrl, JSON.stringify({ data, meta: { attempt: 1, delivered_to: webhookUrl } })),
    );
  }

  #signed(url: string, body: string): Callback {
    const timestamp = String(Math.floor(this.#options.deps.clock.now() / 1000));
    const signature = sign(null, Buffer.from(`${timestamp}|${body}`), this.#privateKey).toString("base64");
    const headers = {
      "content-type": "application/json",
      "telnyx-signature-ed25519": signature,
      "telnyx-timestamp": timestamp,
    };
    return { method: "POST", url, headers, body };
  }
}

const WAIT: NextStep = { step: "wait" };
const MOST_EVENTS = 10_000;

const knownOf = (body: Fields, webhookUrl: string): Known => ({
  webhookUrl: textOf(body["webhook_url"]) ?? webhookUrl,
  clientState: textOf(body["client_state"]) ?? "",
  stream: body,
  targetState: "",
});

const failure = (status: number, code: string, title: string, pointer?: string): Exclude<RestAnswer, "lost"> => ({
  status,
  body: { errors: [{ code, title, detail: title, ...(pointer === undefined ? {} : { source: { pointer } }) }] },
});

const REFUSALS: Readonly<Record<Refusal, RestAnswer>> = {
  "invalid-number": failure(422, "10016", "Phone number must be in +E164 format", "/to"),
  refused: failure(403, "D35", "Dialed number is not included in whitelisted countries"),
  "server-error": failure(500, "10007", "Unexpected error"),
  "rate-limited": { ...failure(429, "10011", "Too many requests"), headers: { "retry-after": "1" } },
  lost: "lost",
};

const eventsOf = (call: NetworkCall, told: CallNews): readonly (readonly [type: string, payload: Fields])[] => {
  switch (told.news) {
    case "initiated":
      return [["call.initiated", { state: "bridging" }]];
    case "ringing":
      return call.parts.direction === "inbound" ? [["call.initiated", { state: "parked" }]] : [];
    case "answered":
      return [["call.answered", {}]];
    case "human":
    case "machine":
      return [["call.machine.detection.ended", { result: told.news }]];
    case "transferred":
      return [["call.bridged", {}]];
    case "transfer-failed":
      return [];
    case "ended":
      return [["call.hangup", hangupOf(call, told.end)]];
  }
};

const CAUSES: Readonly<Record<NetworkEnd["cause"], readonly [cause: string, sip: string]>> = {
  completed: ["normal_clearing", "200"],
  busy: ["user_busy", "486"],
  "no-answer": ["timeout", "480"],
  canceled: ["originator_cancel", "487"],
  declined: ["call_rejected", "603"],
  unallocated: ["not_found", "404"],
  failed: ["unspecified", "503"],
  "time-limit": ["time_limit", "200"],
};

const hangupOf = ({ parts }: NetworkCall, { cause, by }: NetworkEnd): Fields => {
  const [hangup_cause, sip_hangup_cause] = CAUSES[cause];
  const [person, service] = parts.direction === "inbound" ? ["caller", "callee"] : ["callee", "caller"];
  const hangup_source = { person, service, network: "unknown" }[by];
  return { hangup_cause, hangup_source, sip_hangup_cause };
};
