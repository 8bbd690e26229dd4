import { DeadlineExceeded, type Clock } from "../ports/clock.ts";
import { ClauseSplitter } from "./clauses.ts";
import type { Dialogue, DialogueMove, Exchange } from "./dialogue.ts";

/** What is said while an answer is being thought of. */
export type Filler = Readonly<{
  /** Silence before the first one, in milliseconds. */
  afterMs: number;
  /** In the language that the call is in, taken in turn; none: nothing is said. */
  messages(history: readonly Exchange[]): readonly string[];
}>;

/** Silence after one filler before the next, in milliseconds: people take 2.5 s on a telephone for a broken line. */
const AGAIN_MS = 2000;

/** Fillers in one wait; after that, words only annoy. */
const MOST_IN_A_ROW = 3;

/** A dialogue that has had nothing to say or do for this long has failed, in milliseconds. */
const GIVE_UP_MS = 8000;

/** About how long a letter takes to be said, in milliseconds; how far the voice is behind the text is not known here. */
const LETTER_MS = 60;

/**
 * A dialogue that says a few words when an answer keeps people waiting: before it begins, and where it stops in the middle for longer
 * than what was said takes to be heard; words that still wait for the end of their clause are not heard. They belong to the answer and count as said like all its words.
 */
export class FillerDialogue implements Dialogue {
  readonly #dialogue: Dialogue;
  readonly #filler: Filler;
  readonly #clock: Clock;
  #used = 0;

  constructor(dialogue: Dialogue, filler: Filler, clock: Clock) {
    this.#dialogue = dialogue;
    this.#filler = filler;
    this.#clock = clock;
  }

  /** The opening is made while the phone rings, when nobody waits yet. */
  open(signal: AbortSignal): AsyncIterable<DialogueMove> {
    return this.#dialogue.open(signal);
  }

  /** @throws {DeadlineExceeded} when the dialogue gives nothing for 8 s, fillers or not. */
  async *respond(history: readonly Exchange[], signal: AbortSignal): AsyncGenerator<DialogueMove> {
    const clock = this.#clock;
    const moves = this.#dialogue.respond(history, signal)[Symbol.asyncIterator]();
    let spokenUntil = clock.monotonic();
    let giveUpAt = spokenUntil + GIVE_UP_MS;
    let fillers = 0;
    let open = false;
    const splitter = new ClauseSplitter();
    const say = (text: string): DialogueMove => {
      const released = splitter.push(text).join("");
      if (released !== "") {
        spokenUntil = Math.max(clock.monotonic(), spokenUntil) + released.length * LETTER_MS;
        fillers = 0;
      }
      return { type: "say", text };
    };
    try {
      const messages = this.#filler.messages(history);
      const most = messages.length === 0 ? 0 : MOST_IN_A_ROW;
      for (let next = moves.next(); ;) {
        const wait = fillers === 0 ? this.#filler.afterMs : AGAIN_MS;
        const fillAt = fillers < most ? spokenUntil + wait : Number.POSITIVE_INFINITY;
        const found = await nextBefore(clock, next, Math.min(fillAt, giveUpAt));
        if (signal.aborted) return;
        if (found === undefined) {
          if (clock.monotonic() >= giveUpAt) throw new DeadlineExceeded("an answer of the dialogue", GIVE_UP_MS);
          const count = fillers + 1;
          yield say(`${open ? " … " : ""}${messages[this.#used++ % messages.length] ?? ""} `);
          fillers = count;
          open = false;
          continue;
        }
        if (found.done === true) return;
        const move = found.value;
        if (move.type === "say") {
          yield say(move.text);
          if (move.text.trim() !== "") open = !/[.!?…]["”']?\s*$/u.test(move.text);
        } else yield move;
        if (move.type !== "move") {
          if (move.type !== "say") fillers = 0;
          giveUpAt = Math.max(clock.monotonic(), spokenUntil) + GIVE_UP_MS;
        }
        next = moves.next();
      }
    } finally {
      // The dialogue stops by the signal; one that hangs would hold up whoever stopped the answer.
      void moves.return?.(undefined).catch(() => undefined);
    }
  }
}

/** What settles first: the work, or the moment, for which there is nothing. The work goes on and can be waited for again. */
const nextBefore = <T>(clock: Clock, work: Promise<T>, at: number): Promise<T | undefined> =>
  new Promise((resolve, reject) => {
    const timer = clock.setTimer(Math.max(0, at - clock.monotonic()), () => {
      resolve(undefined);
    });
    work.then(
      (value) => {
        timer.cancel();
        resolve(value);
      },
      (error: unknown) => {
        timer.cancel();
        reject(error);
      },
    );
  });
