import type { Random } from "../../src/ports/random.ts";

/** Chance that is the same for the same seed (mulberry32). */
export class SeededRandom implements Random {
  #state: number;
  #count = 0;

  constructor(seed = 1) {
    this.#state = seed >>> 0;
  }

  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  id(): string {
    this.#count += 1;
    return `00000000-0000-7000-8000-${this.#count.toString(16).padStart(12, "0")}`;
  }

  secret(bytes: number): string {
    return Buffer.from(Array.from({ length: bytes }, () => Math.floor(this.fraction() * 256))).toString("base64url");
  }
}
