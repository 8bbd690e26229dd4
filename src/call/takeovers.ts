import type { Takeover } from "../model/takeover.ts";
import type { TurnRecord } from "../model/turn-record.ts";
import type { Draft } from "./draft.ts";

/**
 * Where providers' fallbacks tell that one took over from another, and the call hears of it. One per call; what is told before the
 * call listens, or after its end, is not kept.
 */
export class Takeovers {
  #listener: (takeover: Takeover) => void = () => undefined;

  readonly note = (takeover: Takeover): void => {
    this.#listener(takeover);
  };

  listen(listener: (takeover: Takeover) => void): void {
    this.#listener = listener;
  }
}

/** In one turn; a provider that fails with every piece of a long reply could fill its record. */
const MOST_OF_A_TURN = 20;

/** Belongs to the reply under way, else to the next one, which it was in the way of. */
export const tookOver = (draft: Draft, takeover: Takeover): void => {
  const { reply, takeovers } = draft.state;
  if (reply === undefined) draft.set({ takeovers: [...takeovers, takeover].slice(0, MOST_OF_A_TURN) });
  else {
    const fallbacks = [...(reply.turn.fallbacks ?? []), takeover].slice(0, MOST_OF_A_TURN);
    draft.setReply({ turn: { ...reply.turn, fallbacks } });
  }
};

/** The call ends, and who took over since the last turn is in none: they get one in which the agent said nothing. */
export const recordLeftTakeovers = (draft: Draft): void => {
  const { takeovers, turns } = draft.state;
  if (takeovers.length === 0) return;
  const turn: TurnRecord = {
    index: turns,
    startMs: Math.round(draft.at),
    endReason: "ended",
    interrupted: false,
    fallbacks: [...takeovers],
  };
  draft.set({ takeovers: [], turns: turns + 1 });
  draft.emit({ type: "record-turn", turn });
};
