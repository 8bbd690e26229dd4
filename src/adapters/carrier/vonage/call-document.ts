import type { CallAddresses } from "../../../ports/carrier.ts";
import { toDigits } from "../rest/e164.ts";
import type { Fields } from "../streaming/message-fields.ts";
import { CALL_ID_HEADER, VONAGE_CONTENT_TYPE } from "./stream-dialect.ts";

/** A call control object of Vonage: what it does, one step after another. */
export type CallDocument = readonly Fields[];

/**
 * Connects the call's sound with our websocket. When that breaks, Vonage asks at `answerUrl` what to do instead, because the events of
 * the leg are synchronous.
 */
export const connectMedia = (to: CallAddresses & Readonly<{ dialId: string; callId?: string }>): CallDocument => [
  {
    action: "connect",
    eventType: "synchronous",
    eventUrl: [to.answerUrl],
    eventMethod: "POST",
    endpoint: [
      {
        type: "websocket",
        uri: to.mediaUrl,
        "content-type": VONAGE_CONTENT_TYPE,
        headers: { dialId: to.dialId, ...(to.callId === undefined ? {} : { [CALL_ID_HEADER]: to.callId }) },
      },
    ],
  },
];

/** Connects the person with a telephone. When nobody picks up, Vonage asks at `answerUrl` what to do instead. */
export const connectPhone = (
  of: Readonly<{ to: string; answerUrl: string; callerId?: string | undefined; ringSeconds: number }>,
): CallDocument => [
  {
    action: "connect",
    ...(of.callerId === undefined ? {} : { from: toDigits(of.callerId) }),
    timeout: String(of.ringSeconds),
    eventType: "synchronous",
    eventUrl: [of.answerUrl],
    eventMethod: "POST",
    endpoint: [{ type: "phone", number: toDigits(of.to) }],
  },
];
