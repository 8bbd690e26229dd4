import type { AnsweredBy, CallbackRequest, CarrierCall, CarrierEnd, CarrierReport } from "../../../ports/carrier.ts";
import type { Callback } from "../simulation/callback-poster.ts";

/** The fields of a form; `undefined` when the request is no form or too long to be one of a carrier. */
export const readForm = (request: CallbackRequest): StatusFields | undefined => {
  const { method, url, headers, body } = request;
  if (method === "GET") return Object.fromEntries(new URL(url).searchParams);
  if (body.length > MOST_BODY_BYTES || !(headers["content-type"] ?? "").startsWith(FORM)) return undefined;
  return Object.fromEntries(new URLSearchParams(Buffer.from(body).toString("utf8")));
};

/**
 * Reads a status callback in the dialect's form encoding; `undefined` when it is malformed or speaks of a stage that changes
 * nothing (queued, initiated).
 */
export const readStatusCallback = (
  dialId: string,
  request: CallbackRequest,
  ids: RegExp = CALL_SID,
): CarrierReport | undefined => {
  const fields = readForm(request);
  const callId = fields?.["CallSid"] ?? "";
  if (fields === undefined || !ids.test(callId)) return undefined;
  const answeredBy = ANSWERERS[fields["AnsweredBy"] ?? ""];
  // What the carrier hears of an answering machine comes by itself, without the status of the call.
  const call = callOf(callId, answeredBy === undefined ? fields : { CallStatus: "in-progress", ...fields });
  if (call === undefined) return undefined;
  return answeredBy === undefined ? { dialId, call } : { dialId, call, answeredBy };
};

const CALL_SID = /^CA[0-9a-fA-F]{32}$/;

/** Every word for who answered but "unknown". */
const ANSWERERS: Readonly<Record<string, AnsweredBy>> = {
  human: "human",
  fax: "fax",
  machine_start: "machine",
  machine_end_beep: "machine",
  machine_end_silence: "machine",
  machine_end_other: "machine",
};

/** Form fields of a callback, by the dialect's names. */
export type StatusFields = Readonly<Record<string, string>>;

/** The dialect's words for a call that is over. */
export type FinalStatus = (typeof FINAL)[number];

/** How a call ended, by the dialect's status and what else was said of it. */
export const endOf = (status: FinalStatus, fields: StatusFields): CarrierEnd => {
  if (status === "failed") return { cause: FAILURES[fields["SipResponseCode"] ?? ""] ?? "failed" };
  if (status === "completed") return COMPLETIONS[fields["HangupSource"] ?? ""] ?? { cause: "completed" };
  return { cause: status };
};

/** A callback with these fields; `sign` gives the headers that prove who sends it. */
export const formCallback = (
  url: string,
  fields: StatusFields,
  sign: (url: string, fields: StatusFields) => Readonly<Record<string, string>> = () => ({}),
): Callback => ({
  method: "POST",
  url,
  headers: { "content-type": FORM, ...sign(url, fields) },
  body: new URLSearchParams(fields).toString(),
});

const FORM = "application/x-www-form-urlencoded";
const MOST_BODY_BYTES = 16 * 1024;

const FINAL = ["busy", "no-answer", "canceled", "failed", "completed"] as const;

/** A call by its id and the fields that speak of it; `undefined` for a stage that changes nothing. */
export const callOf = (callId: string, fields: StatusFields): CarrierCall | undefined => {
  const status = fields["CallStatus"];
  if (status === "ringing" || status === "in-progress") return { state: status, callId };
  const final = FINAL.find((word) => word === status);
  return final === undefined ? undefined : { state: "ended", callId, end: endOf(final, fields) };
};

/** SIP answers that say more than that it failed: not found, gone, address incomplete; forbidden, declined; service limits. */
const FAILURES: Readonly<Record<string, CarrierEnd["cause"]>> = {
  "404": "invalid-number",
  "410": "invalid-number",
  "484": "invalid-number",
  "403": "rejected",
  "603": "rejected",
  "429": "rate-limited",
};

/** The dialect itself does not say who hung up; the loopback network does, in a field of its own. */
const COMPLETIONS: Readonly<Record<string, CarrierEnd>> = {
  callee: { cause: "completed", endedBy: "remote" },
  carrier: { cause: "completed", endedBy: "carrier" },
  "time-limit": { cause: "time-limit", endedBy: "carrier" },
};
