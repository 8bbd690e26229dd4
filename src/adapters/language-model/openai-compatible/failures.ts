import { APICallError } from "@ai-sdk/provider";
import { kindOfStatus, ProviderError, type ProviderErrorKind } from "../../../ports/provider-error.ts";

/**
 * Whatever the SDK threw or put in its stream, as our own error: by status, never by words. The SDK's error itself is left
 * behind, because it carries the whole request; only the network's or the parser's error under it is kept.
 */
export const toProviderError = (provider: string, thrown: unknown): ProviderError => {
  if (thrown instanceof ProviderError) return thrown;
  if (APICallError.isInstance(thrown)) {
    const kind = thrown.statusCode === undefined ? undefined : kindOfStatus(thrown.statusCode);
    if (kind !== undefined) return new ProviderError(provider, kind, `answered ${thrown.statusCode} (${ADVICE[kind]})`);
    return new ProviderError(
      provider,
      "unavailable",
      `cannot be reached or broke off (${ADVICE.unavailable})`,
      thrown.cause,
    );
  }
  const status = statusIn(thrown);
  const kind = (status === undefined ? undefined : kindOfStatus(status)) ?? "unavailable";
  return new ProviderError(provider, kind, `the stream failed or made no sense (${ADVICE[kind]})`, parserError(thrown));
};

const ADVICE: Record<ProviderErrorKind, string> = {
  auth: "check LLM_API_KEY",
  "rate-limited": "too many requests, or the account is used up",
  unavailable: "check LLM_BASE_URL and the endpoint's health",
  rejected: "check LLM_MODEL and the prompt's model options",
  timeout: "the endpoint gave up",
};

/** Errors inside a stream come as `{message, code}` with an HTTP status for a code, or without any. */
const statusIn = (thrown: unknown): number | undefined => {
  if (typeof thrown !== "object" || thrown === null || !("code" in thrown)) return undefined;
  const status = Number(thrown.code);
  return Number.isInteger(status) && status >= 400 && status < 600 ? status : undefined;
};

/** A parser's own error quotes the text that it could not parse; its name is all that is safe to keep. */
const parserError = (thrown: unknown): Error | undefined =>
  thrown instanceof Error ? new Error(thrown.name) : undefined;
