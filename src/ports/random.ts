/** Chance and identity, injected so that a simulation is the same for the same seed. */
export interface Random {
  /** A UUIDv7: sortable by time, safe as a keyset cursor. */
  id(): string;
  /** `bytes` of unpredictable randomness as base64url; for tokens and keys. */
  secret(bytes: number): string;
  /** Uniform in [0, 1); for jitter and for picking a message. */
  fraction(): number;
}

/** One of the items, each as likely; `undefined` of an empty list. */
export const pick = <T>(random: Random, items: readonly T[]): T | undefined =>
  items[Math.floor(random.fraction() * items.length)];
