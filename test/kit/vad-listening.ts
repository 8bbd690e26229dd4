import { withDeadline } from "../../src/ports/clock.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { VoiceActivityDetector } from "../../src/ports/vad.ts";

export type Heard = Readonly<{ answers: readonly Readonly<{ probability: number; endMs: number }>[] }>;

/** Windows of every detector are at least this long, and answers that are this far behind are waited for; milliseconds. */
const WINDOW_MS = 32;
const MOST_BEHIND_MS = 320;

/**
 * Lets a detector hear a whole sound (16 kHz) in pieces, as fast as it answers, and resolves with all answers. Rejects when it
 * fails. `reuse` pushes every piece from the same memory.
 */
export const listenTo = async (
  detector: VoiceActivityDetector,
  clock: Clock,
  sound: Int16Array,
  piece = 320,
  options: Readonly<{ reuse?: boolean }> = {},
): Promise<Heard> => {
  const answers: { probability: number; endMs: number }[] = [];
  const failures: Error[] = [];
  let news = Promise.withResolvers<void>();
  const tell = () => {
    news.resolve();
    news = Promise.withResolvers<void>();
  };
  const stream = detector.open({
    probability: (probability, endMs) => {
      answers.push({ probability, endMs });
      tell();
    },
    failed: (error) => {
      failures.push(error);
      tell();
    },
  });
  const caughtUpTo = async (ms: number) => {
    while (failures.length === 0 && (answers.at(-1)?.endMs ?? 0) <= ms - WINDOW_MS)
      await withDeadline(clock, 10_000, `hearing ${ms} ms of sound`, news.promise);
    const [failure] = failures;
    if (failure !== undefined) throw failure;
  };
  const memory = new Int16Array(piece);
  for (let at = 0; at < sound.length; at += piece) {
    const samples = sound.slice(at, at + piece);
    if (options.reuse === true) memory.set(samples);
    stream.push(options.reuse === true ? memory.subarray(0, samples.length) : samples);
    await caughtUpTo((at + samples.length) / 16 - MOST_BEHIND_MS);
  }
  await caughtUpTo(sound.length / 16);
  stream.close();
  return { answers };
};
