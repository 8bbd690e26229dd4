/** One request to a carrier's REST interface. */
export type CarrierHttpRequest = Readonly<{
  method: "GET" | "POST" | "PUT" | "DELETE";
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
}>;

/**
 * What came of it. `not-sent`: certainly nothing reached the carrier (no such name, connection or TLS failed), so that asking again
 * cannot do anything twice. `lost`: it may have, and the answer did not come whole.
 */
export type CarrierHttpOutcome =
  | Readonly<{
      type: "answered";
      status: number;
      /** Names in lower case. */
      headers: Readonly<Record<string, string | undefined>>;
      body: string;
    }>
  | Readonly<{ type: "not-sent"; cause: Error }>
  | Readonly<{ type: "lost"; cause: Error }>;

/**
 * Speaks to carriers, whose addresses the operator has chosen. Asks once, never retries, follows no redirect, and reads a megabyte at the
 * most. Each request has a connection of its own, so that none is written into one that the far side is just closing.
 */
export interface CarrierHttp {
  /** Never rejects; ends within 10 s, or when `signal` aborts. */
  request(request: CarrierHttpRequest, signal: AbortSignal): Promise<CarrierHttpOutcome>;
  /** Breaks off what is under way. Idempotent. */
  close(): Promise<void>;
}
