import type { CarrierCall } from "../../../ports/carrier.ts";
import { callOf, type StatusFields } from "./status-callback.ts";

/** A call as the REST interface shows it, reduced to what is used. */
export type CallResource = Readonly<{ sid: string; status: string; direction: string; createdAt: number | undefined }>;

/** Reads one call; `undefined` when the text is none. */
export const readCall = (text: string): CallResource | undefined => callIn(parse(text));

/** Reads a list of calls, newest first as it comes; `undefined` when the text is none. */
export const readCalls = (text: string): readonly CallResource[] | undefined => {
  const calls = fieldsOf(parse(text))?.["calls"];
  return Array.isArray(calls) ? calls.flatMap((one) => callIn(one) ?? []) : undefined;
};

/** Whether a list of conferences has one. */
export const hasConference = (text: string): boolean => {
  const conferences = fieldsOf(parse(text))?.["conferences"];
  return Array.isArray(conferences) && conferences.length > 0;
};

/** The carrier's own number of an error; 0 where it gives none. */
export const errorCode = (text: string): number => {
  const code = Number(fieldsOf(parse(text))?.["code"] ?? 0);
  return Number.isInteger(code) ? code : 0;
};

/** What a call's status means. A call that is not ringing yet is on its way to it. */
export const stateOf = ({ sid, status }: CallResource, fields: StatusFields = {}): CarrierCall | undefined =>
  status === "queued" || status === "initiated" || status === "scheduled"
    ? { state: "ringing", callId: sid }
    : callOf(sid, { ...fields, CallStatus: status });

const callIn = (value: unknown): CallResource | undefined => {
  const { sid, status, direction, date_created: created } = fieldsOf(value) ?? {};
  if (typeof sid !== "string" || typeof status !== "string") return undefined;
  const createdAt = typeof created === "string" ? Date.parse(created) : Number.NaN;
  return {
    sid,
    status,
    direction: typeof direction === "string" ? direction : "",
    createdAt: Number.isNaN(createdAt) ? undefined : createdAt,
  };
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
