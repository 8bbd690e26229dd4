import { status, type CallOptions, type Metadata } from "@grpc/grpc-js";
import { toError } from "../../kit/errors.ts";
import { CLIENT_OPTIONS, metadataFor, readEndpoint } from "../../grpc/endpoint.ts";
import type { CallControlClient } from "../../grpc/generated/callengine/control/v1/CallControl.ts";
import { callControlProtocol } from "../../grpc/protocols.ts";
import type { CallRegistry, ProcessAddress } from "../../ports/call-registry.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import { ControlRefusal } from "./control-refusal.ts";

export type OtherProcessesParts = Readonly<{
  clock: Clock;
  logger: Logger;
  registry: CallRegistry;
  /** The name of this process. */
  self: string;
  token: string;
  caPath?: string | undefined;
}>;

/** The metadata that marks a request as passed on. */
export const FORWARDED = "x-call-engine-forwarded";

const ANSWER_MS = 2000;

type Ask<Answer> = (
  client: CallControlClient,
  metadata: Metadata,
  options: CallOptions,
  done: (error: Error | null, answer?: Answer) => void,
) => void;

/** The control of the other processes of the deployment, which have the same token. */
export class OtherProcesses {
  readonly #parts: OtherProcessesParts;

  constructor(parts: OtherProcessesParts) {
    this.#parts = parts;
  }

  /** Which other process holds a dial. Rejects when the registry is away. */
  async holding(dialId: string): Promise<ProcessAddress | undefined> {
    const owner = await this.#known(this.#parts.registry.ownerOf(dialId));
    return owner?.name === this.#parts.self ? undefined : owner;
  }

  /** All others. Rejects when the registry is away. */
  async all(): Promise<readonly ProcessAddress[]> {
    const processes = await this.#known(this.#parts.registry.processes());
    return processes.filter(({ name }) => name !== this.#parts.self);
  }

  /** One request, over a connection of its own: orders are rare. Rejects with the other side's status, or after two seconds. */
  async ask<Answer>({ controlUrl }: ProcessAddress, ask: Ask<Answer>): Promise<Answer> {
    const { clock, token, caPath } = this.#parts;
    if (controlUrl === undefined)
      throw new ControlRefusal(status.UNAVAILABLE, "the process that holds this call takes no orders (CONTROL_LISTEN)");
    const endpoint = await readEndpoint({ url: controlUrl, token, caPath });
    const client = new (callControlProtocol())(endpoint.target, endpoint.credentials, CLIENT_OPTIONS);
    const metadata = metadataFor(endpoint);
    metadata.set(FORWARDED, "1");
    try {
      return await new Promise<Answer>((resolve, reject) => {
        ask(client, metadata, { deadline: new Date(clock.now() + ANSWER_MS) }, (error, answer) => {
          if (answer === undefined) reject(asRefusal(error));
          else resolve(answer);
        });
      });
    } finally {
      client.close();
    }
  }

  async #known<T>(found: Promise<T>): Promise<T> {
    try {
      return await found;
    } catch (error) {
      this.#parts.logger.warn("it is not known who holds which call", { error: toError(error) });
      throw new ControlRefusal(status.UNAVAILABLE, "the registry of calls (REDIS_URL) does not answer");
    }
  }
}

/** What the other process answered, in its own words; they are ours. */
const asRefusal = (error: Error | null): Error => {
  if (error === null || !("code" in error) || !("details" in error)) return error ?? new Error("no answer");
  const code = error.code as status;
  if (code === status.DEADLINE_EXCEEDED || code === status.UNAVAILABLE || typeof error.details !== "string")
    return new ControlRefusal(status.UNAVAILABLE, "the process that holds this call cannot be reached");
  return new ControlRefusal(code, error.details);
};
