/** Keys that the other party is to press: how many at most, which one ends them, how long each is waited for. */
export type WantedKeys = Readonly<{ maxDigits: number; finishKey: string; timeoutMs: number; sensitive: boolean }>;
