import { toError } from "../kit/errors.ts";
import type { Scope } from "../kit/scope.ts";
import type { LiveState } from "../ports/live.ts";
import type { Logger } from "../ports/logger.ts";
import type { HeldDial } from "./held-dial.ts";
import type { Tape } from "./tape.ts";

/** Hands what other processes ask and tell of a call to whoever holds it until the scope closes; without them the call goes on unasked. */
export const hearCommands = (
  { live, logger }: Readonly<{ live: LiveState; logger: Logger }>,
  held: HeldDial,
  scope: Scope,
  tape: Pick<Tape, "change">,
): void => {
  const { dialId } = held.claim;
  live
    .onCommand(dialId, (command) => {
      if (command.type === "answered-by") held.answerer.resolve(command.by);
      else if (command.type === "recording") tape.change(command.action);
      else held.inbox.put({ type: "command", command });
    })
    .then(
      (stop) => {
        scope.onClose(stop);
      },
      (error: unknown) => {
        logger.warn("a dial cannot hear commands", { dialId, error: toError(error) });
      },
    );
};
