import type { ClientDuplexStream } from "@grpc/grpc-js";
import { encodeLinear16 } from "../../../audio/linear16.ts";
import { cancelCall } from "../../../grpc/cancel-call.ts";
import type { DetectTurnRequest } from "../../../grpc/generated/callengine/models/v1/DetectTurnRequest.ts";
import type { DetectTurnResponse__Output } from "../../../grpc/generated/callengine/models/v1/DetectTurnResponse.ts";
import { MODEL_SERVER, type ModelServerConnection } from "../../../grpc/model-server.ts";
import {
  checkModelServers,
  fromFirst,
  isOffered,
  MODEL_SERVER_ENV,
  needModelServers,
  type ModelServers,
  type OfferOf,
} from "../../../grpc/model-servers.ts";
import { providerFailure } from "../../../grpc/provider-failure.ts";
import type { Descriptor } from "../../../ports/descriptor.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import type { TurnDetector } from "../../../ports/turn-detector.ts";
import { HEARING_RATE } from "../../../ports/vad.ts";

/** A turn's end that is judged later than this has been decided without it. */
const JUDGE_MS = 1000;

/** More that wait could not be answered in time. */
const MOST_WAITING = 64;

/** Bytes of sound in one message, as the protocol has it. */
const PART_BYTES = 32 * 1024;

const LONGEST_WINDOW_MS = 30_000;

/** Servers that do not say how much they look at are sent this much. */
const USUAL_WINDOW_MS = 8000;

type Stream = ClientDuplexStream<DetectTurnRequest, DetectTurnResponse__Output>;

class ModelServerTurnDetector implements TurnDetector {
  readonly name = MODEL_SERVER;
  readonly windowMs: number;
  readonly #servers: ModelServers<"turnDetector">;
  #waiting = 0;

  constructor(servers: ModelServers<"turnDetector">) {
    this.#servers = servers;
    this.windowMs = Math.min(LONGEST_WINDOW_MS, ...servers.offers.map(windowOf));
  }

  async judge(samples: Int16Array): Promise<number> {
    if (this.#waiting >= MOST_WAITING || this.#servers.closed)
      throw new ProviderError(this.name, "unavailable", "the model server is closed, or too many turns wait for it");
    this.#waiting += 1;
    try {
      const audio = encodeLinear16(samples.slice(-Math.round((this.windowMs * HEARING_RATE) / 1000)));
      const able = this.#servers.candidates((offer) => windowOf(offer) >= this.windowMs);
      const { value } = await fromFirst(able, (server) => this.#ask(server, audio)).next();
      if (typeof value === "number") return value;
      throw new ProviderError(this.name, "unavailable", "the model server ended the stream without a judgement");
    } finally {
      this.#waiting -= 1;
    }
  }

  async close(): Promise<void> {
    this.#servers.close();
  }

  async *#ask(server: ModelServerConnection, audio: Uint8Array): AsyncGenerator<number, void, undefined> {
    const call = server.keep(server.client.DetectTurn(server.metadata(), { deadline: server.deadline(JUDGE_MS) }));
    let probability: number;
    try {
      probability = await this.#answerTo(call, audio);
    } catch (error) {
      throw providerFailure(this.name, error);
    } finally {
      cancelCall(call);
    }
    yield probability;
  }

  async #answerTo(call: Stream, audio: Uint8Array): Promise<number> {
    // A third of a megabyte at the most, which the stream may hold whole.
    for (let from = 0; from < audio.length; from += PART_BYTES)
      call.write({ audio: audio.subarray(from, from + PART_BYTES) });
    call.write({ judge: true });
    call.end();
    const answers = (call as AsyncIterable<DetectTurnResponse__Output>)[Symbol.asyncIterator]();
    const answer = await answers.next();
    if (answer.done === true)
      throw new ProviderError(this.name, "unavailable", "the model server ended the stream without a judgement");
    const { probability } = answer.value;
    if (probability >= 0 && probability <= 1) return probability;
    throw new ProviderError(this.name, "unavailable", "the model server judged by a number that is no probability");
  }
}

const windowOf = ({ windowMs }: OfferOf<"turnDetector">): number => windowMs || USUAL_WINDOW_MS;

/** A model server that hears whether turns are over. */
export default {
  name: MODEL_SERVER,
  env: MODEL_SERVER_ENV,
  available: (env, deps) => isOffered(env, deps, "turnDetector"),
  create: async (env, deps) => new ModelServerTurnDetector(await needModelServers(env, deps, "turnDetector")),
  check: (env, deps) => checkModelServers(env, deps, "turnDetector"),
} satisfies Descriptor<TurnDetector>;
