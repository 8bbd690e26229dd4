import { randomBytes } from "node:crypto";
import type { Random } from "../../ports/random.ts";

/** Bits of the counter that keeps ids of one millisecond in order (RFC 9562, section 6.2, method 1). */
const COUNTER_BITS = 12;

/** The machine's cryptographic randomness. */
export class SystemRandom implements Random {
  readonly #now: () => number;
  #lastMs = 0;
  #counter = 0;

  /** `now` gives the wall clock in milliseconds. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /**
   * A UUIDv7: 48 bits of time, 12 of a counter, 62 of chance. Later ids of this process always sort after earlier ones: when
   * the counter is used up, or the machine's clock goes back, time is taken from the last id instead.
   */
  id(): string {
    const now = this.#now();
    if (now > this.#lastMs) {
      this.#lastMs = now;
      this.#counter = randomBytes(1)[0] ?? 0;
    } else {
      this.#counter += 1;
      if (this.#counter >= 1 << COUNTER_BITS) {
        this.#lastMs += 1;
        this.#counter = 0;
      }
    }
    const bytes = randomBytes(16);
    bytes.writeUIntBE(this.#lastMs, 0, 6);
    bytes.writeUInt16BE(0x7000 | this.#counter, 6);
    bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
    const hex = bytes.toString("hex");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }

  secret(bytes: number): string {
    return randomBytes(bytes).toString("base64url");
  }

  /** 53 bits, the precision of a double. */
  fraction(): number {
    const bytes = randomBytes(7);
    return ((bytes.readUInt8(0) & 0x1f) * 2 ** 48 + bytes.readUIntBE(1, 6)) / 2 ** 53;
  }
}
