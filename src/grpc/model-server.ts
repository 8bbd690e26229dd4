import { status, type Metadata } from "@grpc/grpc-js";
import { toError } from "../kit/errors.ts";
import type { Clock, Timer } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import { cancelCall } from "./cancel-call.ts";
import { CLIENT_OPTIONS, metadataFor, type Endpoint } from "./endpoint.ts";
import type { DescribeResponse__Output } from "./generated/callengine/models/v1/DescribeResponse.ts";
import type { ModelServerClient } from "./generated/callengine/models/v1/ModelServer.ts";
import type { HealthClient } from "./generated/grpc/health/v1/Health.ts";
import { healthProtocol, MODEL_SERVICE, modelServerProtocol } from "./protocols.ts";
import { codeOf } from "./provider-failure.ts";

/** The name of every adapter that a model server stands behind. */
export const MODEL_SERVER = "model-server";

export type ModelServerDeps = Readonly<{ clock: Clock; logger: Logger }>;

/** A stream or request under way. */
type Call = Readonly<{
  cancel(): void;
  on(event: "close" | "end" | "error" | "status", listener: (what: unknown) => void): unknown;
}>;

const DESCRIBE_MS = 5000;

/** A server that answers no question of health by then is not there, whatever TCP believes. */
const HEALTH_MS = 2000;
const HEALTH_EVERY_MS = 5000;

/** How long a server that says that it has too much to do is spared, in milliseconds. */
const BUSY_MS = 1000;

/** A server says by itself that it should not be used. */
export class NotServing extends Error {
  override readonly name = "NotServing";
}

/**
 * One adapter's connection to one model server. Its health is asked while calls are under way, while it is not fit, and always where there are
 * others that could do its work. When it does not answer, the calls are cut and a new connection is made: TCP alone would notice a machine
 * that is gone after a quarter of an hour.
 */
export class ModelServerConnection {
  readonly #endpoint: Endpoint;
  readonly #deps: ModelServerDeps;
  readonly #hasOthers: boolean;
  readonly #calls = new Set<Call>();
  #client: ModelServerClient;
  #health: HealthClient;
  #timer: Timer | undefined;
  #offers: DescribeResponse__Output | undefined;
  #fit = false;
  #busyUntilMs = 0;
  #closed = false;

  constructor(endpoint: Endpoint, deps: ModelServerDeps, hasOthers: boolean) {
    this.#endpoint = endpoint;
    this.#deps = deps;
    this.#hasOthers = hasOthers;
    [this.#client, this.#health] = this.#connect();
  }

  get client(): ModelServerClient {
    return this.#client;
  }

  /** `host:port`, for people. */
  get address(): string {
    return this.#endpoint.target;
  }

  /** What the server said that it offers, once it was asked. */
  get offers(): DescribeResponse__Output | undefined {
    return this.#offers;
  }

  /** Whether work should go to it: it serves, as far as is known, and has room. */
  get fit(): boolean {
    return this.#fit && this.#deps.clock.monotonic() >= this.#busyUntilMs;
  }

  /** How many streams and requests are under way. */
  get load(): number {
    return this.#calls.size;
  }

  metadata(): Metadata {
    return metadataFor(this.#endpoint);
  }

  /** The moment by which a request has to be over, as grpc-js takes it. */
  deadline(ms: number): Date {
    return new Date(this.#deps.clock.now() + ms);
  }

  /**
   * Asks what the server offers; rejects when it does not answer within five seconds, or is not serving, and where it is not to wait, when nobody
   * listens there. From then on, however it went, its health is watched.
   */
  async describe(waits: boolean): Promise<DescribeResponse__Output> {
    try {
      return await this.#describe(waits);
    } finally {
      this.#watch();
    }
  }

  /** Watches over a call until it is over, and learns from how it ends. */
  keep<T extends Call>(call: T): T {
    this.#calls.add(call);
    const over = () => {
      this.#calls.delete(call);
    };
    for (const event of ["close", "end", "error", "status"] as const) call.on(event, over);
    call.on("error", (error) => {
      const code = codeOf(error);
      if (code === status.UNAVAILABLE) this.#fail(error);
      else if (code === status.RESOURCE_EXHAUSTED) this.#busyUntilMs = this.#deps.clock.monotonic() + BUSY_MS;
    });
    this.#watch();
    return call;
  }

  /** Cuts what is under way. Idempotent. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#timer?.cancel();
    this.#cut();
  }

  #watch(): void {
    if (this.#closed || (this.#fit && !this.#hasOthers && this.#calls.size === 0)) return;
    this.#timer ??= this.#deps.clock.setTimer(HEALTH_EVERY_MS, () => {
      this.#timer = undefined;
      if (!this.#fit || this.#hasOthers || this.#calls.size > 0) void this.#look();
    });
  }

  async #look(): Promise<void> {
    try {
      if (this.#offers === undefined) await this.#describe(false);
      else await this.#serving(HEALTH_MS, false);
      if (!this.#fit) this.#deps.logger.info("a model server is back", { provider: MODEL_SERVER, name: this.address });
      this.#fit = true;
    } catch (error) {
      if (this.#closed) return;
      this.#fail(error);
      if (codeOf(error) === status.DEADLINE_EXCEEDED) {
        this.#cut();
        [this.#client, this.#health] = this.#connect();
      }
    }
    this.#watch();
  }

  #fail(error: unknown): void {
    if (this.#closed) return;
    const known = { provider: MODEL_SERVER, name: this.address, error: toError(error) };
    if (this.#fit) this.#deps.logger.warn("a model server does not answer", known);
    this.#fit = false;
    this.#watch();
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

  async #describe(wait: boolean): Promise<DescribeResponse__Output> {
    try {
      await this.#serving(DESCRIBE_MS, wait);
    } catch (error) {
      if (!wait || codeOf(error) !== status.DEADLINE_EXCEEDED) throw error;
      // A wait that was in vain does not say for what; a question that does not wait does.
      await this.#serving(HEALTH_MS, false);
    }
    this.#offers = await new Promise<DescribeResponse__Output>((resolve, reject) => {
      this.#client.Describe({}, this.metadata(), { deadline: this.deadline(DESCRIBE_MS) }, (error, answer) => {
        if (answer === undefined) reject(error ?? new NotServing("the server answered nothing"));
        else resolve(answer);
      });
    });
    this.#fit = true;
    return this.#offers;
  }

  /** Rejects with the server's status; NOT_FOUND and UNIMPLEMENTED are those of servers that do not know the health of one service. */
  #serving(ms: number, wait: boolean): Promise<void> {
    const metadata = this.metadata();
    metadata.setOptions({ waitForReady: wait });
    return new Promise((resolve, reject) => {
      const request = { service: MODEL_SERVICE };
      this.#health.Check(request, metadata, { deadline: this.deadline(ms) }, (error, answer) => {
        if (error?.code === status.NOT_FOUND || error?.code === status.UNIMPLEMENTED) resolve();
        else if (error !== null) reject(error);
        else if (answer?.status === "SERVING") resolve();
        else reject(new NotServing("the server says that it is not serving"));
      });
    });
  }
}
