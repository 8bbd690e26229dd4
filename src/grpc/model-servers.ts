import { status, type ServiceError } from "@grpc/grpc-js";
import { Type } from "typebox";
import { toError } from "../kit/errors.ts";
import { withDeadline } from "../ports/clock.ts";
import { ProviderError } from "../ports/provider-error.ts";
import { readEndpoint, UnusableEndpoint } from "./endpoint.ts";
import type { DescribeResponse__Output } from "./generated/callengine/models/v1/DescribeResponse.ts";
import { MODEL_SERVER, ModelServerConnection, type ModelServerDeps } from "./model-server.ts";
import { codeOf, providerFailure } from "./provider-failure.ts";

/** The variables that name the servers. */
export const MODEL_SERVER_ENV = Type.Object({
  MODEL_SERVER_URL: Type.Optional(
    Type.String({ pattern: "^grpcs?://", description: "Addresses of servers of the same models, by commas." }),
  ),
  MODEL_SERVER_TOKEN: Type.Optional(Type.String({ minLength: 1 })),
  MODEL_SERVER_CA: Type.Optional(Type.String({ description: "Path of a PEM file." })),
});

type Env = Readonly<Record<string, string | undefined>>;

/** What a model server may offer. */
export type Part = "transcriber" | "synthesizer" | "turnDetector" | "generator";

/** What one server offers of a part. */
export type OfferOf<P extends Part> = NonNullable<DescribeResponse__Output[P]>;

/** As many addresses as anybody lists; each is a connection of every adapter. */
const MOST_SERVERS = 16;

/** Why this machine has no server that offers a part, or those that it has. One that is just starting is waited for, unless told. */
export const findModelServers = async <P extends Part>(
  env: Env,
  deps: ModelServerDeps,
  part: P,
  waits = true,
): Promise<string | ModelServers<P>> => {
  const urls = urlsOf(env);
  if (urls.length === 0)
    return "set MODEL_SERVER_URL to a server of proto/callengine/models/v1 (docs/model-servers.md)";
  if (urls.length > MOST_SERVERS) return `MODEL_SERVER_URL: more than ${MOST_SERVERS} addresses`;
  const connections: ModelServerConnection[] = [];
  try {
    const [token, caPath] = [textOf(env, "MODEL_SERVER_TOKEN"), textOf(env, "MODEL_SERVER_CA")];
    for (const url of urls)
      connections.push(new ModelServerConnection(await readEndpoint({ url, token, caPath }), deps, urls.length > 1));
    const reasons = await askAll(connections, deps, waits);
    for (const reason of reasons) deps.logger.warn("a model server cannot be used", { part, reason });
    const servers = new ModelServers(connections, part);
    if (servers.offers.length > 0) return servers;
    servers.close();
    if (reasons.length > 0) return `MODEL_SERVER_URL: ${reasons.join("; ")}`;
    return "the server at MODEL_SERVER_URL does not offer this";
  } catch (error) {
    for (const one of connections) one.close();
    const isAuthority = error instanceof UnusableEndpoint && error.part === "authority";
    return `${isAuthority ? "MODEL_SERVER_CA" : "MODEL_SERVER_URL"}: ${toError(error).message}`;
  }
};

/** Whether something is offered: nothing is kept open. For descriptors. */
export const isOffered = async <P extends Part>(
  env: Env,
  deps: ModelServerDeps,
  part: P,
  lacks: (offers: readonly OfferOf<P>[]) => string | undefined = () => undefined,
): Promise<true | string> => {
  const found = await findModelServers(env, deps, part);
  if (typeof found === "string") return found;
  found.close();
  return lacks(found.offers) ?? true;
};

/** The servers that offer a part. @throws {ProviderError} when there is none. */
export const needModelServers = async <P extends Part>(
  env: Env,
  deps: ModelServerDeps,
  part: P,
): Promise<ModelServers<P>> => {
  const found = await findModelServers(env, deps, part);
  if (typeof found === "string") throw new ProviderError(MODEL_SERVER, "unavailable", found);
  return found;
};

/** Asks every server of the list whether it is there. @throws {ProviderError} that names those that are not. */
export const checkModelServers = async (env: Env, deps: ModelServerDeps, part: Part): Promise<void> => {
  for (const url of urlsOf(env)) {
    const found = await findModelServers({ ...env, MODEL_SERVER_URL: url }, deps, part, false);
    if (typeof found === "string") throw new ProviderError(MODEL_SERVER, "unavailable", found);
    found.close();
  }
};

/** How long those that have not answered are waited for when one has, in milliseconds. They join later. */
const OTHERS_MS = 500;

