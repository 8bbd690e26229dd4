import { Type, type Static } from "typebox";
import { Refusal, type RefusalCode } from "../dials/refusal.ts";
import { StoreUnavailable } from "../ports/store.ts";

type RequestCode =
  | "invalid_json"
  | "bad_request"
  | "invalid_url"
  | "invalid_idempotency_key"
  | "unauthorized"
  | "not_found"
  | "recording_not_found"
  | "webhook_delivery_not_found"
  | "method_not_allowed"
  | "request_timeout"
  | "payload_too_large"
  | "unsupported_media_type"
  | "range_not_satisfiable"
  | "invalid_cursor"
  | "rate_limited"
  | "headers_too_large"
  | "internal_error"
  | "store_unavailable";

export type ProblemCode = RefusalCode | RequestCode;

/** The one catalogue of problems: every code that the API answers, with its status and title. `docs/interface.md` lists it. */
export const PROBLEMS = {
  invalid_json: { status: 400, title: "The body is not JSON" },
  bad_request: { status: 400, title: "The request cannot be read" },
  invalid_url: { status: 400, title: "The URL cannot be read" },
  invalid_idempotency_key: { status: 400, title: "The Idempotency-Key cannot be used" },
  unauthorized: { status: 401, title: "A valid key is needed" },
  forbidden: { status: 403, title: "The credential does not allow this" },
  not_found: { status: 404, title: "There is nothing here" },
  agent_not_found: { status: 404, title: "The agent does not exist" },
  dial_not_found: { status: 404, title: "The dial does not exist" },
  prompt_not_found: { status: 404, title: "The prompt does not exist" },
  extractor_not_found: { status: 404, title: "The extractor does not exist" },
  phone_number_not_found: { status: 404, title: "The phone number does not exist" },
  function_not_found: { status: 404, title: "The function does not exist" },
  api_key_not_found: { status: 404, title: "The key does not exist" },
  audio_not_found: { status: 404, title: "The sound does not exist" },
  recording_not_found: { status: 404, title: "The recording does not exist" },
  webhook_delivery_not_found: { status: 404, title: "The webhook delivery does not exist" },
  method_not_allowed: { status: 405, title: "The method is not allowed here" },
  request_timeout: { status: 408, title: "The request took too long to arrive" },
  number_exists: { status: 409, title: "The workspace has this number already" },
  audio_limit_reached: { status: 409, title: "The workspace has too many sounds" },
  key_in_use: { status: 409, title: "The request was made with this key" },
  call_not_live: { status: 409, title: "The call is not going on" },
  dial_not_over: { status: 409, title: "The call is not over" },
  payload_too_large: { status: 413, title: "The body is too large" },
  unsupported_media_type: { status: 415, title: "The body is not of the type that is read here" },
  audio_not_convertible: { status: 415, title: "Only WAV can be read here" },
  range_not_satisfiable: { status: 416, title: "The range lies outside the file" },
  validation_failed: { status: 422, title: "The request has invalid fields" },
  invalid_audio: { status: 422, title: "The sound cannot be used" },
  invalid_cursor: { status: 422, title: "The cursor was not issued here" },
  agent_has_no_prompt: { status: 422, title: "The agent has no prompt" },
  unknown_agent: { status: 422, title: "The agent does not exist" },
  unknown_function: { status: 422, title: "The function does not exist" },
  unknown_model: { status: 422, title: "The model does not exist" },
  invalid_model_option: { status: 422, title: "The model option cannot be used" },
  invalid_flow: { status: 422, title: "The flow cannot be followed" },
  api_path_not_allowed: { status: 422, title: "The address may not be called" },
  unknown_prompt: { status: 422, title: "The prompt does not exist" },
  unknown_extractor: { status: 422, title: "The extractor does not exist" },
  no_language_model: { status: 422, title: "No language model is configured" },
  nothing_said: { status: 422, title: "Nobody spoke in the call" },
  unknown_from_number: { status: 422, title: "The phone number does not exist" },
  account_not_configured: { status: 422, title: "The carrier's account is not configured" },
  carrier_not_configured: { status: 422, title: "The number's carrier is not configured" },
  number_required: { status: 422, title: "A phone dial needs numbers" },
  invalid_number: { status: 422, title: "The number is not a telephone number" },
  do_not_call: { status: 422, title: "The number is not to be called" },
  do_not_call_entry_not_found: { status: 404, title: "The entry does not exist" },
  destination_not_allowed: { status: 422, title: "The number may not be rung" },
  webhook_url_not_allowed: { status: 422, title: "The webhook URL may not be called" },
  unknown_transcriber: { status: 422, title: "The transcriber does not exist" },
  unknown_voice: { status: 422, title: "The voice does not exist" },
  invalid_voice_option: { status: 422, title: "The voice option cannot be used" },
  language_not_supported: { status: 422, title: "The language is not supported" },
  voicemail_message_too_long: { status: 422, title: "The voicemail message is too long" },
  opening_line_too_long: { status: 422, title: "The opening line is too long" },
  idempotency_key_reused: { status: 422, title: "The Idempotency-Key belongs to another request" },
  rate_limited: { status: 429, title: "Too many requests" },
  headers_too_large: { status: 431, title: "The request's headers are too large" },
  internal_error: { status: 500, title: "Something went wrong here" },
  extraction_failed: { status: 503, title: "The language model did not answer" },
  too_many_extractions: { status: 503, title: "Too many extractions are under way" },
  too_many_conversions: { status: 503, title: "Too many sounds are being converted" },
  store_unavailable: { status: 503, title: "The database does not answer" },
} as const satisfies Record<ProblemCode, Readonly<{ status: number; title: string }>>;

