import type { PrepareCall } from "../call/call.ts";
import type { Clock } from "../ports/clock.ts";
import type { DialTraces } from "./dial-traces.ts";

/** Calls as `prepare` makes them, traced from their answer to their end. */
export const traceCalls =
  (prepare: PrepareCall, traces: DialTraces, clock: Pick<Clock, "now">): PrepareCall =>
  (plan, journal, transfer) => {
    let answeredAtMs = clock.now();
    const { dialId } = plan;
    const prepared = prepare(
      plan,
      traces.journal(dialId, journal, () => answeredAtMs),
      traces.transferring(dialId, transfer),
    );
    return {
      answer: (line, recording) => {
        answeredAtMs = clock.now();
        const handle = prepared.answer(line, recording);
        void handle.finished.then((end) => {
          traces.talked(plan, answeredAtMs, end);
        });
        return handle;
      },
      discard: () => prepared.discard(),
    };
  };
