/** What is known of the pauses that a caller makes within turns: how many were heard, and the sum of their logarithms. */
export type CallerPauses = Readonly<{ count: number; logSum: number }>;

export const noPauses: CallerPauses = { count: 0, logSum: 0 };

/** Takes in a pause within a turn, in milliseconds. What is longer than 5 s was no pause for breath and is left out. */
export const learnPause = (pauses: CallerPauses, pauseMs: number): CallerPauses =>
  pauseMs < SHORTEST_MS || pauseMs > LONGEST_MS
    ? pauses
    : { count: pauses.count + 1, logSum: pauses.logSum + Math.log(pauseMs / USUAL_MS) };

/**
 * How long this caller pauses against the usual, 0.75 to 1.6. Pauses are spread evenly on a logarithmic scale (Campione and
 * Véronis, 2002), so their geometric mean is what is learnt; the usual counts as much as four pauses.
 */
export const pauseFactor = (pauses: CallerPauses): number =>
  Math.min(MOST, Math.max(LEAST, Math.exp(pauses.logSum / (pauses.count + PRIOR_COUNT))));

const USUAL_MS = 600;
const PRIOR_COUNT = 4;
const SHORTEST_MS = 200;
const LONGEST_MS = 5000;
const LEAST = 0.75;
const MOST = 1.6;
