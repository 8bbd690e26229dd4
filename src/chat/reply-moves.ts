import { PRESS_DIGITS } from "../dialogue/functions.ts";
import type { CallHappening } from "../call/events.ts";
import type { ReplySource } from "../call/effects.ts";
import type { Dialogue, DialogueMove } from "../dialogue/dialogue.ts";

/** What an agent does in one reply. */
export const movesOf = (dialogue: Dialogue, source: ReplySource, signal: AbortSignal): AsyncIterable<DialogueMove> => {
  switch (source.type) {
    case "opening":
      return dialogue.open(signal);
    case "dialogue":
      return dialogue.respond(source.history, signal);
    case "text":
      return saying(source.text);
  }
};

async function* saying(text: string): AsyncGenerator<DialogueMove> {
  yield { type: "say", text };
}

/** A move of the dialogue as what happens to the reply that it belongs to. */
export const happeningOf = (reply: number, move: DialogueMove): CallHappening => {
  switch (move.type) {
    case "say":
      return { type: "reply-said", reply, text: move.text };
    case "call":
      return { type: "reply-called", reply, call: move.call };
    case "press-digits": {
      const { name } = PRESS_DIGITS;
      return { type: "reply-pressed", reply, call: { id: name, name, args: JSON.stringify({ digits: move.digits }) } };
    }
    case "move":
      return { ...move, type: "reply-moved", reply };
    case "hang-up":
      return { type: "reply-hangs-up", reply, reason: move.reason };
  }
};
