/**
 * Power spectrum of windows of one size, a power of two, weighed by Hann's window. The buffers are its own: nothing is allocated for a
 * window, and `power` holds the last one until the next.
 */
export class Spectrum {
  readonly size: number;
  /** Bins 0 to half the size, both included; a sine of full scale in the middle of a bin has about 1/4 there. */
  readonly power: Float64Array;
  readonly #re: Float64Array;
  readonly #im: Float64Array;
  readonly #cos: Float64Array;
  readonly #sin: Float64Array;
  readonly #hann: Float64Array;

  constructor(size: number) {
    this.size = size;
    this.power = new Float64Array(size / 2 + 1);
    this.#re = new Float64Array(size);
    this.#im = new Float64Array(size);
    this.#cos = Float64Array.from({ length: size / 2 }, (_, index) => Math.cos((2 * Math.PI * index) / size));
    this.#sin = Float64Array.from({ length: size / 2 }, (_, index) => Math.sin((2 * Math.PI * index) / size));
    this.#hann = Float64Array.from({ length: size }, (_, index) => 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / size));
  }

  /** Takes `size` samples from a ring, of which the one at `from` is the oldest. */
  take(ring: Int16Array, from: number): void {
    const { size } = this;
    const bits = Math.log2(size);
    for (let index = 0; index < size; index++) {
      const to = reversed(index, bits);
      this.#re[to] = ((ring[(from + index) % ring.length] ?? 0) / 32_768) * (this.#hann[index] ?? 0);
      this.#im[to] = 0;
    }
    for (let half = 1; half < size; half *= 2) this.#combine(half);
    for (let bin = 0; bin < this.power.length; bin++)
      this.power[bin] = ((this.#re[bin] ?? 0) ** 2 + (this.#im[bin] ?? 0) ** 2) / (size / 2) ** 2;
  }

  /** One stage of Cooley and Tukey's transform: pairs of `half` become one of twice that. */
  #combine(half: number): void {
    const [re, im] = [this.#re, this.#im];
    const stride = this.size / (2 * half);
    for (let base = 0; base < this.size; base += 2 * half)
      for (let offset = 0; offset < half; offset++) {
        const [low, high] = [base + offset, base + offset + half];
        const cos = this.#cos[offset * stride] ?? 0;
        const sin = this.#sin[offset * stride] ?? 0;
        const turnedRe = (re[high] ?? 0) * cos + (im[high] ?? 0) * sin;
        const turnedIm = (im[high] ?? 0) * cos - (re[high] ?? 0) * sin;
        re[high] = (re[low] ?? 0) - turnedRe;
        im[high] = (im[low] ?? 0) - turnedIm;
        re[low] = (re[low] ?? 0) + turnedRe;
        im[low] = (im[low] ?? 0) + turnedIm;
      }
  }
}

const reversed = (index: number, bits: number): number => {
  let to = 0;
  for (let bit = 0; bit < bits; bit++) to |= ((index >> bit) & 1) << (bits - 1 - bit);
  return to;
};
