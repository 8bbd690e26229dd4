/** Sequence number and timestamp, each a big-endian unsigned 32-bit integer, stand before each piece of sound. */
const HEADER_BYTES = 8;

/** One binary message to the service: 16-bit samples behind their place in the stream. */
export const writeSound = (sequence: number, timestamp: number, samples: Int16Array): ArrayBuffer => {
  const message = new ArrayBuffer(HEADER_BYTES + samples.byteLength);
  const view = new DataView(message);
  view.setUint32(0, sequence);
  view.setUint32(4, timestamp);
  for (const [index, sample] of samples.entries()) view.setInt16(HEADER_BYTES + 2 * index, sample, true);
  return message;
};

/** The samples of a binary message of the service; none for one that is too short. */
export const readSound = (message: ArrayBuffer): Int16Array => {
  const length = Math.max(0, message.byteLength - HEADER_BYTES) >> 1;
  const view = new DataView(message);
  return Int16Array.from({ length }, (_, index) => view.getInt16(HEADER_BYTES + 2 * index, true));
};
