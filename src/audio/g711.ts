/**
 * ITU-T G.711 as the reference code of ITU-T G.191 computes it: samples are 16 bits, left-justified; negative samples are
 * taken as ones' complement, so every one of the 65 536 inputs has exactly one code. Tables are indexed by the bits that the
 * law keeps (14 for µ-law, 13 for A-law less the sign-symmetric one), 20 kB together.
 */

/** The code for digital silence in µ-law and A-law. */
export const MULAW_SILENCE = 0xff;
export const ALAW_SILENCE = 0xd5;

/** µ-law codes, one a byte → 16-bit samples. */
export const decodeMulaw = (payload: Uint8Array): Int16Array => decode(MULAW_TO_LINEAR, payload);

/** 16-bit samples → µ-law codes, one a byte. */
export const encodeMulaw = (samples: Int16Array): Uint8Array => {
  const payload = new Uint8Array(samples.length);
  for (let index = 0; index < samples.length; index++)
    payload[index] = LINEAR_TO_MULAW[((samples[index] as number) >> 2) + 8192] as number;
  return payload;
};

/** A-law codes, one a byte → 16-bit samples. */
export const decodeAlaw = (payload: Uint8Array): Int16Array => decode(ALAW_TO_LINEAR, payload);

/** 16-bit samples → A-law codes, one a byte. */
export const encodeAlaw = (samples: Int16Array): Uint8Array => {
  const payload = new Uint8Array(samples.length);
  for (let index = 0; index < samples.length; index++)
    payload[index] = LINEAR_TO_ALAW[((samples[index] as number) >> 4) + 2048] as number;
  return payload;
};

const decode = (table: Int16Array, payload: Uint8Array): Int16Array => {
  const samples = new Int16Array(payload.length);
  for (let index = 0; index < payload.length; index++) samples[index] = table[payload[index] as number] as number;
  return samples;
};

const expandMulaw = (code: number): number => {
  const exponent = (~code >> 4) & 0x07;
  const step = 4 << (exponent + 1);
  const magnitude = (0x80 << exponent) + step * (~code & 0x0f) + step / 2 - 132;
  return code < 0x80 ? -magnitude : magnitude;
};

const expandAlaw = (code: number): number => {
  const bits = (code ^ 0x55) & 0x7f;
  const exponent = bits >> 4;
  const mantissa = (((bits & 0x0f) + (exponent > 0 ? 16 : 0)) << 4) + 8;
  const magnitude = exponent > 1 ? mantissa << (exponent - 1) : mantissa;
  return code > 127 ? magnitude : -magnitude;
};

/** `value` is a sample shifted right by 2: −8192…8191. */
const compressMulaw = (value: number): number => {
  const magnitude = Math.min((value < 0 ? ~value : value) + 33, 0x1fff);
  const segment = 32 - Math.clz32(magnitude >> 6) + 1;
  const code = ((8 - segment) << 4) | (0x0f - ((magnitude >> segment) & 0x0f));
  return value >= 0 ? code | 0x80 : code;
};

/** `value` is a sample shifted right by 4: −2048…2047. */
const compressAlaw = (value: number): number => {
  const magnitude = value < 0 ? ~value : value;
  const exponent = Math.max(0, 32 - Math.clz32(magnitude) - 4);
  const mantissa = exponent > 0 ? (magnitude >> (exponent - 1)) - 16 : magnitude;
  return ((exponent << 4) | mantissa | (value >= 0 ? 0x80 : 0)) ^ 0x55;
};

const MULAW_TO_LINEAR = Int16Array.from({ length: 256 }, (_, code) => expandMulaw(code));
const ALAW_TO_LINEAR = Int16Array.from({ length: 256 }, (_, code) => expandAlaw(code));
const LINEAR_TO_MULAW = Uint8Array.from({ length: 16_384 }, (_, index) => compressMulaw(index - 8192));
const LINEAR_TO_ALAW = Uint8Array.from({ length: 4096 }, (_, index) => compressAlaw(index - 2048));
