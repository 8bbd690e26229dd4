/** Why a request cannot be granted; stable words that clients may decide on. */
export type RefusalCode =
  | "validation_failed"
  | "forbidden"
  | "agent_not_found"
  | "dial_not_found"
  | "prompt_not_found"
  | "extractor_not_found"
  | "phone_number_not_found"
  | "function_not_found"
  | "api_key_not_found"
  | "audio_not_found"
  | "audio_limit_reached"
  | "audio_not_convertible"
  | "too_many_conversions"
  | "invalid_audio"
  | "number_exists"
  | "key_in_use"
  | "unknown_agent"
  | "unknown_function"
  | "unknown_model"
  | "invalid_model_option"
  | "invalid_flow"
  | "api_path_not_allowed"
  | "agent_has_no_prompt"
  | "unknown_prompt"
  | "unknown_extractor"
  | "dial_not_over"
  | "call_not_live"
  | "no_language_model"
  | "nothing_said"
  | "extraction_failed"
  | "too_many_extractions"
  | "unknown_from_number"
  | "carrier_not_configured"
  | "account_not_configured"
  | "number_required"
  | "invalid_number"
  | "destination_not_allowed"
  | "do_not_call"
  | "do_not_call_entry_not_found"
  | "webhook_url_not_allowed"
  | "unknown_transcriber"
  | "unknown_voice"
  | "invalid_voice_option"
  | "language_not_supported"
  | "opening_line_too_long"
  | "voicemail_message_too_long"
  | "idempotency_key_reused";

/** What is wrong with one field; `path` is a JSON pointer into the body. */
export type FieldFault = Readonly<{ path: string; message: string }>;

/**
 * A request that is understood and not granted. The message says what is wrong and what to do; it holds nothing of another
 * workspace. `faults` name the fields of the body that are at fault; a path alone takes the message over.
 */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: RefusalCode;
  readonly faults: readonly FieldFault[];

  constructor(code: RefusalCode, message: string, where: string | readonly FieldFault[] = []) {
    super(message);
    this.code = code;
    this.faults = typeof where === "string" ? [{ path: where, message }] : where;
  }
}

/** Fields that a schema lets pass one by one and that do not fit together. */
export const invalidField = (path: string, message: string): Refusal =>
  new Refusal("validation_failed", `${path} ${message}`, [{ path, message }]);
