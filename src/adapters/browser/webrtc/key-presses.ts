const KEYS = "0123456789*#ABCD";

/** A key is told by some ten packets, and keys may overlap while packets are late. */
const REMEMBERED = 8;

/**
 * Keys from telephone-event packets (RFC 4733): every packet of one press has the timestamp of its beginning, so that any one of
 * them will do and the others are known again.
 */
export class KeyPresses {
  readonly #seen: number[] = [];

  /** The key of a packet that tells of a press for the first time. Events that are no keys (flash, tones of machines) are nothing. */
  take(payload: Uint8Array, timestamp: number): string | undefined {
    const key = payload.length < 4 ? undefined : KEYS[payload[0] as number];
    if (key === undefined || this.#seen.includes(timestamp)) return undefined;
    this.#seen.push(timestamp);
    if (this.#seen.length > REMEMBERED) this.#seen.shift();
    return key;
  }
}
