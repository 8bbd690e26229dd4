import { status } from "@grpc/grpc-js";
import { codeOf } from "../grpc/provider-failure.ts";
import { ProviderError, type ProviderErrorKind } from "../ports/provider-error.ts";

/** A request that cannot be served, as its stream ends with it. The message holds nothing of what was sent. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: status;
  readonly details: string;

  constructor(code: status, details: string, cause?: unknown) {
    super(details, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
  }
}

/** What a stream ends with when something broke. An engine's own words stay here, since they may hold what a caller said. */
export const refusalOf = (thrown: unknown): Refusal => {
  if (thrown instanceof Refusal) return thrown;
  const code = thrown instanceof ProviderError ? CODES[thrown.kind] : (codeOf(thrown) ?? status.INTERNAL);
  return new Refusal(code, "the engine failed; the server's log says more", thrown);
};

const CODES: Record<ProviderErrorKind, status> = {
  // The engine's own key is meant, which is no affair of whoever asks here.
  auth: status.UNAVAILABLE,
  "rate-limited": status.RESOURCE_EXHAUSTED,
  unavailable: status.UNAVAILABLE,
  rejected: status.INVALID_ARGUMENT,
  timeout: status.DEADLINE_EXCEEDED,
};
