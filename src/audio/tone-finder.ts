import { Spectrum } from "./spectrum.ts";

/** A signal that machines make: the beep after a greeting, or the tones of a fax machine. */
export type SignalTone = "beep" | "fax";

/** What one window of sound is: a tone of one frequency, no tone, or hardly any sound. */
type Heard = Readonly<{ frequency: number; level: number }> | "other" | "quiet";

/** A tone that goes on, or has ended and waits to be told from a melody. */
type Run = Readonly<{ startMs: number; endMs: number; frequency: number; level: number }>;

/**
 * Finds the signals of machines in a stream of sound. A beep is one steady frequency of 110 ms to 2.5 s, with quiet behind it and no
 * other tone just before it: speech wavers and has many frequencies, and the notes of a melody follow each other. Looks at windows
 * of 32 ms every 16 ms; a beep is told 80 ms after its end.
 */
export class ToneFinder {
  readonly #found: (tone: SignalTone, endMs: number) => void;
  readonly #spectrum = new Spectrum(WINDOW);
  readonly #ring = new Int16Array(WINDOW);
  readonly #fax = new FaxTones();
  #taken = 0;
  #run: Run | undefined;
  #ended: Run | undefined;
  /** When the last tone ended that was no part of the present one. */
  #before: Run | undefined;
  #quietWindows = 0;

  /** `found`: the time is that of the sound pushed, in milliseconds. */
  constructor(found: (tone: SignalTone, endMs: number) => void) {
    this.#found = found;
  }

