import type { CarrierHttp, CarrierHttpOutcome, CarrierHttpRequest } from "../../../ports/carrier-http.ts";
import type { CallReference, LookUp } from "../../../ports/carrier.ts";
import { expectAnswer, type PlaceAnswer } from "../rest/answers.ts";
import { toDigits } from "../rest/e164.ts";
import { counterOf, fieldsOf, idOf, parseFields, textOf, type Fields } from "../streaming/message-fields.ts";
import { endOf } from "./event.ts";

/** Plivo's Voice interface, as far as calls need it. Each method asks once, but for those that say otherwise. */
export class PlivoRest {
  readonly #http: CarrierHttp;
  readonly #accountUrl: string;
  readonly #authorization: string;

  constructor(parts: Readonly<{ http: CarrierHttp; baseUrl: string; authId: string; authToken: string }>) {
    this.#http = parts.http;
    this.#accountUrl = `${parts.baseUrl}/v1/Account/${encodeURIComponent(parts.authId)}`;
    this.#authorization = `Basic ${Buffer.from(`${parts.authId}:${parts.authToken}`).toString("base64")}`;
  }

  create(call: Fields, signal: AbortSignal): Promise<CarrierHttpOutcome> {
    return this.#ask("POST", "/Call/", call, signal);
  }

