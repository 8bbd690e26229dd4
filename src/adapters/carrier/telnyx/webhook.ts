import type { AnsweredBy, CarrierCall, CarrierEnd } from "../../../ports/carrier.ts";
import { fieldsOf, idOf, parseFields, textOf, type Fields } from "../streaming/message-fields.ts";

/** An event of a call, out of a webhook or out of the list of a call's events. */
export type TelnyxEvent = Readonly<{ type: string; callId: string; payload: Fields }>;

/** Reads a webhook's body; `undefined` when it speaks of no call. */
export const readWebhook = (body: Uint8Array): TelnyxEvent | undefined => {
  if (body.length > MOST_BODY_BYTES) return undefined;
  const data = fieldsOf(parseFields(Buffer.from(body).toString("utf8"))?.["data"]);
  const type = textOf(data?.["event_type"]);
  const payload = fieldsOf(data?.["payload"]);
  const callId = idOf(payload?.["call_control_id"]);
  return type === undefined || payload === undefined || callId === undefined ? undefined : { type, callId, payload };
};

/** What an event says of its call; `undefined` when it changes nothing. */
export const callOf = ({ type, callId, payload }: TelnyxEvent): CarrierCall | undefined => {
  switch (type) {
    case "call.initiated":
      return { state: "ringing", callId };
    case "call.answered":
    case "call.machine.detection.ended":
    case "call.machine.premium.detection.ended":
      return { state: "in-progress", callId };
    case "call.hangup":
      return { state: "ended", callId, end: endOf(payload) };
    default:
      return undefined;
  }
};

/** Who has answered, by the answering machine detection; `undefined` when it is not sure. */
export const answeredByOf = ({ type, payload }: TelnyxEvent): AnsweredBy | undefined =>
  type === "call.machine.detection.ended" || type === "call.machine.premium.detection.ended"
    ? DETECTED[textOf(payload["result"]) ?? ""]
    : undefined;

/** What a command of ours is marked with, so that its events are known again. */
export type ClientState = Readonly<{ dialId: string; role: "outbound" | "inbound" | "transfer" }>;

export const writeClientState = ({ dialId, role }: ClientState): string =>
  Buffer.from(`${role}:${dialId}`).toString("base64");

export const readClientState = (payload: Fields): ClientState | undefined => {
  const text = Buffer.from(textOf(payload["client_state"]) ?? "", "base64").toString("utf8");
  const found = /^(outbound|inbound|transfer):(.{1,200})$/.exec(text);
  return found === null ? undefined : { role: found[1] as ClientState["role"], dialId: found[2] ?? "" };
};

/** How a call ended, by the cause and the side that are named in its `call.hangup`. */
export const endOf = (payload: Fields): CarrierEnd => {
  const cause = textOf(payload["hangup_cause"]) ?? "";
  if (cause === "normal_clearing") return { cause: "completed", ...endedBy(payload) };
  if (cause === "time_limit") return { cause: "time-limit", endedBy: "carrier" };
  return { cause: CAUSES[cause] ?? "failed" };
};

const MOST_BODY_BYTES = 64 * 1024;

const DETECTED: Readonly<Record<string, AnsweredBy>> = {
  human: "human",
  human_residence: "human",
  human_business: "human",
  machine: "machine",
  fax_detected: "fax",
};

const CAUSES: Readonly<Record<string, CarrierEnd["cause"]>> = {
  user_busy: "busy",
  no_answer: "no-answer",
  timeout: "no-answer",
  originator_cancel: "canceled",
  call_rejected: "rejected",
  not_found: "invalid-number",
};

/** The caller is we on a call that we placed, and the person on one that came in. */
const endedBy = (payload: Fields): Readonly<{ endedBy?: "remote" }> => {
  const inbound = payload["direction"] === "incoming" || readClientState(payload)?.role === "inbound";
  return payload["hangup_source"] === (inbound ? "caller" : "callee") ? { endedBy: "remote" } : {};
};
