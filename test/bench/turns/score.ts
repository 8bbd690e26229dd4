import { expectedAnswer } from "../../../src/endpointing/expected-answer.ts";
import type { EndpointStrategy } from "../../../src/endpointing/endpoint-strategy.ts";
import { semanticStrategy, type SemanticPolicy } from "../../../src/endpointing/semantic-strategy.ts";
import { silenceStrategy } from "../../../src/endpointing/silence-strategy.ts";
import { KINDS, type Kind } from "./phrase.ts";
import type { Observation } from "./observe.ts";

/** What a strategy did on a set. */
export type Score = Readonly<{
  /** Silences inside turns in which the turn was taken, as a share of all such silences. */
  falseCutOffs: number;
  /** Turns that were taken too early at least once, as a share of the turns that have silences inside. */
  turnsCut: number;
  /** From the caller's last sound to the decision, in milliseconds. */
  medianMs: number;
  meanMs: number;
  p95Ms: number;
  byKind: Readonly<Partial<Record<Kind, Readonly<{ pauses: number; cut: number; ends: number; medianMs: number }>>>>;
}>;

/** A final text takes this long on one core of a small machine, in milliseconds (median of Moonshine base, 2 to 5 s of sound). */
export const DECODE_MS = 150;

export const score = (strategy: EndpointStrategy, set: readonly Observation[], waitsForText = true): Score => {
  const tallies = new Map<Kind, { pauses: number; cut: number; latencies: number[] }>();
  let turns = 0;
  let turnsCut = 0;
  for (const observation of set) {
    const tally = tallies.get(observation.kind) ?? { pauses: 0, cut: 0, latencies: [] };
    tallies.set(observation.kind, tally);
    const { early, latencyMs, silences } = play(strategy, observation, waitsForText);
    tally.pauses += silences;
    tally.cut += early;
    if (latencyMs !== undefined) tally.latencies.push(latencyMs);
    if (silences > 0) turns += 1;
    if (early > 0) turnsCut += 1;
  }
  const all = [...tallies.values()];
  const latencies = all.flatMap((tally) => tally.latencies).toSorted((a, b) => a - b);
  const sum = (pick: (tally: (typeof all)[number]) => number) => all.reduce((total, tally) => total + pick(tally), 0);
  return {
    falseCutOffs:
      sum(({ cut }) => cut) /
      Math.max(
        1,
        sum(({ pauses }) => pauses),
      ),
    turnsCut: turnsCut / Math.max(1, turns),
    medianMs: quantile(latencies, 0.5),
    meanMs: latencies.reduce((total, each) => total + each, 0) / latencies.length,
    p95Ms: quantile(latencies, 0.95),
    byKind: Object.fromEntries(
      KINDS.flatMap((kind) => {
        const tally = tallies.get(kind);
        if (tally === undefined) return [];
        const medianMs = quantile(
          tally.latencies.toSorted((a, b) => a - b),
          0.5,
        );
        return [[kind, { pauses: tally.pauses, cut: tally.cut, ends: tally.latencies.length, medianMs }]];
      }),
    ),
  };
};

/** A silence that the detector did not notice cannot cut anybody off; it counts as one that was let pass. */
const play = (strategy: EndpointStrategy, observation: Observation, waitsForText: boolean) => {
  const { stops, endMs, pauses } = observation;
  let early = 0;
  let latencyMs: number | undefined;
  let unlabelled = 0;
  for (const stop of stops) {
    const actsMs = actionMs(strategy, observation, stop, waitsForText);
    const inside = stop.resumedMs !== undefined && stop.lastVoicedMs < endMs - LABEL_SLACK_MS;
    if (
      inside &&
      !pauses.some(({ fromMs, untilMs }) => stop.lastVoicedMs > fromMs - 200 && stop.lastVoicedMs < untilMs)
    )
      unlabelled += 1;
    if (actsMs >= (stop.resumedMs ?? Infinity)) continue;
    if (inside) early += 1;
    else latencyMs ??= Math.max(0, actsMs - endMs);
  }
  return { early, latencyMs, silences: pauses.length + unlabelled };
};

/** The detector's last voiced window may lie this far before the last sound. */
const LABEL_SLACK_MS = 250;

/** When the agent takes the turn if nobody speaks again. */
export const actionMs = (
  strategy: EndpointStrategy,
  observation: Observation,
  stop: Observation["stops"][number],
  waitsForText = true,
): number => {
  const { text, prosody, lastVoicedMs, detectedMs } = stop;
  const { waitMs } = strategy.rule({ text, prosody, expected: expectedAnswer(observation.asked) });
  return Math.max(lastVoicedMs + waitMs, detectedMs + (waitsForText ? DECODE_MS : 0));
};

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

/** A way to run a strategy, from hasty to patient. */
export type Point = Readonly<{ setting: string; score: Score }>;

export const timerCurve = (set: readonly Observation[]): readonly Point[] =>
  range(200, 3000, 25).map((waitMs) => ({
    setting: `${waitMs} ms`,
    score: score(silenceStrategy(waitMs), set, false),
  }));

/** Sweeps threshold, delay and curve; the time-out is the mode's. */
export const semanticCurve = (
  policy: SemanticPolicy,
  set: readonly Observation[],
  shortestMs = policy.delayMs,
): readonly Point[] =>
  range(0.5, 0.98, 0.04).flatMap((threshold) =>
    range(shortestMs, Math.min(policy.timeoutMs, shortestMs + 1000), 50).flatMap((delayMs) =>
      [0.35, 0.5, 0.7, 1].map((curve) => ({
        setting: `threshold ${threshold.toFixed(2)}, delay ${delayMs} ms, curve ${curve}`,
        score: score(semanticStrategy({ ...policy, threshold, delayMs, curve }), set),
      })),
    ),
  );

/** The quickest point that cuts off at most `share`; `undefined` when there is none. */
export const quickestAt = (curve: readonly Point[], share: number): Point | undefined =>
  curve
    .filter((point) => point.score.falseCutOffs <= share)
    .toSorted((a, b) => a.score.medianMs - b.score.medianMs || a.score.meanMs - b.score.meanMs)[0];

/** The point that cuts off least while half of the turns are taken within `ms`. */
export const safestWithin = (curve: readonly Point[], ms: number): Point | undefined =>
  curve
    .filter((point) => point.score.medianMs <= ms)
    .toSorted((a, b) => a.score.falseCutOffs - b.score.falseCutOffs || a.score.medianMs - b.score.medianMs)[0];

const range = (from: number, to: number, step: number): readonly number[] =>
  Array.from({ length: Math.floor((to - from) / step + 1e-9) + 1 }, (_, index) => from + index * step);
