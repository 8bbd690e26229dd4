import type { AnsweredBy, CallbackRequest, CarrierCall, CarrierEnd } from "../../../ports/carrier.ts";
import { idOf, parseFields, textOf, type Fields } from "../streaming/message-fields.ts";

/** The fields of a webhook: of the JSON body of a POST, or of the query of a GET. */
export const webhookFields = (request: CallbackRequest): Fields | undefined => {
  if (request.body.length > MOST_BODY_BYTES) return undefined;
  if (request.body.length > 0) return parseFields(Buffer.from(request.body).toString("utf8"));
  return URL.canParse(request.url) ? Object.fromEntries(new URL(request.url).searchParams) : undefined;
};

/**
 * What a call's event, or its record in the REST interface, says of it; `undefined` when it changes nothing or speaks of the leg to our
 * own websocket.
 */
export const callOf = (fields: Fields): CarrierCall | undefined => {
  const callId = idOf(fields["uuid"]);
  const status = textOf(fields["status"]);
  if (callId === undefined || status === undefined || isWebsocket(fields["to"])) return undefined;
  const state = STATES[status];
  if (state !== undefined) return { state, callId };
  const end = endOf(status, fields);
  return end && { state: "ended", callId, end };
};

/** Who has answered, by the detection of machines. */
export const answeredByOf = ({ status }: Fields): AnsweredBy | undefined =>
  status === "human" || status === "machine" ? status : undefined;

const MOST_BODY_BYTES = 64 * 1024;

const STATES: Readonly<Record<string, "ringing" | "in-progress">> = {
  ringing: "ringing",
  answered: "in-progress",
  human: "in-progress",
  machine: "in-progress",
};

/** Of records, an endpoint is an object; of events, a number or the address of a websocket. */
const isWebsocket = (to: unknown): boolean =>
  (typeof to === "string" && /^wss?:/.test(to)) ||
  (typeof to === "object" && to !== null && "type" in to && to.type === "websocket");

const endOf = (status: string, fields: Fields): CarrierEnd | undefined => {
  if (status === "completed")
    return { cause: "completed", ...(fields["disconnected_by"] === "user" ? { endedBy: "remote" } : {}) };
  if (status === "failed" && fields["detail"] === "number_out_of_service") return { cause: "invalid-number" };
  const cause = CAUSES[status];
  return cause && { cause };
};

const CAUSES: Readonly<Record<string, CarrierEnd["cause"]>> = {
  busy: "busy",
  cancelled: "canceled",
  unanswered: "no-answer",
  timeout: "no-answer",
  rejected: "rejected",
  failed: "failed",
};
