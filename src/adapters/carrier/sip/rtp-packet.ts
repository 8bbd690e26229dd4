/** A packet of RTP (RFC 3550, section 5.1), without what mixers add. */
export type RtpPacket = Readonly<{
  payloadType: number;
  marker: boolean;
  /** 16 bits. */
  sequence: number;
  /** 32 bits. */
  timestamp: number;
  /** 32 bits, of the sender. */
  source: number;
  payload: Uint8Array;
}>;

/** Reads a datagram; `undefined` when it is no RTP of version 2, or says that it is longer than it is. */
export const parseRtp = (data: Uint8Array): RtpPacket | undefined => {
  if (data.length < HEADER_BYTES) return undefined;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const flags = view.getUint8(0);
  if (flags >> 6 !== 2) return undefined;
  const kind = view.getUint8(1);
  let from = HEADER_BYTES + 4 * (flags & 0x0f);
  if ((flags & EXTENSION) !== 0) {
    if (from + 4 > data.length) return undefined;
    from += 4 + 4 * view.getUint16(from + 2);
  }
  const padding = (flags & PADDING) === 0 ? 0 : view.getUint8(data.length - 1);
  const to = data.length - padding;
  if (from > to || ((flags & PADDING) !== 0 && padding === 0)) return undefined;
  return {
    payloadType: kind & 0x7f,
    marker: kind >> 7 === 1,
    sequence: view.getUint16(2),
    timestamp: view.getUint32(4),
    source: view.getUint32(8),
    payload: data.subarray(from, to),
  };
};

/** The bytes of a packet. */
export const serializeRtp = (packet: RtpPacket): Uint8Array => {
  const data = new Uint8Array(HEADER_BYTES + packet.payload.length);
  const view = new DataView(data.buffer);
  view.setUint8(0, 2 << 6);
  view.setUint8(1, (packet.marker ? 0x80 : 0) | packet.payloadType);
  view.setUint16(2, packet.sequence);
  view.setUint32(4, packet.timestamp);
  view.setUint32(8, packet.source);
  data.set(packet.payload, HEADER_BYTES);
  return data;
};

const HEADER_BYTES = 12;
const EXTENSION = 0x10;
const PADDING = 0x20;
