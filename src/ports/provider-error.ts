/**
 * What went wrong at a provider, by what its user can do about it:
 *
 * - `auth`: the key is missing, wrong or not allowed; an operator has to act;
 * - `rate-limited`: too many requests, or the account is used up;
 * - `unavailable`: the provider cannot be reached, broke down, or broke off or garbled its answer;
 * - `rejected`: the request itself is refused and would be refused again;
 * - `timeout`: the provider said itself that it took too long.
 */
export type ProviderErrorKind = "auth" | "rate-limited" | "unavailable" | "rejected" | "timeout";

/**
 * A provider failed. The message never carries what was sent or what came back, since both are a caller's words; for the same
 * reason `cause` is only ever an error of the network or of a parser.
 */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  /** The descriptor's name. */
  readonly provider: string;
  readonly kind: ProviderErrorKind;
  /** Whether the same request may succeed a little later, or at another provider of the same kind. */
  readonly retryable: boolean;

  constructor(provider: string, kind: ProviderErrorKind, what: string, cause?: unknown) {
    super(`${provider}: ${what}`, cause === undefined ? undefined : { cause });
    this.provider = provider;
    this.kind = kind;
    this.retryable = RETRYABLE[kind];
  }
}

/** The kind that an HTTP status stands for; `undefined` for one that is not an error. */
export const kindOfStatus = (status: number): ProviderErrorKind | undefined => {
  if (status < 400) return undefined;
  if (status === 401 || status === 403) return "auth";
  if (status === 408 || status === 504) return "timeout";
  if (status === 402 || status === 429) return "rate-limited";
  return status >= 500 ? "unavailable" : "rejected";
};

const RETRYABLE: Record<ProviderErrorKind, boolean> = {
  auth: false,
  "rate-limited": true,
  unavailable: true,
  rejected: false,
  timeout: true,
};