/** Asks all what they offer, and gives why some have not answered. */
const askAll = async (
  connections: readonly ModelServerConnection[],
  { clock }: ModelServerDeps,
  waits: boolean,
): Promise<readonly string[]> => {
  const reasons = new Map(connections.map((one) => [one, "has not answered yet"]));
  const asked = connections.map((one) =>
    one.describe(waits).then(
      () => reasons.delete(one),
      (error: unknown) => {
        reasons.set(one, whyNot(error));
        throw error;
      },
    ),
  );
  const all = Promise.allSettled(asked);
  await Promise.any(asked).catch(() => undefined);
  await withDeadline(clock, OTHERS_MS, "the other model servers", all).catch(() => undefined);
  return [...reasons].map(([{ address }, why]) => `${address}: ${why}`);
};

/**
 * Servers of the same models, of which any can do the work of another. Work goes to one that is fit and has the least of it; one that was
 * away, also at the start, is used again as soon as it answers.
 */
export class ModelServers<P extends Part> {
  /** What those offer that answered at the start; not empty in use. */
  readonly offers: readonly OfferOf<P>[];
  readonly #all: readonly ModelServerConnection[];
  readonly #part: P;
  #turn = 0;
  #closed = false;

  constructor(connections: readonly ModelServerConnection[], part: P) {
    this.#all = connections;
    this.#part = part;
    this.offers = connections.flatMap((one) => this.#offerOf(one) ?? []);
  }

  get closed(): boolean {
    return this.#closed;
  }

  /**
   * Those that can do a piece of work, best first: the fit ones, and behind them those that could at some time.
   *
   * @throws {ProviderError} when none can.
   */
  candidates(
    can: (offer: OfferOf<P>) => boolean = () => true,
  ): readonly [ModelServerConnection, ...ModelServerConnection[]] {
    const able = this.#all.filter((one) => {
      const offer = this.#offerOf(one);
      return offer !== undefined && can(offer);
    });
    // Of those with the same load each has its turn.
    this.#turn += 1;
    const order = (one: ModelServerConnection) => (this.#all.indexOf(one) + this.#turn) % this.#all.length;
    const [first, ...rest] = able.toSorted(
      (a, b) => Number(b.fit) - Number(a.fit) || a.load - b.load || order(a) - order(b),
    );
    if (first === undefined || this.#closed)
      throw new ProviderError(MODEL_SERVER, "unavailable", "no model server is there for this");
    return [first, ...rest];
  }

  /** Cuts what is under way. Idempotent. */
  close(): void {
    this.#closed = true;
    for (const one of this.#all) one.close();
  }

  #offerOf(connection: ModelServerConnection): OfferOf<P> | undefined {
    return connection.offers?.[this.#part] ?? undefined;
  }
}

/**
 * Gives what the first of some servers answers. While it has answered nothing, a server that breaks off, or has too much to do, is replaced by the
 * next one; what comes of it later is its caller's to bear.
 *
 * @throws {ProviderError} of the last server that was asked.
 */
export async function* fromFirst<T>(
  servers: readonly ModelServerConnection[],
  ask: (server: ModelServerConnection) => AsyncIterable<T>,
): AsyncGenerator<T, void, undefined> {
  for (const [index, server] of servers.entries()) {
    let begun = false;
    try {
      for await (const answer of ask(server)) {
        begun = true;
        yield answer;
      }
      return;
    } catch (error) {
      const failure =
        error instanceof Error && codeOf(error) === undefined ? error : providerFailure(MODEL_SERVER, error);
      if (begun || index === servers.length - 1 || !mayGoElsewhere(failure)) throw failure;
    }
  }
}

const mayGoElsewhere = (error: Error): boolean =>
  error instanceof ProviderError && (error.kind === "unavailable" || error.kind === "rate-limited");

const textOf = (env: Env, name: string): string | undefined => env[name]?.trim() || undefined;

const urlsOf = (env: Env): readonly string[] => [
  ...new Set((textOf(env, "MODEL_SERVER_URL") ?? "").split(",").flatMap((url) => url.trim() || [])),
];

const whyNot = (error: unknown): string => {
  const code = codeOf(error);
  if (code === status.UNAUTHENTICATED) return "the server refuses the token; check MODEL_SERVER_TOKEN";
  if (code === status.DEADLINE_EXCEEDED || code === status.UNAVAILABLE) {
    const { details } = error as ServiceError;
    const said = code === status.UNAVAILABLE ? ` (${details.trim().slice(0, LONGEST_DETAILS)})` : "";
    return `no server answers there${said}; start it first, and check host and port, grpc:// without TLS and grpcs:// with it, and MODEL_SERVER_CA`;
  }
  return code === undefined ? toError(error).message : `the server answers ${status[code]}`;
};

/** How much is told of what the network said, in UTF-16 units. */
const LONGEST_DETAILS = 160;
