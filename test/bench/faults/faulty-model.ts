import { sleep, type Clock } from "../../../src/ports/clock.ts";
import type { LanguageModel, ModelEvent, ModelRequest } from "../../../src/ports/language-model.ts";
import { failsAtOnce, failsInTheMiddle, type Luck } from "./faults-there-are.ts";
import { rightAnswer } from "./spoken-lines.ts";

const FIRST_TOKEN_MS = 250;
const TOKEN_MS = 20;
const DRIP_MS = 1300;
const FOR_EVER_MS = 3_600_000;

/** Answers rightly, word by word, unless its luck is out. */
export class FaultyModel implements LanguageModel {
  readonly scripted = false;
  readonly models;
  readonly name: string;
  readonly #clock: Clock;
  readonly #luck: Luck;
  #calls = 0;

  constructor(name: string, clock: Clock, luck: Luck) {
    this.name = name;
    this.models = [{ id: name, name, modelOptions: [] }];
    this.#clock = clock;
    this.#luck = luck;
  }

  async *generate({ messages }: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const fault = this.#luck();
    const wait = (ms: number) => sleep(this.#clock, ms, signal);
    const early = failsAtOnce(fault);
    await wait(early?.afterMs ?? FIRST_TOKEN_MS);
    if (early !== undefined) throw early.error;
    if (fault === "stall before the first") await wait(FOR_EVER_MS);
    const { text, call } = rightAnswer(messages);
    const words: readonly ModelEvent[] = text.split(/(?<=\s)/u).map((word) => ({ type: "text", text: word }));
    const calls: readonly ModelEvent[] =
      call === undefined ? [] : [{ type: "call", call: { ...call, id: `${this.name}-${(this.#calls += 1)}` } }];
    if (fault === "wrong order") yield { type: "done" };
    for (const [index, word] of words.entries()) {
      if (index === Math.ceil(words.length / 2)) {
        const error = failsInTheMiddle(fault);
        if (error !== undefined) throw error;
        if (fault === "early close") return;
        if (fault === "stall in the middle") await wait(FOR_EVER_MS);
      }
      await wait(fault === "slow drip" ? DRIP_MS : TOKEN_MS);
      yield word;
    }
    for (const event of calls) yield event;
    if (fault === "duplicates") for (const event of calls) yield event;
    const error = failsInTheMiddle(fault);
    if (error !== undefined && words.length < 2) throw error;
    yield { type: "done" };
    if (fault === "duplicates") yield { type: "done" };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
