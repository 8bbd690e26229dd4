/** One POST to an address that a customer gave. */
export type HttpPost = Readonly<{
  url: string;
  /** Names in any case; `Host`, framing and connection headers are the caller's own and are dropped. */
  headers: Readonly<Record<string, string>>;
  body: string;
  /** From the call of `post` to the last byte of the answer, in milliseconds; looking the name up is in it. */
  timeoutMs: number;
  /** Largest body that is read, in bytes. */
  maxBytes: number;
}>;

/**
 * What came of it.
 *
 * `refused`: the address may not be called and nothing was tried. `not-sent`: nothing left this machine (no such name, connection or
 * TLS failed), so that trying again cannot do anything twice. `timeout`, `broken` and `too-large` leave open whether the far side
 * acted.
 */
export type HttpOutcome =
  | Readonly<{ type: "answered"; status: number; contentType: string; body: Uint8Array }>
  | Readonly<{ type: "refused"; why: string }>
  | Readonly<{ type: "not-sent"; cause: Error }>
  | Readonly<{ type: "timeout" }>
  | Readonly<{ type: "broken"; cause: Error }>
  | Readonly<{ type: "too-large"; status: number }>;

/**
 * Calls servers of customers, of which nothing is known but an address: it cannot be led into a private network, follows no redirect,
 * keeps no connection and never reads more or waits longer than it was told.
 */
export interface HttpCaller {
  /** Asks once; never rejects and never retries. An aborted `signal` is a `timeout`, or `not-sent` while nothing had left. */
  post(request: HttpPost, signal: AbortSignal): Promise<HttpOutcome>;
  /** Breaks off what is under way. Idempotent. */
  close(): Promise<void>;
}
