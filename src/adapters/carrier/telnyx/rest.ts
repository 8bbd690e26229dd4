import type { EndReason } from "../../../model/call-end.ts";
import type { CarrierHttp, CarrierHttpOutcome } from "../../../ports/carrier-http.ts";
import type { CallReference, LookUp } from "../../../ports/carrier.ts";
import { expectAnswer, type Answered, type PlaceAnswer } from "../rest/answers.ts";
import { fieldsOf, idOf, parseFields, textOf, type Fields } from "../streaming/message-fields.ts";
import { callOf, readClientState, type TelnyxEvent } from "./webhook.ts";

/** Telnyx's REST interface, as far as calls need it. Each method asks once. */
export class TelnyxRest {
  readonly #http: CarrierHttp;
  readonly #baseUrl: string;
  readonly #apiKey: string;

  constructor(parts: Readonly<{ http: CarrierHttp; baseUrl: string; apiKey: string }>) {
    this.#http = parts.http;
    this.#baseUrl = parts.baseUrl;
    this.#apiKey = parts.apiKey;
  }

  post(path: string, body: Fields, signal: AbortSignal): Promise<CarrierHttpOutcome> {
    return this.#http.request(
      {
        method: "POST",
        url: `${this.#baseUrl}/v2${path}`,
        headers: { authorization: `Bearer ${this.#apiKey}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      },
      signal,
    );
  }

  /** Tells a call to do something. */
  command(callId: string, action: string, body: Fields, signal: AbortSignal): Promise<CarrierHttpOutcome> {
    return this.post(`/calls/${encodeURIComponent(callId)}/actions/${action}`, body, signal);
  }

  /** What is known of a call. A call that cannot be found may still appear. @throws {CarrierRequestFailed} */
  async lookUp(reference: CallReference, signal: AbortSignal): Promise<LookUp> {
    const callId = reference.callId ?? (await this.#callIdOf(reference, signal));
    if (callId === undefined) return ABSENT;
    const answer = expectAnswer(
      "looking a call up",
      await this.#get(`/calls/${encodeURIComponent(callId)}`, signal),
      [404],
    );
    const data = fieldsOf(parseFields(answer.body)?.["data"]);
    if (answer.status === 404 || data === undefined) return ABSENT;
    return this.#stateOf(callId, data, signal);
  }

  /** The events of all legs that belong together with a call, by the id of their session. */
  sessionEvents(sessionId: string, signal: AbortSignal): Promise<readonly TelnyxEvent[]> {
    return this.#events({ "filter[application_session_id]": sessionId }, signal);
  }

  async sessionOf(callId: string, signal: AbortSignal): Promise<string | undefined> {
    const answer = expectAnswer("looking a call up", await this.#get(`/calls/${encodeURIComponent(callId)}`, signal));
    return textOf(fieldsOf(parseFields(answer.body)?.["data"])?.["call_session_id"]);
  }

  /** The status of a call says no more than whether it lives; how it lived and ended is in its events. */
  async #stateOf(callId: string, data: Fields, signal: AbortSignal): Promise<LookUp> {
    const legId = textOf(data["call_leg_id"]);
    const events = legId === undefined ? [] : await this.#events({ "filter[leg_id]": legId }, signal).catch(() => []);
    const told = events.flatMap((event) => callOf({ ...event, callId }) ?? []);
    const ended = told.find(({ state }) => state === "ended");
    if (ended !== undefined) return ended;
    const answered = told.some(({ state }) => state === "in-progress") || Number(data["call_duration"] ?? 0) > 0;
    if (data["is_alive"] !== false) return { state: answered ? "in-progress" : "ringing", callId };
    return { state: "ended", callId, end: { cause: answered ? "completed" : "failed" } };
  }

  async #callIdOf(reference: CallReference, signal: AbortSignal): Promise<string | undefined> {
    const { to, from, since, dialId } = reference;
    const events = await this.#events(
      {
        "filter[name]": "call.initiated",
        ...(to === undefined ? {} : { "filter[to]": to }),
        ...(from === undefined ? {} : { "filter[from]": from }),
        ...(since === undefined ? {} : { "filter[occurred_at][gte]": new Date(since - CLOCKS_APART_MS).toISOString() }),
      },
      signal,
    );
    return events.find(({ payload }) => readClientState(payload)?.dialId === dialId)?.callId;
  }

  async #events(query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<readonly TelnyxEvent[]> {
    const asked = new URLSearchParams({ ...query, "page[size]": "250" });
    const answer = expectAnswer(
      "listing the events of calls",
      await this.#get(`/call_events?${asked.toString()}`, signal),
    );
    const data = parseFields(answer.body)?.["data"];
    return Array.isArray(data) ? data.flatMap((item: unknown) => eventOf(fieldsOf(item)) ?? []) : [];
  }

  #get(path: string, signal: AbortSignal): Promise<CarrierHttpOutcome> {
    const headers = { authorization: `Bearer ${this.#apiKey}` };
    return this.#http.request({ method: "GET", url: `${this.#baseUrl}/v2${path}`, headers }, signal);
  }
}

/** How Telnyx answers a request to ring somebody. */
export const TELNYX_PLACED: PlaceAnswer = {
  callId: (body) => idOf(fieldsOf(parseFields(body)?.["data"])?.["call_control_id"]),
  refusal: (answer) => (refuses(answer, "/to") ? "invalid_number" : "carrier_rejected") satisfies EndReason,
};

/** How far the carrier's clock may be from ours. */
const CLOCKS_APART_MS = 60_000;

const ABSENT: LookUp = { state: "absent", final: false };

/** Whether an error points at one field of the request. */
const refuses = ({ body }: Answered, pointer: string): boolean => {
  const errors = parseFields(body)?.["errors"];
  return (
    Array.isArray(errors) &&
    errors.some((error: unknown) => fieldsOf(fieldsOf(error)?.["source"])?.["pointer"] === pointer)
  );
};

/** The payload of the webhook is somewhere in what the list keeps of it. */
const eventOf = (item: Fields | undefined): TelnyxEvent | undefined => {
  const type = textOf(item?.["name"]);
  const metadata = fieldsOf(item?.["metadata"]);
  const raw = fieldsOf(metadata?.["raw_event"]) ?? fieldsOf(metadata?.["data"]) ?? metadata;
  const payload = fieldsOf(raw?.["payload"]) ?? raw;
  const callId = idOf(payload?.["call_control_id"]);
  return type === undefined || payload === undefined || callId === undefined ? undefined : { type, callId, payload };
};
