import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "../ports/logger.ts";
import type { Random } from "../ports/random.ts";
import { Problem, PROBLEM_TYPE, toProblem } from "./problem.ts";
import { validationProblem } from "./validation.ts";

/** Answers a problem in the one shape. */
export const sendProblem = async (
  problem: Problem,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> =>
  reply
    .code(problem.status)
    .headers(problem.headers)
    .header("content-type", PROBLEM_TYPE)
    .serializer((body: unknown) => JSON.stringify(body))
    .send(problem.body(request.id));

/** Gives everything that goes wrong inside Fastify the one shape: handlers, schemas, bodies, unknown routes and methods. */
export const installErrorHooks = (
  app: FastifyInstance,
  deps: Readonly<{ logger: Logger; allowedMethods: (path: string) => readonly string[] }>,
): void => {
  app.setErrorHandler(async (error, request, reply) => {
    const problem = fromFastify(error, request.routeOptions.bodyLimit);
    if (problem.status >= 500)
      deps.logger.error("a request failed", {
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url,
        code: problem.code,
        ...(problem.cause instanceof Error ? { error: problem.cause } : {}),
      });
    return sendProblem(problem, request, reply);
  });
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.raw.url?.split(/[?#]/, 1)[0] ?? "/";
    const methods = deps.allowedMethods(path);
    return sendProblem(methods.length === 0 ? notFound() : methodNotAllowed(methods), request, reply);
  });
};

/** Fastify's own errors before a route is found, such as a URL that cannot be decoded. */
export const onFrameworkError = (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
  // No hook has run at this point.
  void reply.header("x-request-id", request.id).header("cache-control", "no-store");
  void sendProblem(fromRouter(error), request, reply);
};

/** What could not even be parsed as HTTP is answered on the bare socket, in the same shape. */
export const onClientError =
  (random: Random) =>
  (error: Error & Readonly<{ code?: string }>, socket: Socket): void => {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    const problem = fromParser(error.code);
    const requestId = random.id();
    const body = JSON.stringify(problem.body(requestId));
    socket.end(
      [
        `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
        `Content-Type: ${PROBLEM_TYPE}`,
        `Content-Length: ${Buffer.byteLength(body)}`,
        `X-Request-Id: ${requestId}`,
        "Cache-Control: no-store",
        "Connection: close",
        "",
        body,
      ].join("\r\n"),
    );
  };

const fromFastify = (thrown: unknown, bodyLimit: number): Problem => {
  const error = thrown as Partial<FastifyError>;
  if (error.validation !== undefined) return validationProblem(error.validation, error.validationContext);
  switch (error.code) {
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new Problem("unsupported_media_type", "Send the header Content-Type: application/json.", {
        cause: thrown,
      });
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new Problem("payload_too_large", `A body may have ${bodyLimit} bytes here.`, { cause: thrown });
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return new Problem("bad_request", "The body is not as long as Content-Length says.", { cause: thrown });
    default:
      break;
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
    return new Problem("bad_request", "The request cannot be read.", { cause: thrown });
  return toProblem(thrown);
};

const fromRouter = (error: FastifyError): Problem => {
  if (error.code === "FST_ERR_BAD_URL")
    return new Problem("invalid_url", "The path is not valid: check its percent-encoding.", { cause: error });
  // No id of ours is that long.
  return error.code === "FST_ERR_MAX_PARAM_LENGTH" ? notFound() : toProblem(error);
};

const fromParser = (code: string | undefined): Problem => {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new Problem("headers_too_large", "URL and headers together may have 16 kB.");
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return new Problem("payload_too_large", "The chunk extensions of the body are too long.");
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new Problem("request_timeout", "The request did not arrive in time. Send it again.");
    default:
      return new Problem("bad_request", "This is not an HTTP request.");
  }
};

const notFound = (): Problem =>
  new Problem("not_found", "There is nothing at this path. GET /openapi.json lists all paths.");

const methodNotAllowed = (methods: readonly string[]): Problem =>
  new Problem("method_not_allowed", `This path takes ${methods.join(", ")}.`, {
    headers: { allow: methods.join(", ") },
  });
