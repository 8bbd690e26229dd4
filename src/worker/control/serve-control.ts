import {
  status,
  type CallOptions,
  type Metadata,
  type ServerUnaryCall,
  type sendUnaryData,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import type { CallControlClient, CallControlHandlers } from "../../grpc/generated/callengine/control/v1/CallControl.ts";
import { listen, type Listening, type ListenOptions } from "../../grpc/listening.ts";
import { CONTROL_SERVICE, callControlProtocol } from "../../grpc/protocols.ts";
import { toError } from "../../kit/errors.ts";
import type { ProcessAddress } from "../../ports/call-registry.ts";
import type { Logger } from "../../ports/logger.ts";
import { codeOf } from "../../grpc/provider-failure.ts";
import { ControlRefusal } from "./control-refusal.ts";
import type { LocalCalls } from "./local-calls.ts";
import { FORWARDED, type OtherProcesses } from "./other-processes.ts";
import { watchCall, type WatchDeps } from "./watch-call.ts";

export type ControlParts = WatchDeps &
  Readonly<{
    logger: Logger;
    self: ProcessAddress;
    calls: LocalCalls;
    others: OtherProcesses;
    /** Lets this process take no new calls. */
    drain(): void;
  }>;

/** Serves `callengine.control.v1` for the calls of this process, and passes on what concerns those of others. */
export const serveControl = (
  parts: ControlParts,
  listening: Omit<ListenOptions, "service" | "name" | "handlers" | "clock">,
): Promise<Listening> =>
  listen({
    ...listening,
    clock: parts.clock,
    service: callControlProtocol().service,
    name: CONTROL_SERVICE,
    handlers: handlersOf(parts),
  });

type OneCall = "Say" | "HangUp" | "Transfer" | "PauseAgent";

const handlersOf = (parts: ControlParts): CallControlHandlers & UntypedServiceImplementation => {
  const { calls } = parts;
  return {
    ListCalls: (call, answer) => void reply(parts, answer, () => list(parts, call.request.hereOnly)),
    WatchCall: (call) => void watchCall(parts, call),
    Say: onCall(parts, "Say", (request) => calls.say(request.dialId, request.text)),
    HangUp: onCall(parts, "HangUp", (request) => calls.hangUp(request.dialId)),
    Transfer: onCall(parts, "Transfer", (request) => calls.transfer(request.dialId, request.to)),
    PauseAgent: onCall(parts, "PauseAgent", (request) => calls.pause(request.dialId, request.paused)),
    Drain: (call, answer) => void reply(parts, answer, () => drain(parts, call.request.process, call.metadata)),
  };
};

/** Here, if the call is here; else where it is. */
const onCall =
  <Request extends Readonly<{ dialId: string }>>(
    parts: ControlParts,
    method: OneCall,
    here: (request: Request) => void,
  ) =>
  (call: ServerUnaryCall<Request, object>, answer: sendUnaryData<object>): void =>
    void reply(parts, answer, async () => {
      const { request } = call;
      if (parts.calls.has(request.dialId)) here(request);
      else {
        const owner = isForwarded(call.metadata) ? undefined : await parts.others.holding(request.dialId);
        if (owner === undefined) throw new ControlRefusal(status.NOT_FOUND, "no process holds this call now");
        await parts.others.ask(owner, (client, metadata, options, done) => {
          (client[method] as Asking<Request>).call(client, request, metadata, options, done);
        });
      }
      return {};
    });

type Asking<Request> = (
  this: CallControlClient,
  request: Request,
  metadata: Metadata,
  options: CallOptions,
  done: (error: Error | null, answer?: object) => void,
) => void;

const list = async ({ calls, others, self }: ControlParts, hereOnly: boolean) => {
  const here = calls.list(self.name);
  if (hereOnly) return { calls: here, silentProcesses: [] };
  const silentProcesses: string[] = [];
  const elsewhere = await Promise.all(
    (await others.all()).map(async (process) => {
      try {
        const answer = await others.ask<{ calls?: typeof here }>(process, (client, metadata, options, done) => {
          client.ListCalls({ hereOnly: true }, metadata, options, done);
        });
        return answer.calls ?? [];
      } catch {
        silentProcesses.push(process.name);
        return [];
      }
    }),
  );
  return { calls: [...here, ...elsewhere.flat()], silentProcesses };
};

const drain = async ({ others, self, calls, ...parts }: ControlParts, name: string, metadata: Metadata) => {
  if (name === "" || name === self.name) {
    parts.drain();
    return { calls: calls.size };
  }
  const process = isForwarded(metadata) ? undefined : (await others.all()).find((one) => one.name === name);
  if (process === undefined)
    throw new ControlRefusal(status.NOT_FOUND, "there is no process of that name; list tells them");
  return others.ask<{ calls?: number }>(process, (client, given, options, done) => {
    client.Drain({ process: name }, given, options, done);
  });
};

const isForwarded = (metadata: Metadata): boolean => metadata.get(FORWARDED).length > 0;

const reply = async <Answer>(
  { logger }: ControlParts,
  answer: sendUnaryData<Answer>,
  work: () => Promise<Answer>,
): Promise<void> => {
  try {
    answer(null, await work());
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) logger.error("an order could not be carried out", { error: toError(error) });
    answer({
      code: code ?? status.INTERNAL,
      details: error instanceof ControlRefusal ? error.details : "the order could not be passed on or carried out",
    });
  }
};
