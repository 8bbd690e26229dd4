import { status, type ServiceError } from "@grpc/grpc-js";
import { ProviderError, type ProviderErrorKind } from "../ports/provider-error.ts";

/** A gRPC status as what the user of a provider can do about it; errors that carry none pass as breakdowns. */
export const providerFailure = (provider: string, thrown: unknown): ProviderError => {
  if (thrown instanceof ProviderError) return thrown;
  const code = codeOf(thrown);
  const kind = (code === undefined ? undefined : KINDS[code]) ?? "unavailable";
  const name =
    code === undefined ? "broke off" : `answered ${status[code]}${kind === "auth" ? "; check MODEL_SERVER_TOKEN" : ""}`;
  return new ProviderError(provider, kind, `the model server ${name}`, thrown);
};

/** The status of an error that grpc-js gives. */
export const codeOf = (thrown: unknown): status | undefined =>
  thrown instanceof Error && "code" in thrown && typeof thrown.code === "number" && status[thrown.code] !== undefined
    ? (thrown as ServiceError).code
    : undefined;

const KINDS: Partial<Record<status, ProviderErrorKind>> = {
  [status.UNAUTHENTICATED]: "auth",
  [status.PERMISSION_DENIED]: "auth",
  [status.RESOURCE_EXHAUSTED]: "rate-limited",
  [status.DEADLINE_EXCEEDED]: "timeout",
  [status.INVALID_ARGUMENT]: "rejected",
  [status.NOT_FOUND]: "rejected",
  [status.FAILED_PRECONDITION]: "rejected",
  [status.OUT_OF_RANGE]: "rejected",
  [status.UNIMPLEMENTED]: "rejected",
};
