import type { CallAddresses } from "../../../ports/carrier.ts";
import { toDigits } from "../rest/e164.ts";
import { PLIVO_CONTENT_TYPE } from "./stream-dialect.ts";

/**
 * Connects the call's sound with our websocket, both ways. When that breaks while the call lives, Plivo asks at `answerUrl` what to do;
 * the status of the stream is how we learn that the call was answered.
 */
export const connectMedia = ({ mediaUrl, statusUrl, answerUrl }: CallAddresses): string =>
  documentOf(
    `<Stream bidirectional="true" keepCallAlive="true" audioTrack="inbound" streamTimeout="86400" contentType="${PLIVO_CONTENT_TYPE}" statusCallbackUrl="${escape(statusUrl)}" statusCallbackMethod="POST">${escape(mediaUrl)}</Stream>`,
    `<Redirect method="POST">${escape(answerUrl)}</Redirect>`,
  );

/** Connects the person with a telephone, and asks at `answerUrl` when that is over or did not come about. */
export const connectPhone = (
  of: Readonly<{ to: string; callerId: string | null; answerUrl: string; ringSeconds: number }>,
): string =>
  documentOf(
    `<Dial${of.callerId === null ? "" : ` callerId="${escape(toDigits(of.callerId))}"`} timeout="${of.ringSeconds}" action="${escape(of.answerUrl)}" method="POST" redirect="true" callbackUrl="${escape(of.answerUrl)}" callbackMethod="POST"><Number>${escape(toDigits(of.to))}</Number></Dial>`,
  );

/** Ends a call; with a reason, before it is answered. */
export const endCall = (reason?: "busy" | "rejected"): string =>
  documentOf(reason === undefined ? "<Hangup/>" : `<Hangup reason="${reason}"/>`);

const documentOf = (...elements: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?><Response>${elements.join("")}</Response>`;

const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => ENTITIES[char] ?? "");

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};