  /** Ends a call, and when there is none yet, takes its request back. @throws {CarrierRequestFailed} */
  async hangUp(callId: string, signal: AbortSignal): Promise<void> {
    const id = encodeURIComponent(callId);
    const ended = expectAnswer("hanging up", await this.#ask("DELETE", `/Call/${id}/`, undefined, signal), [404]);
    if (ended.status !== 404) return;
    expectAnswer("taking a call back", await this.#ask("DELETE", `/Request/${id}/`, undefined, signal), [404]);
  }

  /** Gives the person's leg another document. */
  redirect(callId: string, url: string, signal: AbortSignal): Promise<CarrierHttpOutcome> {
    const body = { legs: "aleg", aleg_url: url, aleg_method: "POST" };
    return this.#ask("POST", `/Call/${encodeURIComponent(callId)}/`, body, signal);
  }

  /** Whether somebody talks at one number who was called from another. @throws {CarrierRequestFailed} */
  async isTalking(to: string, from: string | undefined, signal: AbortSignal): Promise<boolean> {
    for (const callId of await this.#live(to, from, signal)) {
      const { state } = await this.#byId(callId, signal, { dialId: "", to, from });
      if (state === "in-progress") return true;
    }
    return false;
  }

  /** What is known of a call. A call that cannot be found may still appear. @throws {CarrierRequestFailed} */
  async lookUp(reference: CallReference, signal: AbortSignal): Promise<LookUp> {
    if (reference.callId !== undefined) return this.#byId(reference.callId, signal);
    for (const callId of await this.#candidates(reference, signal)) {
      const found = await this.#byId(callId, signal, reference);
      if (found.state !== "absent") return found;
    }
    return ABSENT;
  }

  /** Live calls and records of past ones are two lists. */
  async #byId(callId: string, signal: AbortSignal, of?: CallReference): Promise<LookUp> {
    const path = `/Call/${encodeURIComponent(callId)}/`;
    const live = expectAnswer(
      "looking a call up",
      await this.#ask("GET", `${path}?status=live`, undefined, signal),
      [404],
    );
    const alive = live.status === 404 ? undefined : parseFields(live.body);
    if (alive !== undefined) {
      if (of !== undefined && !isBetween(alive, of)) return ABSENT;
      return { state: textOf(alive["call_status"]) === "in-progress" ? "in-progress" : "ringing", callId };
    }
    const past = expectAnswer("looking a call up", await this.#ask("GET", path, undefined, signal), [404]);
    const record = past.status === 404 ? undefined : parseFields(past.body);
    return record === undefined ? ABSENT : { state: "ended", callId, end: endOfRecord(record) };
  }

  /** Plivo keeps no reference of ours: it is one of the live calls, or the latest between the two numbers since then. */
  async #candidates({ to, from, since }: CallReference, signal: AbortSignal): Promise<readonly string[]> {
    if (to === undefined || from === undefined || since === undefined) return [];
    const live = await this.#live(to, from, signal);
    const query = new URLSearchParams({
      to_number: toDigits(to),
      from_number: toDigits(from),
      end_time__gte: new Date(since - CLOCKS_APART_MS).toISOString().slice(0, 16).replace("T", " "),
      limit: "20",
    });
    const past = expectAnswer("listing calls", await this.#ask("GET", `/Call/?${query.toString()}`, undefined, signal));
    const records = parseFields(past.body)?.["objects"];
    return [
      ...live,
      ...(Array.isArray(records) ? records.map((one: unknown) => fieldsOf(one)?.["call_uuid"]) : []),
    ].flatMap((id: unknown) => idOf(id) ?? []);
  }

  /** The ids of live calls between two numbers. */
  async #live(to: string, from: string | undefined, signal: AbortSignal): Promise<readonly string[]> {
    const query = new URLSearchParams({
      status: "live",
      to_number: toDigits(to),
      ...(from === undefined ? {} : { from_number: toDigits(from) }),
    });
    const answer = expectAnswer(
      "listing calls",
      await this.#ask("GET", `/Call/?${query.toString()}`, undefined, signal),
    );
    const ids = parseFields(answer.body)?.["calls"];
    return Array.isArray(ids) ? ids.slice(0, MOST_LIVE).flatMap((id: unknown) => idOf(id) ?? []) : [];
  }

  #ask(
    method: CarrierHttpRequest["method"],
    path: string,
    body: Fields | undefined,
    signal: AbortSignal,
  ): Promise<CarrierHttpOutcome> {
    return this.#http.request(
      {
        method,
        url: `${this.#accountUrl}${path}`,
        headers: {
          authorization: this.#authorization,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      },
      signal,
    );
  }
}

/** How Plivo answers a request to ring somebody; several ids come only of several numbers. */
export const PLIVO_PLACED: PlaceAnswer = {
  callId: (body) => {
    const id = parseFields(body)?.["request_uuid"];
    return idOf(Array.isArray(id) ? (id as readonly unknown[])[0] : id);
  },
  refusal: ({ body }) =>
    /\bto\b.*\binvalid\b|\binvalid\b.*\bto\b/i.test(textOf(parseFields(body)?.["error"]) ?? "")
      ? "invalid_number"
      : "carrier_rejected",
};

/** How far the carrier's clock may be from ours. */
const CLOCKS_APART_MS = 60_000;

const ABSENT: LookUp = { state: "absent", final: false };

/** A look-up asks about each of them. */
const MOST_LIVE = 10;

const isBetween = (call: Fields, { to, from }: CallReference): boolean =>
  toDigits(textOf(call["to"]) ?? "") === toDigits(to ?? "") &&
  (from === undefined || toDigits(textOf(call["from"]) ?? "") === toDigits(from));

/** The fields of a record, by the names that callbacks have for them. */
const endOfRecord = (record: Fields) =>
  endOf({
    HangupCauseCode: String(counterOf(record["hangup_cause_code"]) ?? ""),
    HangupCauseName: textOf(record["hangup_cause_name"]),
    HangupSource: textOf(record["hangup_source"]),
    Direction: textOf(record["call_direction"]),
    CallStatus:
      STATES[textOf(record["call_state"]) ?? ""] ?? (Number(record["call_duration"] ?? 0) > 0 ? "completed" : "failed"),
  });

const STATES: Readonly<Record<string, string>> = {
  ANSWER: "completed",
  BUSY: "busy",
  NO_ANSWER: "no-answer",
  TIMEOUT: "timeout",
  CANCEL: "cancel",
  REJECTED: "rejected",
  FAILED: "failed",
};
