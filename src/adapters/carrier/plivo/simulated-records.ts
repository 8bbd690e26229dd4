import { toDigits } from "../rest/e164.ts";
import type { NetworkCall, NetworkEnd } from "../simulation/network-call.ts";
import type { Fields } from "../streaming/message-fields.ts";

/** The fields of a callback for the end of a call. */
export const hangupOf = (
  { parts, talkedSeconds }: NetworkCall,
  { cause, by }: NetworkEnd,
): Readonly<Record<string, string>> => {
  const [CallStatus, HangupCauseCode, HangupCauseName, source] = ENDS[cause];
  const person = parts.direction === "inbound" ? "Caller" : "Callee";
  const who = { person, service: "API Request", network: "Error" }[by];
  const HangupSource = source === "" ? who : source;
  return { CallStatus, HangupCauseCode, HangupCauseName, HangupSource, Duration: String(talkedSeconds) };
};

/** A call as the REST interface shows it: the state of a live one, the record of one that is over. */
export const showCall = (call: NetworkCall): Fields => {
  const { parts, state, end, talkedSeconds } = call;
  const shown = {
    call_uuid: parts.callId,
    to: toDigits(parts.to),
    from: toDigits(parts.from),
    call_direction: parts.direction,
    call_duration: talkedSeconds,
  };
  if (end === undefined) return { ...shown, call_status: state };
  const told = hangupOf(call, end);
  return {
    ...shown,
    call_state: RECORDED[told["CallStatus"] ?? ""] ?? "FAILED",
    hangup_cause_code: Number(told["HangupCauseCode"]),
    hangup_cause_name: told["HangupCauseName"],
    hangup_source: told["HangupSource"],
  };
};

/** Status, code, name and source of each end. */
const ENDS: Readonly<
  Record<NetworkEnd["cause"], readonly [status: string, code: string, name: string, source: string]>
> = {
  completed: ["completed", "4000", "Normal Hangup", ""],
  busy: ["busy", "3010", "Busy Line", "Carrier"],
  "no-answer": ["no-answer", "3000", "No Answer", "Carrier"],
  canceled: ["cancel", "1000", "Cancelled", "API Request"],
  declined: ["failed", "3020", "Rejected", "Carrier"],
  unallocated: ["failed", "2000", "Invalid Destination Address", "Carrier"],
  failed: ["failed", "5000", "Internal Error", "Error"],
  "time-limit": ["completed", "7000", "Scheduled Hangup", "Plivo"],
};

const RECORDED: Readonly<Record<string, string>> = {
  completed: "ANSWER",
  busy: "BUSY",
  "no-answer": "NO_ANSWER",
  cancel: "CANCEL",
};
