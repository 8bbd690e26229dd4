/** The least that is made before the loop comes round, in seconds: long enough that nobody notices. */
export const OFFICE_SECONDS = 24;

/** The end of the loop is faded into its beginning over so long, in seconds. */
const SEAM_SECONDS = 1;

/** Colleagues, by the pitch of their voices in hertz and how loud they are from here. */
const TALKERS = [
  { pitch: 105, loudness: 1 },
  { pitch: 190, loudness: 0.8 },
  { pitch: 132, loudness: 0.6 },
  { pitch: 215, loudness: 0.5 },
] as const;

/** First two formants of vowels, in hertz (Peterson and Barney, 1952, rounded). */
const VOWELS = [
  [730, 1090],
  [530, 1840],
  [270, 2290],
  [570, 840],
  [300, 870],
  [640, 1190],
] as const;

/**
 * The sound of an office, made here and nowhere recorded: air in a room, colleagues whose words cannot be told, now and then a
 * keyboard. One round of a loop without a seam, {@link OFFICE_SECONDS} long; the same for the same `seed`. Comes tenth by tenth of a
 * second, since the whole would hold up other calls. Levels are for {@link toLevel} to set.
 */
export const makeOffice = function* (sampleRate: number, seed = 7): Generator<undefined, Int16Array> {
  const chance = seededChance(seed);
  const sources = [
    roomTone(chance),
    ...TALKERS.map((talker) => voice(chance, talker, sampleRate)),
    keyboard(chance, sampleRate),
  ];
  const length = OFFICE_SECONDS * sampleRate;
  const seam = SEAM_SECONDS * sampleRate;
  const raw = new Float32Array(length + seam);
  for (let at = 0; at < raw.length; at++) {
    let sum = 0;
    for (const source of sources) sum += source();
    raw[at] = sum;
    if (at % (sampleRate / 10) === 0) yield undefined;
  }
  const loop = new Int16Array(length);
  for (let at = 0; at < length; at++) {
    if (at % sampleRate === 0) yield undefined;
    const fade = Math.min(1, at / seam);
    const tail = at < seam ? (raw[length + at] as number) * Math.sqrt(1 - fade) : 0;
    loop[at] = Math.round(8000 * Math.tanh((raw[at] as number) * Math.sqrt(fade) + tail));
  }
  return loop;
};

/** What a partition lets through. */
const WALL_HZ = 1500;

type Source = () => number;

/** Noise below a few hundred hertz, as of air and far machines. */
const roomTone = (chance: Source): Source => {
  let slow = 0;
  return () => {
    slow += 0.03 * (chance() - 0.5 - slow);
    return slow * 1.2;
  };
};

/** Speech without words: syllables of a voice behind a wall, in phrases with pauses between them. */
const voice = (chance: Source, { pitch, loudness }: (typeof TALKERS)[number], rate: number): Source => {
  const low = resonator(rate);
  const high = resonator(rate);
  let [phase, left, level, target, muffled] = [0, 0, 0, 0, 0];
  const wall = 1 - Math.exp((-2 * Math.PI * WALL_HZ) / rate);
  let speed = pitch / rate;
  return () => {
    if (left <= 0) {
      const pauses = chance() < 0.12;
      left = (pauses ? 0.4 + 1.6 * chance() : 0.09 + 0.14 * chance()) * rate;
      target = pauses ? 0 : (0.3 + 0.7 * chance()) * loudness;
      speed = (pitch * (0.88 + 0.3 * chance())) / rate;
      const [first, second] = VOWELS[Math.floor(chance() * VOWELS.length)] as (typeof VOWELS)[number];
      low.tune(first, 90);
      high.tune(second, 140);
    }
    left -= 1;
    level += (target - level) * (60 / rate);
    phase += speed;
    if (phase >= 1) phase -= 1;
    // A pulse of the voice: a falling edge each period, and a little breath.
    const excited = level * (0.5 - phase + 0.1 * (chance() - 0.5));
    const spoken = low.next(excited) + 0.5 * high.next(excited);
    muffled += wall * (spoken - muffled);
    return muffled * 0.5;
  };
};

const keyboard = (chance: Source, rate: number): Source => {
  let wait = rate;
  let strength = 0;
  let typing = 0;
  return () => {
    wait -= 1;
    if (wait <= 0) {
      typing = typing > 0 ? typing - 1 : Math.floor(5 + 25 * chance());
      wait = (typing === 0 ? 2 + 4 * chance() : 0.09 + 0.16 * chance()) * rate;
      strength = 0.08 + 0.08 * chance();
    }
    strength *= 1 - 260 / rate;
    return strength * (chance() - 0.5);
  };
};

/** A resonance of unit gain at its centre. */
const resonator = (rate: number) => {
  let [a, b, gain, last, before] = [0, 0, 0, 0, 0];
  return {
    tune: (frequency: number, bandwidth: number): void => {
      const radius = Math.exp((-Math.PI * bandwidth) / rate);
      const angle = (2 * Math.PI * Math.min(frequency, rate * 0.45)) / rate;
      a = 2 * radius * Math.cos(angle);
      b = -radius * radius;
      gain = (1 - radius) * Math.sqrt(1 - 2 * radius * Math.cos(2 * angle) + radius * radius);
    },
    next: (value: number): number => {
      const out = gain * value + a * last + b * before;
      before = last;
      last = out;
      return out * 4;
    },
  };
};

/** Numbers from 0 to 1, the same for the same seed (xorshift32); they shape a sound and decide nothing. */
const seededChance = (seed: number): Source => {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
};
