import type { Logger } from "../../ports/logger.ts";
import type { DialogueMove } from "../dialogue.ts";
import { PRESS_DIGITS } from "../functions.ts";
import { readKeys } from "../keys.ts";
import type { Position } from "./position.ts";

/** Presses a node's keys, once a visit. Macros may have brought in what no telephone has; nothing is pressed then. */
export function* pressOnce(position: Position, text: string, logger: Logger | undefined): Generator<DialogueMove> {
  if (!position.fresh && wasPressed(position)) return;
  const digits = readKeys(text);
  if (digits === undefined) logger?.warn("a flow's keys are none; nothing is pressed", { reason: "invalid_digits" });
  else yield { type: "press-digits", digits };
}

const wasPressed = ({ since }: Position): boolean =>
  since.some(
    (exchange) => exchange.speaker === "agent" && (exchange.calls ?? []).some(({ name }) => name === PRESS_DIGITS.name),
  );
