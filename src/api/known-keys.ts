import type { Clock } from "../ports/clock.ts";
import type { Catalogue, KnownKey } from "../ports/store.ts";

/** How long a key is taken as known without asking again: how long one that another process revoked goes on here, at most. */
export const KEY_KNOWN_MS = 5000;

/** Keys that are remembered at most; the one that was looked up first goes first. */
const MOST_KEYS = 1000;

/**
 * API keys by their hashes, as they were in the store a moment ago. What is unknown is not remembered: a new key works at once, and
 * guesses take no room.
 */
export class KnownKeys {
  readonly #catalogue: Pick<Catalogue, "findApiKey">;
  readonly #clock: Clock;
  /** In the order in which they were looked up. */
  readonly #known = new Map<string, Readonly<{ key: KnownKey; until: number }>>();
  /** Counts revocations, so that a look-up that was under way during one is not believed. */
  #revoked = 0;

  constructor(catalogue: Pick<Catalogue, "findApiKey">, clock: Clock) {
    this.#catalogue = catalogue;
    this.#clock = clock;
  }

  async find(sha256: string): Promise<KnownKey | undefined> {
    const known = this.#known.get(sha256);
    if (known !== undefined && this.#clock.monotonic() < known.until) return known.key;
    // Counted from before the question, since the answer may take its time.
    const until = this.#clock.monotonic() + KEY_KNOWN_MS;
    const revoked = this.#revoked;
    const key = await this.#catalogue.findApiKey(sha256);
    this.#known.delete(sha256);
    if (key !== undefined && revoked === this.#revoked) this.#known.set(sha256, { key, until });
    const oldest = this.#known.keys().next();
    if (this.#known.size > MOST_KEYS && oldest.done !== true) this.#known.delete(oldest.value);
    return key;
  }

  /** A key was revoked, and is asked for again from now on. */
  forget(keyId: string): void {
    this.#revoked += 1;
    for (const [sha256, { key }] of this.#known) if (key.id === keyId) this.#known.delete(sha256);
  }
}
