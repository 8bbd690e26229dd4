import type { AudioFormat } from "../../src/model/audio.ts";
import type { LineListener, Transport } from "../../src/ports/transport.ts";
import type { ScriptedLine } from "./scripted-line.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** What becomes of a mark on its way back; a number is how many milliseconds it is late. */
export type MarkFate = "comes" | "lost" | "twice" | number;

/** A line whose marks go astray, and which sends back what `clear` took out of the queue, as some carriers do. */
export class CarelessLine implements Transport {
  readonly format: AudioFormat;
  readonly queue: "far-end" | "none";
  readonly carrierCallId = "CA-careless";
  readonly bufferedAmount = 0;
  readonly #line: ScriptedLine;
  readonly #clock: VirtualClock;
  readonly #fates: readonly MarkFate[];
  readonly #returns: boolean;
  #marks = 0;
  #outstanding: string[] = [];
  #listener: LineListener | undefined;

  /** Marks meet the `fates` in turn, over and over. */
  constructor(line: ScriptedLine, clock: VirtualClock, fates: readonly MarkFate[], returnsOnClear: boolean) {
    this.#line = line;
    this.#clock = clock;
    this.#fates = fates;
    this.#returns = returnsOnClear;
    this.format = line.format;
    this.queue = line.queue;
  }

  listen(listener: LineListener): void {
    this.#listener = listener;
    this.#line.listen({
      frame: (frame) => {
        listener.frame(frame);
      },
      digit: (digit) => {
        listener.digit(digit);
      },
      mark: (name) => {
        this.#comesBack(name);
      },
      gone: (why) => {
        listener.gone(why);
      },
    });
  }

  send(payload: Uint8Array): void {
    this.#line.send(payload);
  }

  mark(name: string): void {
    this.#outstanding.push(name);
    this.#line.mark(name);
  }

  clear(): void {
    this.#line.clear();
    const returned = this.#outstanding;
    this.#outstanding = [];
    if (this.#returns) for (const name of returned) this.#listener?.mark(name);
  }

  close(): void {
    this.#line.close();
  }

  #comesBack(name: string): void {
    const fate = this.#fates[this.#marks % this.#fates.length] ?? "comes";
    this.#marks += 1;
    if (fate === "lost") return;
    this.#outstanding = this.#outstanding.filter((other) => other !== name);
    if (typeof fate === "number") {
      this.#clock.setTimer(fate, () => this.#listener?.mark(name));
      return;
    }
    this.#listener?.mark(name);
    if (fate === "twice") this.#listener?.mark(name);
  }
}
