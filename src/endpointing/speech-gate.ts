/**
 * Turns a stream of speech probabilities into "started" and "ended".
 *
 *   silent ──≥ START for START_MS, or once ≥ SURE──► speaking ──< STOP for STOP_MS──► silent
 *
 * Two thresholds keep a voice that trembles around one of them from switching back and forth.
 */
export type SpeechGate = Readonly<{
  speaking: boolean;
  /** Where the present run of windows on the other side of the threshold began; `undefined` when there is none. */
  runStartMs: number | undefined;
  /** End of the last window that held voice. */
  lastVoicedMs: number;
  /** End of the last window seen. */
  seenMs: number;
}>;

export type SpeechChange =
  | Readonly<{ type: "started"; onsetMs: number }>
  | Readonly<{ type: "ended"; lastVoicedMs: number }>;

export type SpeechThresholds = Readonly<{ start: number; sure: number; stop: number; startMs: number; stopMs: number }>;

/**
 * Silero v6 at 0.5 misses nothing on noisy telephone speech; 0.35 lets soft endings through. 60 ms make an onset certain
 * (two windows of 32 ms), and so does one window above 0.8: coughs, doors, music, keys and breath stay below 0.2, and whoever begins with
 * an s or sh is noticed late enough. 160 ms of quiet (five windows) leave a transcriber 140 ms until the
 * shortest wait of a default agent, and are longer than the closure of any consonant.
 */
export const DEFAULT_THRESHOLDS: SpeechThresholds = { start: 0.5, sure: 0.8, stop: 0.35, startMs: 60, stopMs: 160 };

export const closedGate: SpeechGate = { speaking: false, runStartMs: undefined, lastVoicedMs: 0, seenMs: 0 };

/** Takes in one window that ends at `endMs`; windows come in order. */
export const observe = (
  gate: SpeechGate,
  probability: number,
  endMs: number,
  thresholds: SpeechThresholds,
): Readonly<{ gate: SpeechGate; change: SpeechChange | undefined }> =>
  gate.speaking
    ? whileSpeaking(gate, probability, endMs, thresholds)
    : whileSilent(gate, probability, endMs, thresholds);

const whileSilent = (gate: SpeechGate, probability: number, endMs: number, thresholds: SpeechThresholds) => {
  if (probability < thresholds.start) {
    return { gate: { ...gate, runStartMs: undefined, seenMs: endMs }, change: undefined };
  }
  const onsetMs = gate.runStartMs ?? gate.seenMs;
  const speaking = probability >= thresholds.sure || endMs - onsetMs >= thresholds.startMs;
  return {
    gate: { speaking, runStartMs: speaking ? undefined : onsetMs, lastVoicedMs: endMs, seenMs: endMs },
    change: speaking ? ({ type: "started", onsetMs } as const) : undefined,
  };
};

const whileSpeaking = (gate: SpeechGate, probability: number, endMs: number, thresholds: SpeechThresholds) => {
  if (probability >= thresholds.stop) {
    return { gate: { ...gate, runStartMs: undefined, lastVoicedMs: endMs, seenMs: endMs }, change: undefined };
  }
  const ended = endMs - gate.lastVoicedMs >= thresholds.stopMs;
  return {
    gate: { ...gate, speaking: !ended, seenMs: endMs },
    change: ended ? ({ type: "ended", lastVoicedMs: gate.lastVoicedMs } as const) : undefined,
  };
};
