import { status, type Metadata } from "@grpc/grpc-js";
import { Type } from "typebox";
import { toError } from "../kit/errors.ts";
import type { Clock, Timer } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import { cancelCall } from "./cancel-call.ts";
import { CLIENT_OPTIONS, metadataFor, readEndpoint, type Endpoint } from "./endpoint.ts";
import type { DescribeResponse__Output } from "./generated/callengine/models/v1/DescribeResponse.ts";
import type { ModelServerClient } from "./generated/callengine/models/v1/ModelServer.ts";
import type { HealthClient } from "./generated/grpc/health/v1/Health.ts";
import { healthProtocol, MODEL_SERVICE, modelServerProtocol } from "./protocols.ts";
import { codeOf } from "./provider-failure.ts";

/** The name of every adapter that a model server stands behind. */
export const MODEL_SERVER = "model-server";

/** The variables that name the server. */
export const MODEL_SERVER_ENV = Type.Object({
  MODEL_SERVER_URL: Type.Optional(Type.String({ pattern: "^grpcs?://" })),
  MODEL_SERVER_TOKEN: Type.Optional(Type.String({ minLength: 1 })),
  MODEL_SERVER_CA: Type.Optional(Type.String({ description: "Path of a PEM file." })),
});

type Env = Readonly<Record<string, string | undefined>>;

type Deps = Readonly<{ clock: Clock; logger: Logger }>;

/** A stream or request under way. */
type Call = Readonly<{
  cancel(): void;
  on(event: "close" | "end" | "error" | "status", listener: () => void): unknown;
}>;

const DESCRIBE_MS = 5000;

/** A server that answers no question of health by then is not there, whatever TCP believes. */
const HEALTH_MS = 2000;
const HEALTH_EVERY_MS = 5000;

/** Why this machine has no server of that kind, or what it offers. */
export const describeModelServer = async <Part extends "transcriber" | "synthesizer" | "turnDetector" | "generator">(
  env: Env,
  deps: Deps,
  part: Part,
): Promise<
  string | Readonly<{ connection: ModelServerConnection; offers: NonNullable<DescribeResponse__Output[Part]> }>
> => {
  const url = textOf(env, "MODEL_SERVER_URL");
  if (url === undefined)
    return "set MODEL_SERVER_URL to a server of proto/callengine/models/v1 (docs/model-servers.md)";
  let connection: ModelServerConnection | undefined;
  try {
    const [token, caPath] = [textOf(env, "MODEL_SERVER_TOKEN"), textOf(env, "MODEL_SERVER_CA")];
    connection = new ModelServerConnection(await readEndpoint({ url, token, caPath }), deps);
    const offers = (await connection.describe())[part];
    if (offers) return { connection, offers };
    connection.close();
    return "the server at MODEL_SERVER_URL does not offer this";
  } catch (error) {
    connection?.close();
    const reason = `MODEL_SERVER_URL: ${whyNot(error)}`;
    deps.logger.warn("the model server cannot be used", { part, reason });
    return reason;
  }
};

/**
 * One adapter's connection to a model server. While calls are under way the server is asked for its health, and when it does not answer
 * the calls are cut and a new connection is made: TCP alone would notice a machine that is gone after a quarter of an hour.
 */
export class ModelServerConnection {
  readonly #endpoint: Endpoint;
  readonly #deps: Deps;
  readonly #calls = new Set<Call>();
  #client: ModelServerClient;
  #health: HealthClient;
  #timer: Timer | undefined;
  #closed = false;

  constructor(endpoint: Endpoint, deps: Deps) {
    this.#endpoint = endpoint;
    this.#deps = deps;
    [this.#client, this.#health] = this.#connect();
  }

  get client(): ModelServerClient {
    return this.#client;
  }

  get closed(): boolean {
    return this.#closed;
  }

  metadata(): Metadata {
    return metadataFor(this.#endpoint);
  }

  /** The moment by which a request has to be over, as grpc-js takes it. */
  deadline(ms: number): Date {
    return new Date(this.#deps.clock.now() + ms);
  }

  /** What the server offers; rejects when it does not answer within five seconds, or is not serving. */
  async describe(): Promise<DescribeResponse__Output> {
    const health = await this.#check(DESCRIBE_MS, true);
    if (health !== "SERVING") throw new NotServing("the server says that it is not serving");
    return new Promise((resolve, reject) => {
      this.#client.Describe({}, this.metadata(), { deadline: this.deadline(DESCRIBE_MS) }, (error, answer) => {
        if (answer === undefined) reject(error ?? new NotServing("the server answered nothing"));
        else resolve(answer);
      });
    });
  }

  /** Watches over a call until it is over. */
  keep<T extends Call>(call: T): T {
    this.#calls.add(call);
    const over = () => {
      this.#calls.delete(call);
    };
    for (const event of ["close", "end", "error", "status"] as const) call.on(event, over);
    this.#timer ??= this.#schedule();
    return call;
  }

  /** Cuts what is under way. Idempotent. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#timer?.cancel();
    this.#cut();
  }

  #schedule(): Timer {
    return this.#deps.clock.setTimer(HEALTH_EVERY_MS, () => {
      this.#timer = undefined;
      if (this.#calls.size > 0) void this.#look();
    });
  }

  async #look(): Promise<void> {
    try {
      await this.#check(HEALTH_MS, false);
    } catch (error) {
      if (this.#closed) return;
      if (codeOf(error) === status.DEADLINE_EXCEEDED) {
        this.#deps.logger.warn("the model server does not answer; connecting anew", { provider: MODEL_SERVER });
        this.#cut();
        [this.#client, this.#health] = this.#connect();
      } else this.#deps.logger.debug("the model server's health is not known", { error: toError(error) });
    }
    if (!this.#closed && this.#calls.size > 0) this.#timer ??= this.#schedule();
  }

  #cut(): void {
    for (const call of this.#calls) cancelCall(call);
    this.#calls.clear();
    this.#client.close();
    this.#health.close();
  }

  #connect(): [ModelServerClient, HealthClient] {
    const { target, credentials } = this.#endpoint;
    const [Models, Health] = [modelServerProtocol(), healthProtocol()];
    const client = new Models(target, credentials, CLIENT_OPTIONS);
    return [client, new Health(target, credentials, { ...CLIENT_OPTIONS, channelOverride: client.getChannel() })];
  }

  /** Rejects with the server's status; NOT_FOUND and UNIMPLEMENTED are those of servers that do not know the health of one service. */
  #check(ms: number, wait: boolean): Promise<string | undefined> {
    const metadata = this.metadata();
    metadata.setOptions({ waitForReady: wait });
    return new Promise((resolve, reject) => {
      const request = { service: MODEL_SERVICE };
      this.#health.Check(request, metadata, { deadline: this.deadline(ms) }, (error, answer) => {
        if (error === null) resolve(answer?.status);
        else if (error.code === status.NOT_FOUND || error.code === status.UNIMPLEMENTED) resolve("SERVING");
        else reject(error);
      });
    });
  }
}

class NotServing extends Error {
  override readonly name = "NotServing";
}

const textOf = (env: Env, name: string): string | undefined => env[name]?.trim() || undefined;

const whyNot = (error: unknown): string => {
  const code = codeOf(error);
  if (code === status.UNAUTHENTICATED) return "the server refuses the token; check MODEL_SERVER_TOKEN";
  if (code === status.DEADLINE_EXCEEDED || code === status.UNAVAILABLE)
    return "no server answers there; start it first, and check host, port, TLS and MODEL_SERVER_CA";
  return code === undefined ? toError(error).message : `the server answers ${status[code]}`;
};
