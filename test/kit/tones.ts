/** A sine of `frequency` Hz lasting `ms`, at `amplitude` of full scale (0 to 1); `phase` in radians. */
export const tone = (frequency: number, ms: number, sampleRate: number, amplitude = 0.5, phase = 0): Int16Array =>
  Int16Array.from({ length: Math.round((ms * sampleRate) / 1000) }, (_, index) =>
    Math.round(32_767 * amplitude * Math.sin((2 * Math.PI * frequency * index) / sampleRate + phase)),
  );

export const silence = (ms: number, sampleRate: number): Int16Array =>
  new Int16Array(Math.round((ms * sampleRate) / 1000));

export const concat = (...parts: readonly Int16Array[]): Int16Array => {
  const whole = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

/** Amplitude (0 to 1 of full scale) of one frequency in the samples, by Goertzel's algorithm. */
export const amplitudeAt = (samples: Int16Array, frequency: number, sampleRate: number): number => {
  const coefficient = 2 * Math.cos((2 * Math.PI * frequency) / sampleRate);
  let before = 0;
  let last = 0;
  for (const sample of samples) {
    const next = sample / 32_767 + coefficient * last - before;
    before = last;
    last = next;
  }
  const power = last * last + before * before - coefficient * last * before;
  return samples.length === 0 ? 0 : (2 * Math.sqrt(Math.max(0, power))) / samples.length;
};

/** The loudest of the frequencies 100, 110, 120 … Hz below Nyquist; undefined when everything is below −50 dBFS. */
export const dominantFrequency = (samples: Int16Array, sampleRate: number): number | undefined => {
  let loudest = 0.003;
  let found: number | undefined;
  for (let frequency = 100; frequency < sampleRate / 2; frequency += 10) {
    const amplitude = amplitudeAt(samples, frequency, sampleRate);
    if (amplitude > loudest) [loudest, found] = [amplitude, frequency];
  }
  return found;
};

/** RMS of each window of `windowMs`, 0 to 1 of full scale. */
export const envelope = (samples: Int16Array, sampleRate: number, windowMs = 20): number[] => {
  const length = Math.round((sampleRate * windowMs) / 1000);
  return Array.from({ length: Math.floor(samples.length / length) }, (_, window) => {
    const piece = samples.subarray(window * length, (window + 1) * length);
    return Math.sqrt(piece.reduce((sum, sample) => sum + (sample / 32_767) ** 2, 0) / length);
  });
};

/**
 * What is left of `samples` when the best-fitting sine of `frequency` is taken out, in dB below that sine: the
 * signal-to-noise ratio of a tone.
 */
export const toneSnrDb = (samples: Int16Array, frequency: number, sampleRate: number): number => {
  const angle = (index: number) => (2 * Math.PI * frequency * index) / sampleRate;
  let [ss, cc, sc, xs, xc] = [0, 0, 0, 0, 0];
  samples.forEach((sample, index) => {
    const [sine, cosine] = [Math.sin(angle(index)), Math.cos(angle(index))];
    ss += sine * sine;
    cc += cosine * cosine;
    sc += sine * cosine;
    xs += sample * sine;
    xc += sample * cosine;
  });
  const determinant = ss * cc - sc * sc;
  const a = (xs * cc - xc * sc) / determinant;
  const b = (xc * ss - xs * sc) / determinant;
  let [signal, noise] = [0, 0];
  samples.forEach((sample, index) => {
    const fitted = a * Math.sin(angle(index)) + b * Math.cos(angle(index));
    signal += fitted * fitted;
    noise += (sample - fitted) ** 2;
  });
  return 10 * Math.log10(signal / noise);
};
