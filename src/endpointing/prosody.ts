/** How a stretch of speech ended. What could not be measured, in a whisper or in noise, is absent. */
export type Prosody = Readonly<{
  /** Pitch at the end against the middle of the stretch, in semitones; below zero where the voice fell. */
  endPitch?: number;
  /** Slope of the pitch over the last 300 ms that have one, in semitones a second. */
  pitchSlope?: number;
  /** Loudness of the last 200 ms of voice against the whole stretch, in dB. */
  endEnergyDb?: number;
  /** Length of the last voiced run against the mean of those before it; above 1 where the end was drawn out. */
  lengthening?: number;
}>;

/**
 * Measures the end of a stretch of speech; `samples` end where the voice ended, about 1.5 s of them are enough (200 ms at least),
 * `rate` in samples a second from 8000. Takes a third of a millisecond: call it once where speech ends, not for every frame.
 */
export const prosodyOf = (samples: Int16Array, rate: number): Prosody => {
  const sound = lowered(samples, rate);
  const track = pitchTrack(sound);
  const voiced = track.filter((frame) => frame.semitones !== undefined);
  const loudest = Math.max(0, ...track.map(({ rms }) => rms));
  if (voiced.length < MIN_VOICED || loudest === 0) return {};
  return { ...pitchShape(track), ...energyShape(track), ...lengthening(track) };
};

type Frame = Readonly<{ atMs: number; semitones: number | undefined; rms: number }>;

/** Pitch of voices is below 400 Hz, for which 4000 samples a second are plenty. */
const LOW_RATE = 4000;
const HOP_MS = 20;
const HOP = (HOP_MS * LOW_RATE) / 1000;
const WINDOW = 2 * HOP;
const MIN_LAG = 10;
const MAX_LAG = 62;
/** Share of the window's energy that is not periodic; YIN's authors take 0.1 for clean speech, telephone noise needs more. */
const APERIODIC = 0.3;
const MIN_VOICED = 6;

/** Block means: a crude low pass, good enough below 400 Hz. */
const lowered = (samples: Int16Array, rate: number): Float64Array => {
  const step = rate / LOW_RATE;
  const sound = new Float64Array(Math.floor(samples.length / step));
  for (let index = 0; index < sound.length; index++) {
    const from = Math.floor(index * step);
    const to = Math.max(from + 1, Math.floor((index + 1) * step));
    let sum = 0;
    for (let at = from; at < to; at++) sum += samples[at] as number;
    sound[index] = sum / (to - from);
  }
  return sound;
};

const pitchTrack = (sound: Float64Array): readonly Frame[] => {
  const count = Math.max(0, Math.floor((sound.length - WINDOW - MAX_LAG) / HOP) + 1);
  const hops = new Hops(sound);
  const frames = Array.from({ length: count }, (_, index) => frameAt(hops, index));
  const loudest = frames.reduce((most, { rms }) => Math.max(most, rms), 0);
  const quiet = loudest * 0.08;
  return withoutJumps(frames.map((frame) => (frame.rms < quiet ? { ...frame, semitones: undefined } : frame)));
};

/** What windows are summed up from: each is two hops long, so that every hop is looked at once for both windows that it is in. */
class Hops {
  readonly #sound: Float64Array;
  readonly #differences = new Map<number, Float64Array>();

  constructor(sound: Float64Array) {
    this.#sound = sound;
  }

  energy(hop: number): number {
    const sound = this.#sound;
    let energy = 0;
    for (let at = hop * HOP; at < (hop + 1) * HOP; at++) energy += (sound[at] as number) * (sound[at] as number);
    return energy;
  }

  /** Squared differences between a hop and the sound from 0 to {@link MAX_LAG} behind it. */
  differences(hop: number): Float64Array {
    const known = this.#differences.get(hop);
    if (known !== undefined) return known;
    const sound = this.#sound;
    const differences = new Float64Array(MAX_LAG + 1);
    const from = hop * HOP;
    for (let lag = 1; lag <= MAX_LAG; lag++) {
      let sum = 0;
      for (let at = from; at < from + HOP; at++) {
        const difference = (sound[at] as number) - (sound[at + lag] as number);
        sum += difference * difference;
      }
      differences[lag] = sum;
    }
    this.#differences.set(hop, differences);
    return differences;
  }
}

