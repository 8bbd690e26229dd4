import { LINE_FORMAT } from "./line-format.ts";
import type { Clock, Timer } from "../../../src/ports/clock.ts";
import { ProviderError } from "../../../src/ports/provider-error.ts";
import type {
  Transcriber,
  TranscriberHints,
  TranscriberListener,
  TranscriberStream,
} from "../../../src/ports/transcriber.ts";
import { failsAtOnce, type Fault, type Luck } from "./faults-there-are.ts";
import { CALLER, lineOfSound } from "./spoken-lines.ts";

const FINAL_MS = 120;
const INTERIM_MS = 300;
const DRIP_MS = 1500;
const BYTES_PER_MS = 8;

/** Hears the lines in the sound itself, so that what is sent again is heard again, unless its luck is out in a turn. */
export class FaultyTranscriber implements Transcriber {
  readonly name: string;
  readonly finalMs = FINAL_MS;
  readonly #clock: Clock;
  readonly #luck: Luck;

  constructor(name: string, clock: Clock, luck: Luck) {
    this.name = name;
    this.#clock = clock;
    this.#luck = luck;
  }

  supports(): boolean {
    return true;
  }

  open(_hints: TranscriberHints, listener: TranscriberListener): TranscriberStream {
    return new FaultyStream(this.#clock, this.#luck, listener);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

class FaultyStream implements TranscriberStream {
  readonly format = LINE_FORMAT;
  readonly #clock: Clock;
  readonly #luck: Luck;
  readonly #listener: TranscriberListener;
  readonly #timers = new Set<Timer>();
  readonly #heard = CALLER.map(() => 0);
  #pushed = 0;
  #utterance = 1;
  #fault: Fault | undefined;
  #open = true;
  #lastInterim = "";

  constructor(clock: Clock, luck: Luck, listener: TranscriberListener) {
    this.#clock = clock;
    this.#luck = luck;
    this.#listener = listener;
    this.#turn();
  }

  push(payload: Uint8Array): void {
    const before = Math.floor(this.#pushed / BYTES_PER_MS / INTERIM_MS);
    this.#pushed += payload.length;
    for (const byte of payload) {
      const line = lineOfSound(byte);
      if (line !== undefined) this.#heard[line] = (this.#heard[line] ?? 0) + 1;
    }
    if (Math.floor(this.#pushed / BYTES_PER_MS / INTERIM_MS) > before) this.#interim();
  }

  speech(): void {
    // It hears for itself.
  }

  finalize(): void {
    const fault = this.#fault;
    if (fault === "stall before the first" || fault === "stall in the middle") return;
    this.#later(fault === "slow drip" ? DRIP_MS : FINAL_MS, () => {
      if (fault === "reset" || fault === "early close" || fault === "garbage") {
        this.#fail(new ProviderError("faulty", "unavailable", "a fault of the test"));
        return;
      }
      if (fault === "wrong order") this.#listener.flushed();
      this.#report(true);
      if (fault === "duplicates") this.#report(true);
      if (fault === "wrong order") this.#report(false);
      else this.#listener.flushed();
      if (fault === "duplicates") this.#listener.flushed();
    });
  }

  endTurn(): void {
    this.#utterance += 1;
    this.#heard.fill(0);
    this.#lastInterim = "";
    this.#turn();
  }

  close(): void {
    this.#open = false;
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
  }

  #turn(): void {
    this.#fault = this.#luck();
    const early = failsAtOnce(this.#fault);
    if (early !== undefined) this.#later(early.afterMs, () => this.#fail(early.error));
  }

  #interim(): void {
    if (!this.#open || this.#fault === "stall before the first" || this.#text() === this.#lastInterim) return;
    this.#lastInterim = this.#text();
    this.#report(false);
  }

  #report(final: boolean): void {
    const text = this.#text();
    if (text === "" || !this.#open) return;
    const endMs = this.#pushed / BYTES_PER_MS;
    this.#listener.transcript({ utterance: this.#utterance, text, final, startMs: Math.max(0, endMs - 1500), endMs });
  }

  #text(): string {
    return CALLER.flatMap(({ text, ms }, line) => {
      const words = text.split(" ");
      const share = (this.#heard[line] ?? 0) / BYTES_PER_MS / ms;
      const known = share > 0.85 ? words : words.slice(0, Math.floor(words.length * share));
      return known.length === 0 ? [] : known.join(" ");
    }).join(" ");
  }

  #fail(error: Error): void {
    if (!this.#open) return;
    this.#open = false;
    this.#listener.failed(error);
  }

  #later(ms: number, what: () => void): void {
    const timer = this.#clock.setTimer(ms, () => {
      this.#timers.delete(timer);
      if (this.#open) what();
    });
    this.#timers.add(timer);
  }
}