  /** 16 kHz, any length; not kept. */
  push(samples: Int16Array): void {
    for (const sample of samples) {
      this.#ring[this.#taken % WINDOW] = sample;
      this.#taken += 1;
      if (this.#taken >= WINDOW && this.#taken % HOP === 0) this.#look();
    }
  }

  #look(): void {
    const nowMs = (this.#taken * 1000) / RATE;
    const heard = this.#hear();
    if (typeof heard === "object" && this.#run !== undefined && continues(this.#run, heard)) {
      this.#run = { ...this.#run, endMs: nowMs, level: Math.max(this.#run.level, heard.level) };
      if (this.#fax.goesOn(this.#run)) this.#found("fax", nowMs);
      return;
    }
    this.#endRun();
    if (typeof heard === "object") {
      this.#before = this.#ended ?? this.#before;
      this.#ended = undefined;
      this.#run = { startMs: nowMs - WINDOW_MS, endMs: nowMs, ...heard };
      this.#quietWindows = 0;
      return;
    }
    this.#quietWindows = heard === "quiet" ? this.#quietWindows + 1 : 0;
    if (this.#quietWindows >= QUIET_WINDOWS) this.#considerBeep();
    // Whatever sounds on behind a tone, it was part of that.
    else if (this.#ended !== undefined && nowMs - this.#ended.endMs > TAIL_MS) this.#ended = undefined;
  }

  #endRun(): void {
    const run = this.#run;
    if (run === undefined) return;
    this.#run = undefined;
    if (lengthOf(run) < NOTE_MS) return;
    if (this.#fax.ended(run)) this.#found("fax", run.endMs);
    this.#ended = run;
  }

  #considerBeep(): void {
    const run = this.#ended;
    if (run === undefined) return;
    this.#ended = undefined;
    const melody =
      this.#before !== undefined &&
      run.startMs - this.#before.endMs < MELODY_MS &&
      Math.abs(this.#before.frequency - run.frequency) > MELODY_HZ;
    this.#before = run;
    const ms = lengthOf(run);
    if (!melody && ms >= BEEP_MS.shortest && ms <= BEEP_MS.longest) this.#found("beep", run.endMs);
  }

  #hear(): Heard {
    if (decibels(mostPower(this.#ring)) < QUIET_DB) return "quiet";
    this.#spectrum.take(this.#ring, this.#taken % WINDOW);
    const { power } = this.#spectrum;
    let [total, peak] = [0, FIRST_BIN];
    for (let bin = LOWEST_BIN; bin < power.length; bin++) {
      total += power[bin] ?? 0;
      if (bin >= FIRST_BIN && bin <= LAST_BIN && (power[bin] ?? 0) > (power[peak] ?? 0)) peak = bin;
    }
    const level = decibels(total);
    if (level < QUIET_DB || (this.#loudest !== undefined && level < this.#loudest - DROP_DB)) return "quiet";
    let near = 0;
    for (let bin = peak - 2; bin <= peak + 2; bin++) near += power[bin] ?? 0;
    return near < PURE * total ? "other" : { frequency: (peak + offset(power, peak)) * (RATE / WINDOW), level };
  }

  /** How loud the tone is that is on, or was just now. */
  get #loudest(): number | undefined {
    return (this.#run ?? this.#ended)?.level;
  }
}

/** Tells fax machines by their tones (ITU-T T.30): the called one answers with 2100 Hz, the calling one beeps 1100 Hz every 3.5 s. */
class FaxTones {
  #answered: Run | undefined;
  #called: Run | undefined;
  #told = false;

  /** A tone that goes on; true when it is certain now that a fax makes it, once. */
  goesOn(run: Run): boolean {
    return near(run.frequency, 2100, 25) && lengthOf(run) >= ANSWER_MS && this.#tell();
  }

  /** A tone that has ended. The answer's phase is turned every 450 ms, which cuts it into pieces. */
  ended(run: Run): boolean {
    if (near(run.frequency, 2100, 25) && lengthOf(run) >= PHASE_MS) {
      const follows = this.#answered !== undefined && run.startMs - this.#answered.endMs < 150;
      this.#answered = run;
      return follows && this.#tell();
    }
    if (near(run.frequency, 1100, 40) && lengthOf(run) >= 400 && lengthOf(run) <= 620) {
      const pause = this.#called === undefined ? 0 : run.startMs - this.#called.endMs;
      this.#called = run;
      return pause > 2500 && pause < 3700 && this.#tell();
    }
    return false;
  }

  #tell(): boolean {
    const first = !this.#told;
    this.#told = true;
    return first;
  }
}

/** The rate that engines hear at, and a window of 32 ms. */
const RATE = 16_000;
const WINDOW = 512;
const HOP = WINDOW / 2;
const WINDOW_MS = (WINDOW * 1000) / RATE;

/** Hum of the mains and the line lies below 100 Hz; beeps between 340 Hz and 2.6 kHz. */
const LOWEST_BIN = 4;
const FIRST_BIN = 11;
const LAST_BIN = 83;

/** Of all power, the part around the loudest frequency that makes a tone; µ-law adds noise of 1 in 1000. */
const PURE = 0.92;

/** Power of the spectrum in dB; a sine of full scale has −4. Telephone lines are below −55 where nobody speaks. */
const QUIET_DB = -48;

/** Quieter by so much than the tone just heard is quiet, though the line may hiss. */
const DROP_DB = 18;

const QUIET_WINDOWS = 4;
const TAIL_MS = 100;

/** A tone shorter than this is no note: whistles and vowels stand still for a moment too. */
const NOTE_MS = 64;
const BEEP_MS = { shortest: 110, longest: 2500 } as const;
const MELODY_MS = 300;
const MELODY_HZ = 20;

const ANSWER_MS = 1000;
const PHASE_MS = 300;

const decibels = (power: number): number => 10 * Math.log10(Math.max(power, 1e-12));

/** What all bins together have at most (Parseval): most of a call is silence, and needs no transform. */
const mostPower = (ring: Int16Array): number => {
  let sum = 0;
  for (const sample of ring) sum += sample * sample;
  return (4 * sum) / (ring.length * 32_768 ** 2);
};

const lengthOf = ({ startMs, endMs }: Run): number => endMs - startMs;

const near = (frequency: number, of: number, by: number): boolean => Math.abs(frequency - of) <= by;

/** The same tone: no voice holds a pitch to 6 Hz, and no machine's beep swells. */
const continues = (run: Run, { frequency, level }: Readonly<{ frequency: number; level: number }>): boolean =>
  near(frequency, run.frequency, Math.max(6, run.frequency * 0.006)) && level > run.level - 6;

/** Where between the bins the peak lies, −0.5 to 0.5: a parabola through the three highest, in logarithms. */
const offset = (power: Float64Array, peak: number): number => {
  const [left, middle, right] = [-1, 0, 1].map((by) => Math.log(Math.max(power[peak + by] ?? 0, 1e-15))) as [
    number,
    number,
    number,
  ];
  const curve = left - 2 * middle + right;
  return curve === 0 ? 0 : (left - right) / (2 * curve);
};
