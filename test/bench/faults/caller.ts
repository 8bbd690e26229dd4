import type { TurnRecord } from "../../../src/model/turn-record.ts";
import type { Clock, Timer } from "../../../src/ports/clock.ts";
import type { SeededRandom } from "../../kit/seeded-random.ts";
import type { ScriptedLine } from "../../kit/scripted-line.ts";
import { CALLER, callerSound } from "./spoken-lines.ts";

const QUIET = new Uint8Array(160).fill(0xff);
const FRAME_MS = 20;

/** Says one line after each answer, as people do: a while after it is over. */
export class Caller {
  /** When what was said, by the clock. */
  readonly spoken: Readonly<{ fromMs: number; untilMs: number }>[] = [];
  readonly #clock: Clock;
  readonly #line: ScriptedLine;
  readonly #random: SeededRandom;
  #speaking: Readonly<{ line: number; fromMs: number; untilMs: number }> | undefined;
  #timer: Timer | undefined;
  #next = 0;

  constructor(clock: Clock, line: ScriptedLine, random: SeededRandom) {
    this.#clock = clock;
    this.#line = line;
    this.#random = random;
  }

  /** Opens the microphone. */
  begin(): void {
    this.#line.openMicrophone(() => {
      const now = this.#clock.monotonic();
      const speaking = this.#speaking;
      return speaking !== undefined && now - FRAME_MS >= speaking.fromMs && now <= speaking.untilMs
        ? callerSound(speaking.line)
        : QUIET;
    });
  }

  /** An answer is over, unless the agent has only asked for a function. */
  turnOver({ endReason }: TurnRecord): void {
    const isBooking = this.#next === 2 && endReason !== "function";
    if (isBooking || this.#next >= CALLER.length) return;
    this.#timer?.cancel();
    this.#timer = this.#clock.setTimer(400 + Math.round(this.#random.fraction() * 600), () => {
      const line = this.#next;
      const fromMs = Math.ceil(this.#clock.monotonic() / FRAME_MS) * FRAME_MS;
      const untilMs = fromMs + (CALLER[line]?.ms ?? 0);
      this.#next += 1;
      this.#speaking = { line, fromMs, untilMs };
      this.spoken.push({ fromMs, untilMs });
    });
  }

  close(): void {
    this.#timer?.cancel();
  }
}
