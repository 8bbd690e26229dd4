import type { Clock } from "../ports/clock.ts";
import type { Scope } from "../kit/scope.ts";
import type { Logger } from "../ports/logger.ts";
import type { Transport } from "../ports/transport.ts";
import type { HeldDial } from "./held-dial.ts";
import type { Lines } from "./lines.ts";
import { ResumableLine } from "./resumable-line.ts";

/**
 * The line of a held dial for as long as `scope` lives: one that may be resumed where the carrier comes back after a broken socket,
 * other lines as they are.
 */
export const keepLine = (
  deps: Readonly<{ clock: Clock; logger: Logger; lines: Lines }>,
  held: HeldDial,
  first: Transport,
  scope: Scope,
): Transport => {
  if (held.carrier.connect === undefined) return first;
  const { dialId, epoch } = held.claim;
  const line = new ResumableLine({ clock: deps.clock, first, mayReturn: () => held.transferring });
  let withdraw = (): void => undefined;
  const expect = () => {
    withdraw = deps.lines.expect(dialId, epoch, (next) => {
      // Its ticket says whose it is; some carriers do not name the call besides.
      const { callId = next.carrierCallId } = held;
      if ((next.carrierCallId ?? callId) !== callId || !line.resume(next)) return false;
      deps.logger.info("a broken media line came back", { dialId });
      // The taken line ends this expectation once we return.
      queueMicrotask(() => {
        if (!scope.closed) expect();
      });
      return true;
    });
  };
  expect();
  scope.onClose(() => withdraw());
  held.line = line;
  return line;
};
