import type { AnsweredBy, CarrierCall, CarrierEnd } from "../../../ports/carrier.ts";
import { idOf } from "../streaming/message-fields.ts";

/**
 * The id of a callback's call. A call that we placed is known by the id of the request that placed it, which callbacks repeat.
 */
export const callIdOf = (fields: URLSearchParams): string | undefined =>
  idOf(fields.get("RequestUUID") ?? fields.get("CallUUID") ?? fields.get("call_uuid"));

/** What a callback says of its call; `undefined` when it changes nothing. */
export const callOf = (fields: URLSearchParams): CarrierCall | undefined => {
  const callId = callIdOf(fields);
  if (callId === undefined) return undefined;
  const status = fields.get("CallStatus") ?? "";
  const event = fields.get("Event") ?? "";
  if (event === "Hangup" || FINAL.has(status))
    return { state: "ended", callId, end: endOf(Object.fromEntries(fields)) };
  if (event === "StartStream" || event === "MachineDetection" || status === "in-progress")
    return { state: "in-progress", callId };
  return status === "ringing" ? { state: "ringing", callId } : undefined;
};

/** Who has answered, by the detection of machines. */
export const answeredByOf = (fields: URLSearchParams): AnsweredBy | undefined => {
  const machine = fields.get("Machine")?.toLowerCase();
  if (fields.get("Event") !== "MachineDetection" || machine === undefined) return undefined;
  return machine === "true" ? "machine" : "human";
};

/** How a call ended, by the names of callbacks. Codes are Plivo's: 2000 and 2010 are numbers that do not exist or serve any more. */
export const endOf = (fields: Readonly<Record<string, string | undefined>>): CarrierEnd => {
  const code = fields["HangupCauseCode"] ?? "";
  const source = fields["HangupSource"] ?? "";
  if (INVALID.has(code)) return { cause: "invalid-number" };
  if (LIMITED.has(code)) return { cause: "rate-limited" };
  if (REJECTED.test(fields["HangupCauseName"] ?? "")) return { cause: "rejected" };
  if (SCHEDULED.test(fields["HangupCauseName"] ?? "")) return { cause: "time-limit", endedBy: "carrier" };
  const status = fields["CallStatus"] ?? "";
  if (status === "completed") return { cause: "completed", ...endedBy(source, fields["Direction"]) };
  return { cause: CAUSES[status] ?? "failed" };
};

const CAUSES: Readonly<Record<string, CarrierEnd["cause"]>> = {
  busy: "busy",
  "no-answer": "no-answer",
  timeout: "no-answer",
  cancel: "canceled",
  canceled: "canceled",
  cancelled: "canceled",
  rejected: "rejected",
};

const FINAL: ReadonlySet<string> = new Set([...Object.keys(CAUSES), "completed", "failed"]);

const INVALID: ReadonlySet<string> = new Set(["2000", "2010"]);

/** Too many calls to the same destination at a time. */
const LIMITED: ReadonlySet<string> = new Set(["1020"]);
const REJECTED = /^(call )?rejected$/i;

/** The end that `time_limit` sets. */
const SCHEDULED = /^scheduled hangup$/i;

/** The one who was called hangs up on a call of ours, the one who called on theirs. */
const endedBy = (source: string, direction: string | undefined): Readonly<{ endedBy?: "remote" | "carrier" }> => {
  const person = direction === "inbound" ? "Caller" : "Callee";
  if (source === person || (person === "Callee" && source === "Call recipient")) return { endedBy: "remote" };
  return source === "Carrier" || source === "Error" ? { endedBy: "carrier" } : {};
};
