import { encodeMulaw } from "../../../src/audio/g711.ts";

/** Samples of one frame of 20 ms at 8 kHz. */
const FRAME_SAMPLES = 160;
const RATE = 8000;

/** A voice's pitch in Hz, and the loudness of its harmonics. */
const PITCH = 140;
const HARMONICS = [1, 0.8, 0.7, 0.5, 0.4, 0.35, 0.2, 0.2, 0.15, 0.1, 0.1, 0.08];

/** Mean absolute amplitude of about 3000: an ordinary telephone voice, and six times what scenarios take for voice. */
const LEVEL = 3200;

/** µ-law frames of 20 ms in base64: a voice that is as loud in its last frame as in its first, and silence. */
export const voicedFrames = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, frame) => encoded((at) => voice(frame * FRAME_SAMPLES + at)));

export const SILENT_FRAME = Buffer.alloc(FRAME_SAMPLES, 0xff).toString("base64");

const voice = (at: number): number => {
  let sum = 0;
  for (const [index, loudness] of HARMONICS.entries())
    sum += loudness * Math.sin((2 * Math.PI * PITCH * (index + 1) * at) / RATE + index * index);
  return LEVEL * sum;
};

const encoded = (sample: (at: number) => number): string => {
  const samples = Int16Array.from({ length: FRAME_SAMPLES }, (_, at) =>
    Math.max(-32_768, Math.min(32_767, sample(at))),
  );
  return Buffer.from(encodeMulaw(samples)).toString("base64");
};
