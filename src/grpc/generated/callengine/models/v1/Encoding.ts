// Original file: callengine/models/v1/models.proto

/**
 * Coding of sound.
 */
export const Encoding = {
  ENCODING_UNSPECIFIED: 'ENCODING_UNSPECIFIED',
  /**
   * ITU-T G.711 µ-law, one byte a sample.
   */
  ENCODING_MULAW: 'ENCODING_MULAW',
  /**
   * ITU-T G.711 A-law, one byte a sample.
   */
  ENCODING_ALAW: 'ENCODING_ALAW',
  /**
   * Signed 16-bit little-endian PCM, two bytes a sample.
   */
  ENCODING_LINEAR16: 'ENCODING_LINEAR16',
} as const;

/**
 * Coding of sound.
 */
export type Encoding =
  | 'ENCODING_UNSPECIFIED'
  | 0
  /**
   * ITU-T G.711 µ-law, one byte a sample.
   */
  | 'ENCODING_MULAW'
  | 1
  /**
   * ITU-T G.711 A-law, one byte a sample.
   */
  | 'ENCODING_ALAW'
  | 2
  /**
   * Signed 16-bit little-endian PCM, two bytes a sample.
   */
  | 'ENCODING_LINEAR16'
  | 3

/**
 * Coding of sound.
 */
export type Encoding__Output = typeof Encoding[keyof typeof Encoding]
