import type { Exchange } from "../dialogue/dialogue.ts";
import type { TranscriptEntry } from "../model/transcript.ts";
import type { Effect } from "./effects.ts";
import type { HeldEvent, Heard, Stamp, TimerName } from "./events.ts";
import type { CallRules } from "./rules.ts";
import type { CallerState, CallState, ReplyState } from "./state.ts";

/**
 * One step in the making: the state so far and the effects so far. It exists for the length of one `step` and hides nothing:
 * what goes in is a value and what comes out is a value.
 */
export class Draft {
  readonly rules: CallRules;
  /** Milliseconds since answer. */
  readonly at: number;
  /** What the caller has heard of the reply, by the playback ledger. */
  readonly heard: Heard | undefined;
  /** When the caller's voice was last there. */
  readonly voicedUntilMs: number;
  readonly effects: Effect[] = [];
  /** What became of a reply before its turn was taken; decided upon behind the event at hand. */
  released: readonly HeldEvent[] = [];
  #state: CallState;

  constructor(rules: CallRules, state: CallState, event: Stamp) {
    this.rules = rules;
    this.#state = state;
    this.at = event.at;
    this.heard = event.heard;
    this.voicedUntilMs = event.voicedUntilMs ?? 0;
  }

  get state(): CallState {
    return this.#state;
  }

  set(change: Partial<CallState>): void {
    this.#state = { ...this.#state, ...change };
  }

  setCaller(change: Partial<CallerState>): void {
    this.set({ caller: { ...this.#state.caller, ...change } });
  }

  setReply(change: Partial<ReplyState>): void {
    if (this.#state.reply !== undefined) this.set({ reply: { ...this.#state.reply, ...change } });
  }

  release(held: readonly HeldEvent[]): void {
    this.released = held;
  }

  emit(effect: Effect): void {
    this.effects.push(effect);
  }

  setTimer(name: TimerName, ms: number): void {
    this.emit({ type: "set-timer", name, ms: Math.max(0, ms) });
  }

  cancelTimers(...names: readonly TimerName[]): void {
    for (const name of names) this.emit({ type: "cancel-timer", name });
  }

  remember(...exchanges: readonly Exchange[]): void {
    this.set({ history: [...this.#state.history, ...exchanges] });
  }

  /** Writes a transcript entry, under a new index unless one is given; answers the index. */
  write(entry: TranscriptEntry, index = this.#state.entries): number {
    if (index === this.#state.entries) this.set({ entries: index + 1 });
    this.emit({ type: "write", index, entry });
    return index;
  }
}
