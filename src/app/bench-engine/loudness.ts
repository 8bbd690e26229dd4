/** Mean absolute amplitude of 16-bit little-endian samples, of 32 768. */
export const meanAmplitude = (bytes: Uint8Array): number => {
  const samples = Math.floor(bytes.length / 2);
  if (samples === 0) return 0;
  let sum = 0;
  for (let at = 0; at < samples; at += 1) {
    const value = (((bytes[2 * at] ?? 0) | ((bytes[2 * at + 1] ?? 0) << 8)) << 16) >> 16;
    sum += Math.abs(value);
  }
  return sum / samples;
};
