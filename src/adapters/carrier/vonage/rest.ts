import type { KeyObject } from "node:crypto";
import type { CarrierHttp, CarrierHttpOutcome, CarrierHttpRequest } from "../../../ports/carrier-http.ts";
import type { CallReference, LookUp } from "../../../ports/carrier.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Random } from "../../../ports/random.ts";
import { expectAnswer, type Answered, type PlaceAnswer } from "../rest/answers.ts";
import { toDigits } from "../rest/e164.ts";
import { fieldsOf, idOf, parseFields, textOf, type Fields } from "../streaming/message-fields.ts";
import { callOf } from "./event.ts";
import { restToken } from "./web-token.ts";

export type VonageRestParts = Readonly<{
  http: CarrierHttp;
  clock: Clock;
  random: Random;
  baseUrl: string;
  applicationId: string;
  privateKey: KeyObject;
}>;

/** Vonage's Voice interface, as far as calls need it. Each method asks once, with a token of its own. */
export class VonageRest {
  readonly #parts: VonageRestParts;

  constructor(parts: VonageRestParts) {
    this.#parts = parts;
  }

  create(call: Fields, signal: AbortSignal): Promise<CarrierHttpOutcome> {
    return this.#ask("POST", "", call, signal);
  }

  /** Hangs a call up or gives it another document. */
  update(callId: string, change: Fields, signal: AbortSignal): Promise<CarrierHttpOutcome> {
    return this.#ask("PUT", `/${encodeURIComponent(callId)}`, change, signal);
  }

  /** What is known of a call. A call that cannot be found may still appear. @throws {CarrierRequestFailed} */
  async lookUp(reference: CallReference, signal: AbortSignal): Promise<LookUp> {
    const found =
      reference.callId === undefined
        ? await this.#find(reference, signal)
        : await this.record(reference.callId, signal);
    const callId = idOf(found?.["uuid"]);
    if (found === undefined || callId === undefined) return { state: "absent", final: false };
    return callOf(found) ?? { state: "ringing", callId };
  }

  /** @throws {CarrierRequestFailed} */
  async record(callId: string, signal: AbortSignal): Promise<Fields | undefined> {
    const path = `/${encodeURIComponent(callId)}`;
    const answer = expectAnswer("looking a call up", await this.#ask("GET", path, undefined, signal), [404]);
    return answer.status === 404 ? undefined : parseFields(answer.body);
  }

  /** The latest hundred calls of a query. @throws {CarrierRequestFailed} */
  async list(query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<readonly Fields[]> {
    const asked = new URLSearchParams({ page_size: "100", order: "desc", ...query });
    const answer = expectAnswer("listing calls", await this.#ask("GET", `?${asked.toString()}`, undefined, signal));
    const calls = fieldsOf(parseFields(answer.body)?.["_embedded"])?.["calls"];
    return Array.isArray(calls) ? calls.flatMap((call: unknown): Fields[] => [fieldsOf(call) ?? {}]) : [];
  }

  /** Vonage keeps no reference of ours: it is the call between the two numbers since then. */
  async #find({ to, from, since }: CallReference, signal: AbortSignal): Promise<Fields | undefined> {
    if (to === undefined || from === undefined || since === undefined) return undefined;
    const calls = await this.list({ date_start: new Date(since - CLOCKS_APART_MS).toISOString() }, signal);
    return calls.find(
      (call) =>
        call["direction"] === "outbound" &&
        numberOf(call["to"]) === toDigits(to) &&
        numberOf(call["from"]) === toDigits(from),
    );
  }

  #ask(
    method: CarrierHttpRequest["method"],
    path: string,
    body: Fields | undefined,
    signal: AbortSignal,
  ): Promise<CarrierHttpOutcome> {
    const { http, clock, random, baseUrl, applicationId, privateKey } = this.#parts;
    const token = restToken({ applicationId, privateKey, nowMs: clock.now(), id: random.id() });
    return http.request(
      {
        method,
        url: `${baseUrl}/v1/calls${path}`,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      },
      signal,
    );
  }
}

/** How far the carrier's clock may be from ours. */
const CLOCKS_APART_MS = 60_000;

/** How Vonage answers a request to ring somebody. */
export const VONAGE_PLACED: PlaceAnswer = {
  callId: (body) => idOf(parseFields(body)?.["uuid"]),
  refusal: (answer) => (refusesNumber(answer) ? "invalid_number" : "carrier_rejected"),
};

/** Of a record: the number of one end. */
export const numberOf = (endpoint: unknown): string | undefined => textOf(fieldsOf(endpoint)?.["number"]);

const refusesNumber = ({ body }: Answered): boolean => {
  const invalid = parseFields(body)?.["invalid_parameters"];
  return Array.isArray(invalid) && invalid.some((one: unknown) => /^to\b/.test(textOf(fieldsOf(one)?.["name"]) ?? ""));
};
