import { status, type UntypedServiceImplementation } from "@grpc/grpc-js";
import type { ModelServerHandlers } from "../grpc/generated/callengine/models/v1/ModelServer.ts";
import { listen, type Listening, type ListenOptions } from "../grpc/listening.ts";
import { MODEL_SERVICE, modelServerProtocol } from "../grpc/protocols.ts";
import { toError } from "../kit/errors.ts";
import type { Logger } from "../ports/logger.ts";
import { describeEngines } from "./describe.ts";
import { detectTurn } from "./detect-turn.ts";
import type { ServedEngines } from "./engines.ts";
import { generate } from "./generate.ts";
import { Refusal, refusalOf } from "./refusal.ts";
import { synthesize } from "./synthesize.ts";
import { transcribe } from "./transcribe.ts";

/** Puts engines within reach of other machines, as `callengine.models.v1`. The engines stay the caller's to close. */
export const serveModels = (
  engines: ServedEngines,
  options: Omit<ListenOptions, "service" | "name" | "handlers"> & Readonly<{ logger: Logger }>,
): Promise<Listening> =>
  listen({
    ...options,
    service: modelServerProtocol().service,
    name: MODEL_SERVICE,
    handlers: handlersOf(engines, options.logger),
  });

const handlersOf = (engines: ServedEngines, logger: Logger): ModelServerHandlers & UntypedServiceImplementation => {
  const description = describeEngines(engines);
  const { transcriber, synthesizers, turnDetector, models } = engines;
  return {
    Describe: (_, answer) => answer(null, description),
    Transcribe: (call) =>
      void serve(call, logger, async () => {
        await transcribe(transcriber ?? missing("transcriber"), call);
      }),
    Synthesize: (call) =>
      void serve(call, logger, async (signal) => {
        await synthesize(synthesizers, call, signal);
      }),
    DetectTurn: (call) =>
      void serve(call, logger, async () => {
        await detectTurn(turnDetector ?? missing("turn detector"), call);
      }),
    Generate: (call) =>
      void serve(call, logger, async (signal) => {
        await generate(models, call, signal);
      }),
  };
};

const missing = (what: string): never => {
  throw new Refusal(status.UNIMPLEMENTED, `this server has no ${what}`);
};

type Stream = Readonly<{
  cancelled: boolean;
  once(event: "cancelled", listener: () => void): unknown;
  end(): unknown;
  emit(event: "error", error: Error): boolean;
}>;

/** Lets one stream be served to its end; never rejects. The signal aborts when the client has gone. */
const serve = async (call: Stream, logger: Logger, work: (signal: AbortSignal) => Promise<void>): Promise<void> => {
  const gone = new AbortController();
  call.once("cancelled", () => {
    gone.abort();
  });
  try {
    await work(gone.signal);
    call.end();
  } catch (error) {
    if (call.cancelled) return;
    const refusal = refusalOf(error);
    if (refusal.cause !== undefined) logger.warn("an engine failed a stream", { error: toError(refusal.cause) });
    call.emit("error", refusal);
  }
};
