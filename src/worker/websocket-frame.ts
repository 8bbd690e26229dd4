/** First bytes of a whole, unmasked message (RFC 6455, 5.2). */
const WHOLE_TEXT = 0x81;
const WHOLE_BINARY = 0x82;

/** Longest payloads whose length goes into the header's second byte, and into two bytes behind it. */
const LONGEST_TINY = 125;
const LONGEST_SHORT = 0xffff;

/**
 * A server's message on a websocket without extensions, header and payload in one piece of memory: one write to the kernel, where two
 * pieces take a gathering one and twice the work of the stream before it.
 */
export const messageFrame = (data: string | Uint8Array): Buffer => {
  const isText = typeof data === "string";
  const length = isText ? Buffer.byteLength(data) : data.length;
  const header = headerBytes(length);
  const frame = Buffer.allocUnsafe(header + length);
  frame[0] = isText ? WHOLE_TEXT : WHOLE_BINARY;
  if (header === 2) frame[1] = length;
  else if (header === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  if (isText) frame.write(data, header);
  else frame.set(data, header);
  return frame;
};

const headerBytes = (length: number): 2 | 4 | 10 => {
  if (length <= LONGEST_TINY) return 2;
  return length <= LONGEST_SHORT ? 4 : 10;
};
