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
import { PageSchema } from "../model/page.ts";
import type { ServerDeps } from "./deps.ts";
import type { KnownKeys } from "./known-keys.ts";
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

/** A page of something, for the OpenAPI document. */
export const pageOf = <T extends TSchema>(item: T) => ({
  ...PageSchema(item),
  description: "One page; `cursor` is null on the last.",
});

/** What routes need. */
export type RouteDeps = ServerDeps & Readonly<{ tokens: DialTokens; pages: Pages; keys: KnownKeys }>;

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

/** The path of what belongs to an agent, as a list and one by one. */
export const AgentParamsSchema = Type.Object({ agentId: Type.String() });
export const AgentOwnedParamsSchema = Type.Object({ agentId: Type.String(), id: Type.String() });

/** Errors that every route under `/api` may answer. */
export const COMMON_PROBLEMS = problems(401, 403, 429, 503);

/** Errors of what reads a body. */
export const BODY_PROBLEMS = problems(400, 413, 415, 422);

export const SECURITY = { key: [{ apiKey: [] }], keyOrDialToken: [{ apiKey: [] }, { dialToken: [] }] };
