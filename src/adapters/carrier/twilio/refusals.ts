import type { PlaceOutcome } from "../../../ports/carrier.ts";
import { errorCode } from "./call-resource.ts";

/** What an answer to a request to ring means that is not a call. */
export const refusalOf = (
  answer: Readonly<{ status: number; headers: Readonly<Record<string, string | undefined>>; body: string }>,
): PlaceOutcome => {
  const { status, headers, body } = answer;
  const code = errorCode(body);
  if (status === 429 || BUSY.has(code))
    return { type: "rate-limited", retryAfterMs: secondsOf(headers["retry-after"]) * 1000 };
  // A server that broke down may have rung before it did, and a success without a call may be one.
  if (status >= 500 || status < 400)
    return { type: "ambiguous", cause: new Error(`the carrier answered ${status} to a request for a call`) };
  if (NO_NUMBER.has(code)) return { type: "rejected", reason: "invalid_number" };
  // The account, not the call: a wrong key, a number of somebody else, an address that the carrier cannot read.
  if (status === 401 || status === 404) return { type: "rejected", reason: "carrier_error" };
  return { type: "rejected", reason: "carrier_rejected" };
};

const secondsOf = (header: string | undefined): number => (/^\d{1,6}$/.test(header ?? "") ? Number(header) : 0);

/** Too many calls at a time, too many requests. */
const BUSY: ReadonlySet<number> = new Set([10_004, 20_429]);

/** The number to ring is none, is not in service, or cannot be reached by telephone. */
const NO_NUMBER: ReadonlySet<number> = new Set([
  13_223, 13_224, 13_225, 21_201, 21_211, 21_214, 21_217, 21_401, 21_421,
]);
