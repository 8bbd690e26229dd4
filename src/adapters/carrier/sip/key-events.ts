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

/** Packets of one press that is sent: five of 20 ms each, then the last one three times, as RFC 4733, section 2.5.1.4, asks. */
export const KEY_PACKETS = 8;

/** The payload of packet `index` of a press, 0 to 7. */
export const keyPayload = (key: string, index: number): Uint8Array => {
  const payload = new Uint8Array(4);
  payload[0] = KEYS.indexOf(key);
  const [ended, ticks] = index < HELD_PACKETS ? [0, index + 1] : [END, HELD_PACKETS];
  payload[1] = ended | VOLUME;
  new DataView(payload.buffer).setUint16(2, ticks * TICKS);
  return payload;
};

const HELD_PACKETS = 5;

/** 20 ms at 8000 a second. */
const TICKS = 160;
const END = 0x80;

/** Less than full, in dBm0. */
const VOLUME = 10;
