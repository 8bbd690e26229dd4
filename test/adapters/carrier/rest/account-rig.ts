import type { CarrierHttp, CarrierHttpOutcome, CarrierHttpRequest } from "../../../../src/ports/carrier-http.ts";
import type {
  CallbackRequest,
  Carrier,
  CarrierDescriptor,
  CarrierDeps,
  PlaceRequest,
  TransferBack,
} from "../../../../src/ports/carrier.ts";
import { adapterDeps } from "../../../kit/adapter-deps.ts";
import { VirtualClock } from "../../../kit/virtual-clock.ts";

type Answer = (request: CarrierHttpRequest) => CarrierHttpOutcome;

/** A carrier's REST interface as a list of answers, each given once, the last one for ever. */
export class HttpDouble implements CarrierHttp {
  readonly requests: CarrierHttpRequest[] = [];
  #answers: Answer[] = [() => json(404, {})];

  answer(...answers: readonly (Answer | CarrierHttpOutcome)[]): void {
    this.#answers = answers.map((answer) => (typeof answer === "function" ? answer : () => answer));
  }

  /** What the last request said. */
  get said(): Record<string, unknown> {
    return JSON.parse(this.requests.at(-1)?.body ?? "null") as Record<string, unknown>;
  }

  request(request: CarrierHttpRequest): Promise<CarrierHttpOutcome> {
    this.requests.push(request);
    const answer = this.#answers.length > 1 ? this.#answers.shift() : this.#answers[0];
    return Promise.resolve(answer?.(request) ?? json(404, {}));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

export const json = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): CarrierHttpOutcome => ({ type: "answered", status, headers, body: JSON.stringify(body) });

export const LOST: CarrierHttpOutcome = { type: "lost", cause: new Error("the connection broke") };
export const NOT_SENT: CarrierHttpOutcome = { type: "not-sent", cause: new Error("no such name") };

/** An account whose REST interface and time are the test's. */
export const accountRig = (descriptor: CarrierDescriptor, settings: Readonly<Record<string, string>>) => {
  const http = new HttpDouble();
  const clock = new VirtualClock();
  const deps: CarrierDeps = { ...adapterDeps({ clock }), http };
  const carrier: Carrier = descriptor.create({ id: descriptor.name, settings }, deps);
  return { http, clock, carrier, patience: new AbortController().signal };
};

export const STATUS_URL = "https://calls.example.com/carriers/acme/status/dial-1/token";
export const ANSWER_URL = "https://calls.example.com/carriers/acme/answer/dial-1/token";
export const MEDIA_URL = "wss://calls.example.com/media/acme/0123456789abcdef";

export const BACK: TransferBack = { answerUrl: ANSWER_URL, callerId: "+12025550100" };

export const placeRequest = (given: Partial<PlaceRequest> = {}): PlaceRequest => ({
  dialId: "dial-1",
  to: "+12025550123",
  from: "+12025550100",
  ringTimeoutMs: 30_000,
  timeLimitMs: 3_600_000,
  mediaUrl: MEDIA_URL,
  statusUrl: STATUS_URL,
  answerUrl: ANSWER_URL,
  ...given,
});

export const callback = (
  body: string,
  headers: Readonly<Record<string, string>>,
  url = STATUS_URL,
): CallbackRequest => ({ method: "POST", url, headers, body: Buffer.from(body) });

/** What asking to ring comes to, for every carrier alike. */
export const PLACE_OUTCOMES: readonly (readonly [what: string, answer: CarrierHttpOutcome, outcome: object])[] = [
  ["too many requests", json(429, {}, { "retry-after": "3" }), { type: "rate-limited", retryAfterMs: 3000 }],
  ["too many requests without a time", json(429, {}), { type: "rate-limited", retryAfterMs: 1000 }],
  ["a wrong key", json(401, {}), { type: "rejected", reason: "carrier_rejected" }],
  ["an error of the carrier's own", json(500, {}), { type: "ambiguous" }],
  ["a gateway that gave up", json(504, {}), { type: "ambiguous" }],
  ["a grant without a call", json(200, { data: {} }), { type: "ambiguous" }],
  ["a lost answer", LOST, { type: "ambiguous" }],
  ["a request that never left", NOT_SENT, { type: "not-sent" }],
];
