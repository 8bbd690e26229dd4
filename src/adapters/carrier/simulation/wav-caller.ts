import { levelDbfs } from "../../../audio/level.ts";
import type { WavSound } from "../../../audio/wav.ts";
import type { CallerLine, CallerScript } from "./script.ts";

/**
 * A person who speaks with the voice of a recording: each stretch between pauses of 700 ms or more is one line. A recording
 * without anything that stands out (silence, faint noise) is played through in real time as it is, with five more seconds of
 * waiting; one without pauses (music, loud noise) is a single line.
 */
export const wavCaller = (sound: WavSound): CallerScript => {
  const lines = linesOf(sound);
  const soundMs = (sound.samples.length / sound.sampleRate) * 1000;
  if (lines.length > 0) return { lines, manner: { longestMs: soundMs + (lines.length + 1) * 30_000 } };
  return {
    lines: [{ ...sound, afterMs: 0 }],
    manner: { goodbyeQuietMs: 5000, goodbyeUnansweredMs: 5000, longestMs: soundMs + 60_000 },
  };
};

const WINDOW_MS = 20;
const PAUSE_WINDOWS = 700 / WINDOW_MS;
const LEAST_VOICED_WINDOWS = 3;
const MOST_LINES = 200;

/** Consonants at the edges of words are softer than the threshold. */
const LEAD_WINDOWS = 5;
const TRAIL_WINDOWS = 10;

const linesOf = ({ samples, sampleRate }: WavSound): CallerLine[] => {
  const size = Math.max(1, Math.round((sampleRate * WINDOW_MS) / 1000));
  const levels = Array.from({ length: Math.ceil(samples.length / size) }, (_, window) =>
    levelDbfs(samples.subarray(window * size, (window + 1) * size)),
  );
  const threshold = thresholdFor(levels);
  return stretchesOf(levels.map((level) => level > threshold))
    .slice(0, MOST_LINES)
    .map(([from, to]) => ({
      samples: samples.subarray(Math.max(0, from - LEAD_WINDOWS) * size, (to + TRAIL_WINDOWS) * size),
      sampleRate,
    }));
};

/** 10 dB above the recording's own floor (its quietest tenth), but never so high that a steady loud sound counts as silence. */
const thresholdFor = (levels: readonly number[]): number => {
  const floor = levels.toSorted((a, b) => a - b)[Math.floor(levels.length / 10)] ?? 0;
  return Math.min(-30, Math.max(-50, floor + 10));
};

/** Stretches of loud windows, [from, to), with pauses shorter than the limit closed and mere clicks left out. */
const stretchesOf = (loud: readonly boolean[]): [from: number, to: number][] => {
  const stretches: { from: number; to: number; voiced: number }[] = [];
  loud.forEach((isLoud, window) => {
    if (!isLoud) return;
    const last = stretches.at(-1);
    if (last !== undefined && window - last.to < PAUSE_WINDOWS) {
      last.to = window + 1;
      last.voiced += 1;
    } else stretches.push({ from: window, to: window + 1, voiced: 1 });
  });
  return stretches.filter(({ voiced }) => voiced >= LEAST_VOICED_WINDOWS).map(({ from, to }) => [from, to]);
};
