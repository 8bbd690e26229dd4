import type { FunctionOutcome, Transfer } from "../call/invocations.ts";
import { Invocations } from "../call/invocations.ts";
import type { Effect, ReplySource } from "../call/effects.ts";
import type { CallHappening } from "../call/events.ts";
import { compileRules, type CallRules } from "../call/rules.ts";
import { initialState, turnText, type CallState } from "../call/state.ts";
import { step } from "../call/step.ts";
import { Timers, type Ring } from "../call/timers.ts";
import type { Dialogue, DialogueMove } from "../dialogue/dialogue.ts";
import { toError } from "../kit/errors.ts";
import { Scope } from "../kit/scope.ts";
import type { CallEnd } from "../model/call-end.ts";
import type { CallPlan } from "../model/call-plan.ts";
import type { TranscriptEntry } from "../model/transcript.ts";
import type { Logger } from "../ports/logger.ts";
import type { ToolCall } from "../ports/language-model.ts";
import type { TextClock } from "./text-clock.ts";
import { happeningOf, movesOf } from "./reply-moves.ts";
import { LETTER_MS, TextPlayback } from "./text-playback.ts";

export type TextCallParts = Readonly<{
  plan: CallPlan;
  clock: TextClock;
  logger: Logger;
  dialogue: Dialogue;
  invoke(call: ToolCall, signal: AbortSignal): Promise<FunctionOutcome>;
  transfer: Transfer;
}>;

/** An answer with all its functions, spoken to its end, takes no longer than this; in milliseconds of the conversation. */
const ANSWER_MS = 600_000;

/** From the end of speech to its final words, as a transcriber would take, in milliseconds. */
const FINAL_MS = 80;

/**
 * One call in text. Everything that decides in a call decides here too: the same `step`, the same dialogue, the same functions; only
 * hearing and speaking are text at the pace of speech, in the conversation's own time.
 */
export class TextCall {
  readonly transcript: TranscriptEntry[] = [];
  end: CallEnd | undefined;
  readonly #parts: TextCallParts;
  readonly #rules: CallRules;
  readonly #timers: Timers;
  readonly #playback: TextPlayback;
  readonly #scope = new Scope("text call");
  readonly #invocations: Invocations;
  readonly #waiting: (CallHappening | Ring)[] = [];
  #state: CallState = initialState;
  #reply: Readonly<{ id: number; scope: Scope }> | undefined;
  #speaking: string | undefined;
  #voicedUntil = 0;
  #utterance = 0;
  /** Functions that have not answered. */
  #running = 0;
  #unsaid: Readonly<{ text: string; startMs: number; endMs: number }> | undefined;
  #deciding = false;

