import { BROWSER_FORMAT } from "../adapters/browser/browser-format.ts";
import { Background } from "../audio/background.ts";
import { makeOffice } from "../audio/office.ts";
import { Resampler } from "../audio/resampler.ts";
import { withBackground } from "../call/background-line.ts";
import type { PrepareCall } from "../call/call.ts";
import { toError } from "../kit/errors.ts";
import type { CallPlan } from "../model/call-plan.ts";
import type { AudioRecords } from "../ports/audio-records.ts";
import { sleep, type Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";

type Deps = Readonly<{ clock: Clock; logger: Logger; audio: Pick<AudioRecords, "readAudio"> }>;

/** Loops that are kept ready, the last used ones: a few rates of the office, and what customers' agents use at present. */
const MOST_LOOPS = 12;

/** The sounds behind agents' voices. A loop is made once for a rate and shared by the calls that play it. */
export class Backgrounds {
  readonly #deps: Deps;
  readonly #loops = new Map<string, Promise<Int16Array>>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** What a plan wants at a sample rate; `undefined` when it wants nothing, or its sound is there no more. Never rejects. */
  async for(plan: CallPlan, sampleRate: number): Promise<Background | undefined> {
    const { background, workspaceId, dialId } = plan;
    if (background === undefined) return undefined;
    const { audioId, volumeDb } = background;
    const key = audioId === undefined ? `office ${sampleRate}` : `${workspaceId} ${audioId} ${sampleRate}`;
    try {
      return new Background(await this.#loop(key, () => this.#make(workspaceId, audioId, sampleRate)), volumeDb);
    } catch (error) {
      this.#deps.logger.warn("a call has no background sound", { dialId, error: toError(error) });
      return undefined;
    }
  }

  #loop(key: string, make: () => Promise<Int16Array>): Promise<Int16Array> {
    const loop = this.#loops.get(key) ?? make();
    // The last used one stands at the end.
    this.#loops.delete(key);
    this.#loops.set(key, loop);
    const [oldest] = this.#loops.keys();
    if (this.#loops.size > MOST_LOOPS && oldest !== undefined) this.#loops.delete(oldest);
    loop.catch(() => {
      if (this.#loops.get(key) === loop) this.#loops.delete(key);
    });
    return loop;
  }

  async #make(workspaceId: string, audioId: string | undefined, sampleRate: number): Promise<Int16Array> {
    if (audioId === undefined) return this.#piecewise(makeOffice(sampleRate));
    const sound = await this.#deps.audio.readAudio(workspaceId, audioId);
    if (sound === undefined) throw new Error("the uploaded sound is not there any more");
    return this.#piecewise(resample(sound.samples, sound.sampleRate, sampleRate));
  }

  /** Lets other calls go on between the pieces. */
  async #piecewise(work: Generator<undefined, Int16Array>): Promise<Int16Array> {
    for (;;) {
      const { done, value } = work.next();
      if (done === true) return value;
      await sleep(this.#deps.clock, 0);
    }
  }
}

/** Calls whose plan wants a sound behind the agent get lines that play it; it is made while the phone rings. */
export const playBackgrounds = (prepare: PrepareCall, deps: Deps): PrepareCall => {
  const backgrounds = new Backgrounds(deps);
  return (plan, journal, transfer) => {
    const call = prepare(plan, journal, transfer);
    if (plan.background === undefined) return call;
    void backgrounds.for(plan, plan.direction === "browser" ? BROWSER_FORMAT.sampleRate : TELEPHONE_RATE);
    return {
      answer: (line, recording) =>
        call.answer(withBackground(line, backgrounds.for(plan, line.format.sampleRate), deps.clock), recording),
      discard: () => call.discard(),
    };
  };
};

/** What most carriers stream; for another rate the sound is made when the line is there. */
const TELEPHONE_RATE = 8000;

const resample = function* (samples: Int16Array, from: number, to: number): Generator<undefined, Int16Array> {
  const resampler = new Resampler(from, to);
  try {
    const loop = new Int16Array(Math.ceil((samples.length * to) / from) + 1);
    let length = 0;
    for (let at = 0; at < samples.length; at += from) {
      const piece = resampler.process(samples.subarray(at, at + from));
      loop.set(piece, length);
      length += piece.length;
      yield undefined;
    }
    return loop.subarray(0, length);
  } finally {
    resampler.close();
  }
};
