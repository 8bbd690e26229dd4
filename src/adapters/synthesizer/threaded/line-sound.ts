import { encodeSamples } from "../../../audio/convert.ts";
import { Resampler } from "../../../audio/resampler.ts";
import type { AudioFormat } from "../../../model/audio.ts";

/** Samples of one utterance → bytes of a line's format, in memory of their own (they are handed to another thread). */
export const encodeForLine = (
  samples: Int16Array,
  sampleRate: number,
  format: AudioFormat,
): Uint8Array<ArrayBuffer> => {
  const resampler = new Resampler(sampleRate, format.sampleRate);
  try {
    const body = resampler.process(samples);
    const tail = resampler.flush();
    const whole = new Int16Array(body.length + tail.length);
    whole.set(body);
    whole.set(tail, body.length);
    return Uint8Array.from(encodeSamples(format.encoding, whole));
  } finally {
    resampler.close();
  }
};