  constructor(parts: TextCallParts) {
    this.#parts = parts;
    this.#rules = compileRules(parts.plan);
    const { clock, invoke, transfer } = parts;
    const emit = (happening: CallHappening) => {
      this.#put(happening);
    };
    this.#timers = new Timers(clock, (ring) => {
      this.#put(ring);
    });
    this.#playback = new TextPlayback(clock, {
      started: (reply, startMs) => {
        emit({ type: "playback-started", reply, startMs });
      },
      progress: (reply) => {
        emit({ type: "playback-progress", reply });
      },
      drained: (reply) => {
        emit({ type: "playback-drained", reply });
      },
    });
    this.#invocations = new Invocations({ clock, scope: this.#scope, invoke, transfer, emit });
  }

  /** Answers the call and hears the opening. */
  async answer(): Promise<void> {
    this.#put({ type: "answered" });
    await this.quiet();
  }

  /** Says something once the agent is done, and hears the answer. */
  async says(text: string): Promise<void> {
    await this.#speak(text);
    await this.quiet();
  }

  /** Presses keys, and hears the answer; what waits for more of them than came waits as long as it does. */
  async presses(keys: string): Promise<void> {
    for (const digit of keys) this.#put({ type: "digit", digit });
    await this.#parts.clock.run(() => this.end !== undefined || this.#state.collecting === undefined, ANSWER_MS);
    await this.quiet();
  }

  /** Says something and, after so many words of the answer were heard, something else over it. */
  async interrupts(text: string, afterWords: number, over: string): Promise<void> {
    await this.#speak(text);
    await this.#parts.clock.run(() => this.end !== undefined || this.#wordsHeard() >= afterWords, ANSWER_MS);
    await this.says(over);
  }

  /** Says nothing for a while. */
  async waits(ms: number): Promise<void> {
    await this.#parts.clock.run(() => this.end !== undefined, ms);
    await this.quiet();
  }

  /** The other party hangs up. */
  async hangsUp(): Promise<void> {
    this.#put({ type: "line-gone", why: "hung-up" });
    await this.#parts.clock.run(() => this.end !== undefined, ANSWER_MS);
  }

  /** Everything that was said is answered, and the answer was heard; or the call is over. */
  async quiet(): Promise<void> {
    await this.#parts.clock.run(() => this.end !== undefined || this.#idle(), ANSWER_MS);
  }

  /** What a function has come to, as the model is told. */
  resultOf(callId: string): string | undefined {
    const { history, reply } = this.#state;
    const told = history.flatMap((exchange) => (exchange.speaker === "function" ? [exchange] : []));
    return [...told, ...(reply?.results ?? [])].find((result) => result.callId === callId)?.result;
  }

  async close(): Promise<void> {
    this.#cancelReply();
    this.#timers.close();
    await this.#scope.close();
  }

  #idle(): boolean {
    const { reply, caller, phase, lateAnswer, collecting } = this.#state;
    // It is the caller's turn to press keys.
    if (collecting !== undefined && reply?.drained !== false && reply?.complete !== false)
      return turnText(caller) === "";
    return phase === "live" && reply === undefined && this.#running === 0 && !lateAnswer && turnText(caller) === "";
  }

  #wordsHeard(): number {
    const { reply } = this.#state;
    const heard = this.#playback.heard();
    if (reply === undefined || heard === undefined || heard.reply !== reply.id || reply.answers !== undefined) return 0;
    return heard.text.match(/\S+/gu)?.length ?? 0;
  }

  async #speak(text: string): Promise<void> {
    const { clock } = this.#parts;
    if (this.end !== undefined) return;
    const startMs = clock.monotonic();
    const forMs = Math.max(500, text.length * LETTER_MS);
    this.#utterance += 1;
    this.#speaking = text;
    this.#put({ type: "speech-started", onsetMs: startMs });
    await clock.run(() => false, forMs / 2);
    this.#transcribed(text, startMs, false);
    await clock.run(() => false, forMs / 2);
    this.#speaking = undefined;
    this.#voicedUntil = clock.monotonic();
    this.#unsaid = { text, startMs, endMs: this.#voicedUntil };
    this.#put({ type: "speech-ended", lastVoicedMs: this.#voicedUntil });
    await clock.run(() => false, FINAL_MS * 2);
  }

  #transcribed(text: string, startMs: number, final: boolean, endMs = this.#parts.clock.monotonic()): void {
    this.#put({ type: "transcript", utterance: this.#utterance, text, final, startMs, endMs });
  }

  #put(next: CallHappening | Ring): void {
    this.#waiting.push(next);
    if (this.#deciding) return;
    this.#deciding = true;
    try {
      for (let taken = this.#waiting.shift(); taken !== undefined; taken = this.#waiting.shift()) this.#decide(taken);
    } finally {
      this.#deciding = false;
    }
  }

  #decide(next: CallHappening | Ring): void {
    const { clock } = this.#parts;
    if ("token" in next && !this.#timers.accept(next)) return;
    const happening: CallHappening = "token" in next ? { type: "timer", name: next.name } : next;
    const at = clock.monotonic();
    const voicedUntilMs = this.#speaking === undefined ? this.#voicedUntil : at;
    const event = { at, heard: this.#playback.heard(), voicedUntilMs, ...happening };
    const { state, effects } = step(this.#rules, this.#state, event);
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: Effect): void {
    switch (effect.type) {
      case "set-timer":
        this.#timers.set(effect.name, effect.ms);
        break;
      case "cancel-timer":
        this.#timers.cancel(effect.name);
        break;
      case "start-reply":
        this.#startReply(effect.reply, effect.source);
        break;
      case "cancel-reply":
        if (this.#reply?.id === effect.reply) this.#cancelReply();
        break;
      case "pause-playback":
        this.#playback.pause();
        break;
      case "resume-playback":
        this.#playback.resume();
        break;
      case "finalize":
        this.#finalize();
        break;
      case "invoke":
        this.#running += 1;
        void this.#invocations.run(effect.reply, effect.call).finally(() => (this.#running -= 1));
        break;
      case "transfer":
        void this.#invocations.transfer(effect);
        break;
      case "write":
        this.transcript[effect.index] = effect.entry;
        break;
      case "end":
        this.end = effect.end;
        this.#cancelReply();
        this.#timers.close();
        break;
      default:
      // What is heard and counted elsewhere has no sound and no counter here.
    }
  }

  /** The words of whoever stopped speaking come a moment later. */
  #finalize(): void {
    const unsaid = this.#unsaid;
    this.#unsaid = undefined;
    this.#parts.clock.setTimer(FINAL_MS, () => {
      if (this.#speaking !== undefined) return;
      if (unsaid !== undefined) this.#transcribed(unsaid.text, unsaid.startMs, true, unsaid.endMs);
      this.#put({ type: "flushed" });
    });
  }

  #startReply(id: number, source: ReplySource): void {
    this.#cancelReply();
    const { dialogue } = this.#parts;
    const scope = this.#scope.child(`reply ${id}`);
    this.#reply = { id, scope };
    this.#playback.begin(id);
    void this.#read(id, movesOf(dialogue, source, scope.signal), scope);
  }

  async #read(reply: number, moves: AsyncIterable<DialogueMove>, scope: Scope): Promise<void> {
    const { signal } = scope;
    try {
      for await (const move of moves) {
        if (signal.aborted) return;
        this.#move(reply, move);
      }
      if (signal.aborted) return;
      this.#put({ type: "reply-complete", reply });
      this.#playback.complete();
    } catch (error) {
      if (signal.aborted) return;
      this.#parts.logger.warn("a reply failed", { part: "model", error: toError(error) });
      this.#put({ type: "reply-failed", reply, part: "model" });
    } finally {
      await scope.close();
    }
  }

  #move(reply: number, move: DialogueMove): void {
    this.#put(happeningOf(reply, move));
    if (move.type === "say") this.#playback.add(move.text);
  }

  #cancelReply(): void {
    const reply = this.#reply;
    this.#reply = undefined;
    this.#playback.cancel();
    if (reply !== undefined) void reply.scope.close();
  }
}
