import { Agent, request } from "undici";
import { kindOfStatus, ProviderError } from "../../../ports/provider-error.ts";

/** A list of voices is some hundred kilobytes. */
const MOST_BYTES = 8 * 1024 * 1024;

/**
 * Gets JSON from a vendor.
 *
 * @throws {ProviderError} by the status, or `unavailable` when there is no answer or it is no JSON.
 */
export const getJson = async (
  provider: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<unknown> => {
  // An agent of its own, so that no connection outlives the question.
  const dispatcher = new Agent({ maxResponseSize: MOST_BYTES });
  try {
    const { statusCode, body } = await request(url, { dispatcher, headers, signal });
    const kind = kindOfStatus(statusCode);
    if (kind !== undefined) throw new ProviderError(provider, kind, `answered with status ${statusCode}`);
    return await body.json();
  } catch (cause) {
    if (cause instanceof ProviderError) throw cause;
    throw new ProviderError(provider, "unavailable", "cannot be reached, or answered with something else", cause);
  } finally {
    await dispatcher.destroy().catch(() => undefined);
  }
};
