import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { Problem, type FieldError } from "./problem.ts";
import type { Api } from "./route.ts";

const NoQuerySchema = Type.Object({}, { additionalProperties: false });

/**
 * Refuses what a route does not read, since whoever sent it expects something of it: parameters in the URL of a route that has none,
 * a parameter that is given twice, and fields in the body of a route that takes no body. Holds for the routes that are added
 * afterwards.
 */
export const refuseWhatIsNotRead = (api: Api): void => {
  api.addHook("onRoute", (route) => {
    route.schema = { ...route.schema, querystring: route.schema?.querystring ?? NoQuerySchema };
  });
  api.addHook("preValidation", async (request) => {
    refuseRepeated(request.query as Readonly<Record<string, unknown>>);
    refuseUnreadBody(request);
  });
};

const refuseRepeated = (query: Readonly<Record<string, unknown>>): void => {
  const repeated = Object.keys(query).filter((name) => Array.isArray(query[name]));
  if (repeated.length > 0)
    throw invalid(repeated.map((name) => ({ path: pathOf(name), message: "was given more than once" })));
};

const refuseUnreadBody = ({ body, routeOptions }: FastifyRequest): void => {
  if (body === undefined || body === null || routeOptions.schema?.body !== undefined) return;
  if (typeof body !== "object" || Array.isArray(body))
    throw invalid([{ path: "", message: "must be empty, since nothing is read from it here" }]);
  const names = Object.keys(body);
  if (names.length > 0) throw invalid(names.map((name) => ({ path: pathOf(name), message: "is not a known field" })));
};

const invalid = (errors: readonly FieldError[]): Problem => {
  const told = errors.slice(0, MOST_ERRORS);
  const [first] = told;
  return new Problem("validation_failed", `${first?.path || "The body"} ${first?.message}`, { errors: told });
};

/** Names come from the client and are sent back. */
const pathOf = (name: string): string => `/${name.slice(0, 200).replaceAll("~", "~0").replaceAll("/", "~1")}`;

const MOST_ERRORS = 50;
