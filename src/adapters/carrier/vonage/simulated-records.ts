import { toDigits } from "../rest/e164.ts";
import type { CallNews, NetworkCall, NetworkEnd } from "../simulation/network-call.ts";
import type { Fields } from "../streaming/message-fields.ts";

/** What an event says of a call beside its ids; `undefined` for news that Vonage keeps to itself. */
export const eventOf = (call: NetworkCall, told: CallNews): Fields | undefined => {
  switch (told.news) {
    case "initiated":
      return { status: "started" };
    case "ringing":
    case "answered":
    case "human":
    case "machine":
      return { status: told.news };
    case "ended":
      return { ...ENDS[told.end.cause], ...endedBy(told.end), duration: String(call.talkedSeconds) };
    case "transferred":
    case "transfer-failed":
      return undefined;
  }
};

/** The ids and numbers that every event of a call has. */
export const addressOf = ({ parts }: NetworkCall): Fields => ({
  uuid: parts.callId,
  conversation_uuid: `CON-${parts.callId}`,
  from: toDigits(parts.from),
  to: toDigits(parts.to),
  direction: parts.direction,
});

/** A call as the REST interface shows it. */
export const showCall = (call: NetworkCall): Fields => {
  const { parts, state, end, talkedSeconds } = call;
  const phone = (number: string) => ({ type: "phone", number: toDigits(number) });
  return {
    ...addressOf(call),
    to: phone(parts.to),
    from: phone(parts.from),
    duration: String(talkedSeconds),
    start_time: new Date(call.createdAt).toISOString(),
    ...(end === undefined ? { status: LIVE[state] ?? "started" } : { ...ENDS[end.cause], ...endedBy(end) }),
  };
};

const LIVE: Readonly<Record<string, string>> = { ringing: "ringing", "in-progress": "answered" };

const ENDS: Readonly<Record<NetworkEnd["cause"], Fields>> = {
  completed: { status: "completed" },
  busy: { status: "busy" },
  "no-answer": { status: "timeout" },
  canceled: { status: "cancelled" },
  declined: { status: "rejected", detail: "declined" },
  unallocated: { status: "failed", detail: "number_out_of_service" },
  failed: { status: "failed", detail: "internal_error" },
  "time-limit": { status: "completed" },
};

const endedBy = ({ cause, by }: NetworkEnd): Fields =>
  cause === "completed" || cause === "time-limit" ? { disconnected_by: by === "person" ? "user" : "platform" } : {};
