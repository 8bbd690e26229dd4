import { endianness } from "node:os";

/**
 * Little-endian bytes → 16-bit samples. Shares the bytes' memory where they are aligned and the machine is little-endian,
 * copies otherwise; a last odd byte is left out.
 */
export const decodeLinear16 = (payload: Uint8Array): Int16Array => {
  const length = payload.length >> 1;
  if (NATIVE && payload.byteOffset % 2 === 0) return new Int16Array(payload.buffer, payload.byteOffset, length);
  const samples = new Int16Array(length);
  for (let index = 0; index < length; index++)
    samples[index] = (payload[2 * index] as number) | ((payload[2 * index + 1] as number) << 8);
  return samples;
};

/** 16-bit samples → little-endian bytes; shares the samples' memory on a little-endian machine. */
export const encodeLinear16 = (samples: Int16Array): Uint8Array => {
  if (NATIVE) return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  const payload = new Uint8Array(samples.length * 2);
  const view = new DataView(payload.buffer);
  for (let index = 0; index < samples.length; index++) view.setInt16(2 * index, samples[index] as number, true);
  return payload;
};

const NATIVE = endianness() === "LE";
