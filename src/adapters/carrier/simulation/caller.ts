import { levelDbfs } from "../../../audio/level.ts";
import { Resampler } from "../../../audio/resampler.ts";
import { FRAME_MS } from "../../../model/audio.ts";
import { USUAL_MANNER, type CallerLine, type CallerManner, type CallerScript, type Speak } from "./script.ts";

/** What a simulated person does in the next 20 ms; nothing means silence. */
export type CallerMove = Readonly<{
  /** At most 160, at 8 kHz. */ samples?: Int16Array;
  digit?: string;
  hangUp?: true;
}>;

/** A simulated person on a phone line of 8 kHz, who lives by what can be heard and by nothing else. */
export interface Caller {
  /** Called every 20 ms with the sound heard meanwhile; answers what is done in the 20 ms to come. */
  next(heard: Int16Array): CallerMove;
}

/** Makes the person of a script, with the sound of every line ready. Rejects when a text cannot be spoken. */
export const prepareCaller = async (script: CallerScript, speak: Speak | undefined): Promise<Caller> => {
  const lines: ReadyLine[] = [];
  for (const line of script.lines) lines.push({ line, moves: await movesOf(line, speak) });
  return new ScriptedCaller(lines, { ...USUAL_MANNER, ...script.manner }, script.repeat === true);
};

type ReadyLine = Readonly<{ line: CallerLine; moves: readonly CallerMove[] }>;

/**
 * Waits for its turn, says a line, and waits again. Its turn has come when the agent has said something and then been quiet
 * for a while, both judged by the energy of what is heard; or when the agent says nothing for too long.
 */
class ScriptedCaller implements Caller {
  readonly #lines: readonly ReadyLine[];
  readonly #manner: CallerManner;
  readonly #repeat: boolean;
  readonly #longestMs: number;
  #callMs = 0;
  #index = 0;
  #saying: ReadyLine | undefined;
  #move = 0;
  /** Since the end of the line before: how long the agent was heard, was last heard, and how long ago it was. */
  #heardMs = 0;
  #quietMs = 0;
  #waitedMs = 0;

  constructor(lines: readonly ReadyLine[], manner: CallerManner, repeat: boolean) {
    this.#lines = lines;
    this.#manner = manner;
    this.#repeat = repeat;
    const speechMs = lines.reduce((sum, { moves }) => sum + moves.length * FRAME_MS, 0);
    this.#longestMs = manner.longestMs ?? speechMs + (lines.length + 1) * PATIENCE_PER_LINE_MS;
  }

  next(heard: Int16Array): CallerMove {
    if (this.#callMs >= this.#longestMs) return HANG_UP;
    this.#callMs += FRAME_MS;
    this.#waitedMs += FRAME_MS;
    if (levelDbfs(heard) > AUDIBLE_DBFS) {
      this.#heardMs += FRAME_MS;
      this.#quietMs = 0;
    } else this.#quietMs += FRAME_MS;
    if (this.#saying === undefined) this.#decide();
    return this.#saying === undefined ? this.#rest() : this.#goOn(this.#saying);
  }

  #decide(): void {
    const next = this.#lines[this.#index];
    if (next === undefined || !this.#isTimeFor(next.line)) return;
    this.#saying = next;
    this.#move = 0;
  }

  #isTimeFor({ afterMs, interruptAfterMs }: CallerLine): boolean {
    if (afterMs !== undefined) return this.#waitedMs > afterMs;
    if (interruptAfterMs !== undefined && this.#heardMs >= interruptAfterMs) return true;
    if (this.#answered) return this.#quietMs >= this.#manner.turnQuietMs;
    return this.#waitedMs >= (this.#index === 0 ? this.#manner.unopenedMs : this.#manner.unansweredMs);
  }

  #goOn({ moves }: ReadyLine): CallerMove {
    const move = moves[this.#move] ?? NOTHING;
    this.#move += 1;
    if (this.#move >= moves.length) this.#finishLine();
    return move;
  }

  #finishLine(): void {
    this.#saying = undefined;
    this.#index += 1;
    if (this.#repeat && this.#index >= this.#lines.length) this.#index = 0;
    this.#heardMs = 0;
    this.#quietMs = 0;
    this.#waitedMs = 0;
  }

  /** Nothing to say now: goes on listening, or hangs up when all is said and done. */
  #rest(): CallerMove {
    if (this.#index < this.#lines.length) return NOTHING;
    const done = this.#answered
      ? this.#quietMs >= this.#manner.goodbyeQuietMs
      : this.#waitedMs >= this.#manner.goodbyeUnansweredMs;
    return done ? HANG_UP : NOTHING;
  }

  /** A click or the tail of an earlier word is not an answer. */
  get #answered(): boolean {
    return this.#heardMs >= 100;
  }
}

const NOTHING: CallerMove = Object.freeze({});
const HANG_UP: CallerMove = Object.freeze({ hangUp: true });

/** Room noise of recordings lies below, the softest syllables of synthesized speech above. */
const AUDIBLE_DBFS = -45;
const PATIENCE_PER_LINE_MS = 30_000;

const LINE_RATE = 8000;
const FRAME_SAMPLES = (LINE_RATE * FRAME_MS) / 1000;

/** A digit key is held for 100 ms, and the next one follows 100 ms later. */
const MOVES_PER_DIGIT = 200 / FRAME_MS;

/** What is done while a line is said, frame by frame. Rejects when its text cannot be spoken. */
export const movesOf = async (line: CallerLine, speak: Speak | undefined): Promise<readonly CallerMove[]> => {
  if ("hangUp" in line) return [HANG_UP];
  if ("digits" in line)
    return Array.from(line.digits).flatMap((digit) => [
      { digit },
      ...Array.from({ length: MOVES_PER_DIGIT - 1 }, () => NOTHING),
    ]);
  if ("samples" in line) return framesOf(line.samples, line.sampleRate);
  if (speak === undefined) throw new Error("this caller has texts to say and no voice; give the loopback one");
  const sound = await speak(line.text);
  return framesOf(sound.samples, sound.sampleRate);
};

const framesOf = (samples: Int16Array, sampleRate: number): CallerMove[] => {
  const resampler = new Resampler(sampleRate, LINE_RATE);
  try {
    const body = resampler.process(samples);
    const tail = resampler.flush();
    const sound = new Int16Array(body.length + tail.length);
    sound.set(body);
    sound.set(tail, body.length);
    return Array.from({ length: Math.ceil(sound.length / FRAME_SAMPLES) }, (_, frame) => ({
      samples: sound.subarray(frame * FRAME_SAMPLES, (frame + 1) * FRAME_SAMPLES),
    }));
  } finally {
    resampler.close();
  }
};
