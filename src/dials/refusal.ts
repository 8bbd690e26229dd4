/** Why a request about a dial cannot be granted; stable words that clients may decide on. */
export type RefusalCode =
  | "agent_not_found"
  | "dial_not_found"
  | "agent_has_no_prompt"
  | "unknown_prompt"
  | "flow_not_supported"
  | "unknown_extractor"
  | "unknown_from_number"
  | "carrier_not_configured"
  | "number_required"
  | "invalid_number"
  | "destination_not_allowed"
  | "webhook_url_not_allowed"
  | "unknown_transcriber"
  | "unknown_voice"
  | "invalid_voice_option"
  | "language_not_supported"
  | "opening_line_too_long"
  | "browser_calls_not_available"
  | "idempotency_key_reused";

/**
 * A request that is understood and not granted. The message says what is wrong and what to do; it holds nothing of another
 * workspace. `path` is a JSON pointer to the field of the body that is at fault, when one is.
 */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: RefusalCode;
  readonly path: string | undefined;

  constructor(code: RefusalCode, message: string, path?: string) {
    super(message);
    this.code = code;
    this.path = path;
  }
}
