import { STATUS_CODES } from "node:http";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from "fastify";
import { Type, type TSchema } from "typebox";
import type { DialTokens } from "../dials/dial-token.ts";
import type { ServerDeps } from "./deps.ts";
import type { Pages } from "./pages.ts";
import { PROBLEM_TYPE, ProblemSchema } from "./problem.ts";

/** A server whose handlers are typed by the schemas of their routes. */
export type Api = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** What routes need. */
export type RouteDeps = ServerDeps & Readonly<{ tokens: DialTokens; pages: Pages }>;

/** The path of one thing. */
export const IdParamsSchema = Type.Object({ id: Type.String() });

/** How the errors of a route show in the OpenAPI document. */
export const problems = (...statuses: readonly number[]): Record<number, TSchema> =>
  Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: STATUS_CODES[status],
        content: { [PROBLEM_TYPE]: { schema: ProblemSchema } },
      },
    ]),
  );

/** Errors that every route under `/api` may answer. */
export const COMMON_PROBLEMS = problems(401, 403, 429, 503);

export const SECURITY = { key: [{ apiKey: [] }], keyOrDialToken: [{ apiKey: [] }, { dialToken: [] }] };