/** YIN (de Cheveigné and Kawahara, 2002): the first lag at which the cumulative mean normalized difference dips. */
const frameAt = (hops: Hops, index: number): Frame => {
  const atMs = index * HOP_MS;
  const rms = Math.sqrt((hops.energy(index) + hops.energy(index + 1)) / WINDOW);
  if (rms < 20) return { atMs, semitones: undefined, rms };
  const first = hops.differences(index);
  const second = hops.differences(index + 1);
  const normalized = new Float64Array(MAX_LAG + 1).fill(1);
  let sum = 0;
  for (let lag = 1; lag <= MAX_LAG; lag++) {
    const difference = (first[lag] as number) + (second[lag] as number);
    sum += difference;
    normalized[lag] = sum === 0 ? 1 : (difference * lag) / sum;
  }
  const lag = dip(normalized);
  return { atMs, semitones: lag === undefined ? undefined : 12 * Math.log2(LOW_RATE / lag / 100), rms };
};

const dip = (normalized: Float64Array): number | undefined => {
  const at = (lag: number) => normalized[lag] ?? 1;
  for (let lag = MIN_LAG; lag < MAX_LAG; lag++) {
    if (at(lag) > APERIODIC || at(lag + 1) < at(lag)) continue;
    const curve = at(lag - 1) + at(lag + 1) - 2 * at(lag);
    return curve <= 0 ? lag : lag + (at(lag - 1) - at(lag + 1)) / (2 * curve);
  }
  return undefined;
};

/** Octave errors: what lies far from the median of all is taken out. */
const withoutJumps = (frames: readonly Frame[]): readonly Frame[] => {
  const middle = median(frames.flatMap(({ semitones }) => semitones ?? []));
  return frames.map((frame) =>
    frame.semitones === undefined || middle === undefined || Math.abs(frame.semitones - middle) <= 9
      ? frame
      : { ...frame, semitones: undefined },
  );
};

const pitchShape = (track: readonly Frame[]): Prosody => {
  const pitched = track.filter((frame): frame is Frame & { semitones: number } => frame.semitones !== undefined);
  const endMs = pitched.at(-1)?.atMs ?? 0;
  const end = pitched.filter(({ atMs }) => atMs > endMs - 120);
  const middle = median(pitched.map(({ semitones }) => semitones));
  const level = median(end.map(({ semitones }) => semitones));
  if (middle === undefined || level === undefined || end.length < 3) return {};
  const slope = slopeOf(pitched.filter(({ atMs }) => atMs > endMs - 300));
  return { endPitch: level - middle, ...(slope === undefined ? {} : { pitchSlope: slope }) };
};

const slopeOf = (frames: readonly (Frame & { semitones: number })[]): number | undefined => {
  if (frames.length < 6) return undefined;
  const meanAt = frames.reduce((sum, { atMs }) => sum + atMs, 0) / frames.length;
  const mean = frames.reduce((sum, { semitones }) => sum + semitones, 0) / frames.length;
  let product = 0;
  let square = 0;
  for (const { atMs, semitones } of frames) {
    product += (atMs - meanAt) * (semitones - mean);
    square += (atMs - meanAt) ** 2;
  }
  return square === 0 ? undefined : (product / square) * 1000;
};

const energyShape = (track: readonly Frame[]): Prosody => {
  const pitched = track.filter(({ semitones }) => semitones !== undefined);
  const endMs = pitched.at(-1)?.atMs ?? 0;
  const level = (frames: readonly Frame[]) =>
    Math.sqrt(frames.reduce((sum, { rms }) => sum + rms ** 2, 0) / frames.length);
  const end = pitched.filter(({ atMs }) => atMs > endMs - 200);
  return end.length === 0 ? {} : { endEnergyDb: 20 * Math.log10(level(end) / level(pitched)) };
};

const lengthening = (track: readonly Frame[]): Prosody => {
  const runs: number[] = [];
  let length = 0;
  for (const { semitones } of [...track, { semitones: undefined }]) {
    if (semitones !== undefined) length += 1;
    else {
      if (length >= 2) runs.push(length);
      length = 0;
    }
  }
  const last = runs.pop();
  if (last === undefined || runs.length === 0) return {};
  return { lengthening: last / (runs.reduce((sum, run) => sum + run, 0) / runs.length) };
};

const median = (values: readonly number[]): number | undefined =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
