/** What a log-mel spectrogram is made with: Whisper's, on which its descendants were trained. */
const RATE = 16_000;
const SIZE = 400;
const HOP = 160;
const BINS = SIZE / 2 + 1;

export const MELS = 80;

/**
 * Whisper's log-mel spectrogram of 16 kHz sound (−1 to 1): 80 bands in rows, one column for each 10 ms, as many as `sound` has.
 * Windows are centred, with the sound mirrored at both ends; the loudest value sets a floor 8 decades below; results are about −1 to 1.5.
 */
export const logMel = (sound: Float32Array): Float32Array => {
  const frames = Math.floor(sound.length / HOP);
  const mel = new Float32Array(MELS * frames);
  const re = new Float64Array(SIZE);
  const im = new Float64Array(SIZE);
  const power = new Float64Array(BINS);
  let loudest = -Infinity;
  for (let frame = 0; frame < frames; frame++) {
    window(sound, frame * HOP - SIZE / 2, re, im);
    transform(re, im);
    for (let bin = 0; bin < BINS; bin++) power[bin] = (re[bin] ?? 0) ** 2 + (im[bin] ?? 0) ** 2;
    for (const [band, { from, weights }] of FILTERS.entries()) {
      let sum = 0;
      for (const [offset, weight] of weights.entries()) sum += weight * (power[from + offset] ?? 0);
      const level = Math.log10(Math.max(sum, 1e-10));
      mel[band * frames + frame] = level;
      loudest = Math.max(loudest, level);
    }
  }
  for (let index = 0; index < mel.length; index++) mel[index] = (Math.max(mel[index] ?? 0, loudest - 8) + 4) / 4;
  return mel;
};

/** Mirrored without repeating the sample at the end; sound shorter than the mirror counts as silence there. */
const window = (sound: Float32Array, from: number, re: Float64Array, im: Float64Array): void => {
  const last = sound.length - 1;
  for (let index = 0; index < SIZE; index++) {
    const at = from + index;
    const mirrored = last - Math.abs(last - Math.abs(at));
    re[index] = (sound[mirrored] ?? 0) * (HANN[index] ?? 0);
    im[index] = 0;
  }
};

const HANN = Float64Array.from({ length: SIZE }, (_, index) => 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / SIZE));

const ODD = 25;

/** Fourier transform in place: halved four times, then 25 points directly. */
const transform = (re: Float64Array, im: Float64Array): void => {
  const size = re.length;
  if (size === ODD) {
    direct(re, im);
    return;
  }
  const half = size / 2;
  const [evenRe, evenIm, oddRe, oddIm] = [0, 1, 2, 3].map(() => new Float64Array(half)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  for (let index = 0; index < half; index++) {
    evenRe[index] = re[2 * index] ?? 0;
    evenIm[index] = im[2 * index] ?? 0;
    oddRe[index] = re[2 * index + 1] ?? 0;
    oddIm[index] = im[2 * index + 1] ?? 0;
  }
  transform(evenRe, evenIm);
  transform(oddRe, oddIm);
  const stride = SIZE / size;
  for (let index = 0; index < half; index++) {
    const cos = COS[index * stride] ?? 0;
    const sin = SIN[index * stride] ?? 0;
    const turnedRe = (oddRe[index] ?? 0) * cos + (oddIm[index] ?? 0) * sin;
    const turnedIm = (oddIm[index] ?? 0) * cos - (oddRe[index] ?? 0) * sin;
    re[index] = (evenRe[index] ?? 0) + turnedRe;
    im[index] = (evenIm[index] ?? 0) + turnedIm;
    re[index + half] = (evenRe[index] ?? 0) - turnedRe;
    im[index + half] = (evenIm[index] ?? 0) - turnedIm;
  }
};

const direct = (re: Float64Array, im: Float64Array): void => {
  const fromRe = re.slice();
  const fromIm = im.slice();
  const stride = SIZE / ODD;
  for (let bin = 0; bin < ODD; bin++) {
    let [sumRe, sumIm] = [0, 0];
    for (let index = 0; index < ODD; index++) {
      const turn = ((bin * index) % ODD) * stride;
      sumRe += (fromRe[index] ?? 0) * (COS[turn] ?? 0) + (fromIm[index] ?? 0) * (SIN[turn] ?? 0);
      sumIm += (fromIm[index] ?? 0) * (COS[turn] ?? 0) - (fromRe[index] ?? 0) * (SIN[turn] ?? 0);
    }
    re[bin] = sumRe;
    im[bin] = sumIm;
  }
};

const COS = Float64Array.from({ length: SIZE }, (_, index) => Math.cos((2 * Math.PI * index) / SIZE));
const SIN = Float64Array.from({ length: SIZE }, (_, index) => Math.sin((2 * Math.PI * index) / SIZE));

/** Slaney's mel scale: linear up to 1 kHz, logarithmic above. */
const toHz = (mel: number): number => (mel < 15 ? (mel * 200) / 3 : 1000 * Math.exp((mel - 15) * (Math.log(6.4) / 27)));
const toMel = (hz: number): number => (hz < 1000 ? (hz * 3) / 200 : 15 + Math.log(hz / 1000) / (Math.log(6.4) / 27));

/** Triangles that overlap by half, each of the same area. */
const FILTERS: readonly Readonly<{ from: number; weights: readonly number[] }>[] = Array.from(
  { length: MELS },
  (_, band) => {
    const [low = 0, middle = 0, high = 0] = [0, 1, 2].map((step) =>
      toHz((toMel(RATE / 2) * (band + step)) / (MELS + 1)),
    );
    const weights = Array.from({ length: BINS }, (_unused, bin) => {
      const hz = (bin * RATE) / SIZE;
      return Math.max(0, Math.min((hz - low) / (middle - low), (high - hz) / (high - middle))) * (2 / (high - low));
    });
    const from = weights.findIndex((weight) => weight > 0);
    const to = weights.findLastIndex((weight) => weight > 0) + 1;
    return { from: Math.max(0, from), weights: from === -1 ? [] : weights.slice(from, to) };
  },
);
