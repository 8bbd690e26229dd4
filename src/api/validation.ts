import type { FastifySchemaValidationError } from "fastify";
import { Problem, type FieldError } from "./problem.ts";

/** Errors that are told at most; a body of 64 kB can hold thousands. */
const MOST_ERRORS = 50;

/** What a schema found wrong, as the one problem that names every field; `where` is Fastify's name of the part of the request. */
export const validationProblem = (
  found: readonly FastifySchemaValidationError[],
  where: string | undefined,
): Problem => {
  const errors = fieldErrors(found, where === "querystring" ? "parameter" : "field").slice(0, MOST_ERRORS);
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  const detail =
    first === undefined ? "The request is invalid." : `${first.path || "The body"} ${first.message}${more}`;
  return new Problem("validation_failed", detail, { errors });
};

/** One error a path and message; alternatives of the same field (`string or null`) are told together. */
const fieldErrors = (found: readonly FastifySchemaValidationError[], kind: "field" | "parameter"): FieldError[] => {
  const alternatives = new Map<string, Set<string>>();
  for (const { keyword, instancePath } of found)
    if (keyword === "anyOf" || keyword === "oneOf") alternatives.set(instancePath, new Set());
  const told = new Map<string, FieldError>();
  for (const error of found) {
    if (error.keyword === "anyOf" || error.keyword === "oneOf") continue;
    const inside = alternatives.get(error.instancePath);
    if (inside !== undefined) {
      inside.add(messageOf(error, kind).replace(/^must be /, ""));
      continue;
    }
    const field = { path: pathOf(error), message: messageOf(error, kind) };
    told.set(`${field.path} ${field.message}`, field);
  }
  for (const [path, messages] of alternatives)
    // A fault inside the value says more than that the value could have been null.
    if (messages.size > 0 && ![...told.values()].some((field) => field.path.startsWith(`${path}/`)))
      told.set(path, { path, message: `must be ${[...messages].join(" or ")}` });
  return [...told.values()];
};

const pathOf = ({ keyword, instancePath, params }: FastifySchemaValidationError): string => {
  const name = keyword === "required" ? params["missingProperty"] : params["additionalProperty"];
  return typeof name === "string" ? `${instancePath}/${escapePointer(name)}` : instancePath;
};

const messageOf = ({ keyword, params, message }: FastifySchemaValidationError, kind: "field" | "parameter"): string => {
  if (keyword === "required") return "is required";
  if (keyword === "additionalProperties") return `is not a known ${kind}`;
  if (keyword === "enum" && Array.isArray(params["allowedValues"]))
    return `must be one of ${params["allowedValues"].join(", ")}`;
  return message ?? "is invalid";
};

/** RFC 6901. Names come from the client and are shortened, since they are sent back. */
const escapePointer = (name: string): string => name.slice(0, 200).replaceAll("~", "~0").replaceAll("/", "~1");
