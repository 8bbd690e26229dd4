import type { Problem } from "./operations.ts";

/** `unexpected_answer`: something between us and the API has answered in a form of its own. */
export type ApiProblemCode = Problem["code"] | "unexpected_answer";

/** The API has refused a request, or failed at it. Decide on `code`. */
export class ApiProblem extends Error {
  override readonly name = "ApiProblem";
  readonly code: ApiProblemCode;
  readonly status: number;
  readonly title: string;
  /** What is wrong with which field; empty where fields are not the trouble. */
  readonly errors: Problem["errors"];
  /** Finds the request in the log of the service. */
  readonly requestId: string;
  /** How long to wait before asking again, in milliseconds, where the API has said so. */
  readonly retryAfterMs: number | undefined;

  constructor(
    problem: Readonly<Pick<Problem, "status" | "title" | "detail" | "errors" | "requestId">> &
      Readonly<{ code: ApiProblemCode; retryAfterMs: number | undefined }>,
  ) {
    super(`${problem.detail} (${problem.status} ${problem.code}, request ${problem.requestId})`);
    this.code = problem.code;
    this.status = problem.status;
    this.title = problem.title;
    this.errors = problem.errors;
    this.requestId = problem.requestId;
    this.retryAfterMs = problem.retryAfterMs;
  }
}

/** The API was not reached, did not answer in time, or broke off; what a request has done is not known. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/** Reads the answer to a request that failed. */
export const readProblem = async (response: Response): Promise<ApiProblem> => {
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  const retryAfterMs = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
  const text = await response.text();
  if (response.headers.get("content-type")?.startsWith("application/problem+json") === true)
    return new ApiProblem({ ...(JSON.parse(text) as Problem), retryAfterMs });
  return new ApiProblem({
    code: "unexpected_answer",
    status: response.status,
    title: response.statusText,
    detail: "The answer is not one of the API: check the base URL, and what lies between.",
    errors: [],
    requestId: response.headers.get("x-request-id") ?? "unknown",
    retryAfterMs,
  });
};

/** Whether the same request may succeed in a moment. */
export const isPassing = (error: unknown): error is ApiProblem | NoAnswer =>
  error instanceof NoAnswer || (error instanceof ApiProblem && [429, 502, 503, 504].includes(error.status));
