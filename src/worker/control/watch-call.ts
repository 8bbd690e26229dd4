import { status, type ServerWritableStream } from "@grpc/grpc-js";
import type { CallEvent } from "../../grpc/generated/callengine/control/v1/CallEvent.ts";
import type { WatchCallRequest__Output } from "../../grpc/generated/callengine/control/v1/WatchCallRequest.ts";
import { written } from "../../grpc/writing.ts";
import { toError } from "../../kit/errors.ts";
import { withDeadline, type Clock } from "../../ports/clock.ts";
import type { LiveState } from "../../ports/live.ts";
import type { Logger } from "../../ports/logger.ts";
import type { DialStore } from "../../ports/store.ts";

export type WatchDeps = Readonly<{
  clock: Clock;
  logger: Logger;
  live: Pick<LiveState, "follow">;
  dials: Pick<DialStore, "peek">;
}>;

const LOOK_MS = 2000;

/** Tells what happens in a call, whoever holds it, until it is over or the watcher has gone. Never rejects. */
export const watchCall = async (
  { clock, logger, live, dials }: WatchDeps,
  call: ServerWritableStream<WatchCallRequest__Output, CallEvent>,
): Promise<void> => {
  const gone = new AbortController();
  call.once("cancelled", () => {
    gone.abort();
  });
  const { dialId, afterId } = call.request;
  try {
    const dial = await withDeadline(clock, LOOK_MS, "looking for a dial", dials.peek(dialId));
    if (dial === undefined || dial.state === "ENDED") {
      call.emit("error", { code: status.NOT_FOUND, details: "there is no such call, or it is over" });
      return;
    }
    for await (const { id, event } of live.follow(dialId, afterId === "" ? undefined : afterId, gone.signal))
      await written(call, { id, json: JSON.stringify(event) });
    call.end();
  } catch (error) {
    logger.warn("a call could not be watched", { dialId, error: toError(error) });
    call.emit("error", { code: status.UNAVAILABLE, details: "the call cannot be watched now" });
  }
};
