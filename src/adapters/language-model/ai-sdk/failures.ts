import { APICallError } from "@ai-sdk/provider";
import { kindOfStatus, ProviderError, type ProviderErrorKind } from "../../../ports/provider-error.ts";

/**
 * Whatever the SDK threw or put in its stream, as our own error: by status, never by words. The SDK's error itself is left
 * behind, because it carries the whole request; only the network's or the parser's error under it is kept.
 */
export const toProviderError = (provider: string, thrown: unknown, advice: Advice): ProviderError => {
  if (thrown instanceof ProviderError) return thrown;
  if (APICallError.isInstance(thrown)) {
    const kind = thrown.statusCode === undefined ? undefined : kindOfStatus(thrown.statusCode);
    if (kind !== undefined) return new ProviderError(provider, kind, `answered ${thrown.statusCode} (${advice[kind]})`);
    return new ProviderError(
      provider,
      "unavailable",
      `cannot be reached or broke off (${advice.unavailable})`,
      thrown.cause,
    );
  }
  const status = statusIn(thrown);
  const kind = (status === undefined ? undefined : kindOfStatus(status)) ?? "unavailable";
  return new ProviderError(provider, kind, `the stream failed or made no sense (${advice[kind]})`, parserError(thrown));
};

/** The stream ended, and the model had not said that its answer does. */
export const brokeOff = (provider: string, advice: Advice): ProviderError =>
  new ProviderError(provider, "unavailable", `the answer broke off (${advice.unavailable})`);

/** What an operator can do, by what went wrong. */
export type Advice = Readonly<Record<ProviderErrorKind, string>>;

/** Advice that names the variables of a vendor. */
export const adviceFor = (prefix: string, model: string): Advice => ({
  auth: `check ${prefix}_API_KEY`,
  "rate-limited": "too many requests, or the account is used up",
  unavailable: `check ${prefix}_BASE_URL and the endpoint's health`,
  rejected: `check ${model} and the prompt's model options`,
  timeout: "the endpoint gave up",
});

/** Errors inside a stream come as `{message, code}` with an HTTP status for a code, as `{type}` with a word, or without any. */
const statusIn = (thrown: unknown): number | undefined => {
  if (typeof thrown !== "object" || thrown === null) return undefined;
  if ("type" in thrown && typeof thrown.type === "string") return STATUS_OF.get(thrown.type);
  if (!("code" in thrown)) return undefined;
  const status = Number(thrown.code);
  return Number.isInteger(status) && status >= 400 && status < 600 ? status : undefined;
};

/** A parser's own error quotes the text that it could not parse; its name is all that is safe to keep. */
const parserError = (thrown: unknown): Error | undefined =>
  thrown instanceof Error ? new Error(thrown.name) : undefined;

/** Anthropic's words for what else is an HTTP status. */
const STATUS_OF: ReadonlyMap<string, number> = new Map([
  ["authentication_error", 401],
  ["permission_error", 403],
  ["invalid_request_error", 400],
  ["rate_limit_error", 429],
  ["overloaded_error", 529],
  ["timeout_error", 504],
]);
