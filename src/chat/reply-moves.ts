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
