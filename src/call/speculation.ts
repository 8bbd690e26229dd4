import type { EndpointRuling } from "../endpointing/endpoint-strategy.ts";
import type { Draft } from "./draft.ts";
import { turnText, type SpeculationState } from "./state.ts";
import type { HeldEvent } from "./events.ts";

/** Beginnings per turn; each costs a call of the model, and whoever pauses often would pay for all of them. */
const MAX_PER_TURN = 2;

/** From this probability on that the turn is over, more beginnings are used than thrown away. */
const LIKELY = 0.5;

/** A beginning that gains less is not worth a call of the model, in milliseconds. */
const MIN_GAIN_MS = 100;

/** A reply that has come to this many events before its turn was taken is of a model gone wild. */
const MAX_HELD = 500;

/**
 * The turn is likely over and its words are final, but the wait for its end still runs: lets the dialogue and the voice begin.
 * Nothing of it is played, run or written before the turn is taken with exactly these words.
 */
export const considerSpeculation = (draft: Draft, ruling: EndpointRuling, waitMs: number): void => {
  const { caller, reply, history, speculation, nextReply, paused } = draft.state;
  const text = turnText(caller);
  if (speculation !== undefined && !answers(speculation, draft, text)) dropSpeculation(draft);
  if (
    !draft.rules.speculates ||
    draft.state.speculation !== undefined ||
    reply !== undefined ||
    draft.state.agentPaused ||
    draft.state.transfer !== undefined ||
    paused ||
    !caller.flushed ||
    text === "" ||
    caller.digits !== "" ||
    caller.speculations >= MAX_PER_TURN ||
    waitMs < MIN_GAIN_MS ||
    (ruling.probability ?? 1) < LIKELY
  )
    return;
  draft.setCaller({ speculations: caller.speculations + 1 });
  draft.set({ nextReply: nextReply + 1, speculation: { id: nextReply, text, history, held: [] } });
  const source = { type: "dialogue", history: [...history, { speaker: "caller", text }] } as const;
  draft.emit({ type: "start-reply", reply: nextReply, source, held: true });
};

/** What the beginning came to, kept until its turn is taken. */
export const holdBack = (draft: Draft, event: HeldEvent): void => {
  const { speculation } = draft.state;
  if (speculation === undefined) return;
  // Asked again when the turn is really over, the model may do better.
  if (event.type === "reply-failed" || speculation.held.length >= MAX_HELD) dropSpeculation(draft);
  else draft.set({ speculation: { ...speculation, held: [...speculation.held, event] } });
};

/** The turn is taken: answers the beginning if it is one of an answer to exactly this, and throws away any other. */
export const takeSpeculation = (draft: Draft, text: string | undefined): SpeculationState | undefined => {
  const { speculation } = draft.state;
  if (speculation === undefined) return undefined;
  if (text === undefined || !answers(speculation, draft, text)) {
    dropSpeculation(draft);
    return undefined;
  }
  draft.set({ speculation: undefined });
  return speculation;
};

/** The turn was not over, or it became another one. */
export const dropSpeculation = (draft: Draft): void => {
  const { speculation } = draft.state;
  if (speculation === undefined) return;
  draft.emit({ type: "cancel-reply", reply: speculation.id });
  draft.set({ speculation: undefined });
};

const answers = (speculation: SpeculationState, draft: Draft, text: string): boolean =>
  speculation.text === text && speculation.history === draft.state.history;