/** Media type of every error (RFC 9457). */
export const PROBLEM_TYPE = "application/problem+json";

/** The body of every error. */
export const ProblemSchema = Type.Object(
  {
    type: Type.String({ description: "A URI that names the problem; it need not lead anywhere." }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String({ description: "What happened and what to do." }),
    code: Type.Enum(Object.keys(PROBLEMS) as ProblemCode[], { description: "Stable; decide on this." }),
    errors: Type.Array(
      Type.Object({
        path: Type.String({
          description: "JSON pointer to the field, or the name of a query parameter after a slash.",
        }),
        message: Type.String(),
      }),
    ),
    requestId: Type.String(),
  },
  {
    $id: "Problem",
    description: "Every error has this shape (RFC 9457).",
    examples: [
      {
        type: "urn:call-engine:problem:validation_failed",
        title: "The request has invalid fields",
        status: 422,
        detail: "/callAgentID is not a known field",
        code: "validation_failed",
        errors: [{ path: "/callAgentID", message: "is not a known field" }],
        requestId: "01988f5e-7c1a-7d02-9f7a-4cbb1d1f3a55",
      },
    ],
  },
);
export type ProblemBody = Static<typeof ProblemSchema>;

export type FieldError = ProblemBody["errors"][number];

/** A request that is answered with an error. Thrown anywhere in the API; the server turns it into the one shape. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly code: ProblemCode;
  readonly errors: readonly FieldError[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ProblemCode,
    detail: string,
    more: Readonly<{
      errors?: readonly FieldError[];
      headers?: Readonly<Record<string, string>>;
      cause?: unknown;
    }> = {},
  ) {
    super(detail, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.errors = more.errors ?? [];
    this.headers = more.headers ?? {};
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }

  body(requestId: string): ProblemBody {
    const { status, title } = PROBLEMS[this.code];
    return {
      type: `urn:call-engine:problem:${this.code}`,
      title,
      status,
      detail: this.message,
      code: this.code,
      errors: [...this.errors],
      requestId,
    };
  }
}

/** Whatever a handler threw, as the problem to answer. Unknown errors keep their cause and show nothing of it. */
export const toProblem = (thrown: unknown): Problem => {
  if (thrown instanceof Problem) return thrown;
  if (thrown instanceof Refusal)
    return new Problem(thrown.code, thrown.message, {
      errors: thrown.faults,
      ...(PROBLEMS[thrown.code].status === 503 ? { headers: { "retry-after": "10" } } : {}),
    });
  if (thrown instanceof StoreUnavailable)
    return new Problem("store_unavailable", "The database does not answer. Try again in a moment.", {
      headers: { "retry-after": "1" },
      cause: thrown,
    });
  return new Problem(
    "internal_error",
    "The request failed for a reason on our side. Its requestId names it in our logs.",
    {
      cause: thrown,
    },
  );
};
