/** A packet and what an Ogg stream says of it. */
export type OggPage = Readonly<{
  packets: readonly Uint8Array[];
  /** Samples at 48 kHz from the beginning to the end of the page's last packet. */
  granule: number;
  first?: boolean;
  last?: boolean;
}>;

/** Longest chain of lacing values of a page (RFC 3533, section 6). */
const MOST_SEGMENTS = 255;

/** Pages of one logical Ogg stream (RFC 3533), in order. Packets are never cut over pages. */
export class OggPages {
  readonly #serial: number;
  #sequence = 0;

  /** `serial` names the stream; any 32 bits. */
  constructor(serial: number) {
    this.#serial = serial >>> 0;
  }

  /** Throws `RangeError` for packets that do not fit on one page: 255 lacing values, each of which stands for up to 255 bytes. */
  page({ packets, granule, first = false, last = false }: OggPage): Uint8Array {
    const lacing = packets.flatMap((packet) => lacingOf(packet.length));
    if (lacing.length > MOST_SEGMENTS) throw new RangeError("the packets do not fit on one Ogg page");
    const header = HEADER_BYTES + lacing.length;
    const page = new Uint8Array(header + packets.reduce((sum, packet) => sum + packet.length, 0));
    const view = new DataView(page.buffer);
    view.setUint32(0, 0x4f67_6753); // OggS
    page[5] = (first ? FIRST : 0) | (last ? LAST : 0);
    view.setBigUint64(6, BigInt(granule), true);
    view.setUint32(14, this.#serial, true);
    view.setUint32(18, this.#sequence, true);
    page[26] = lacing.length;
    page.set(lacing, HEADER_BYTES);
    let at = header;
    for (const packet of packets) {
      page.set(packet, at);
      at += packet.length;
    }
    view.setUint32(22, checksum(page), true);
    this.#sequence += 1;
    return page;
  }
}

/** What the end of a stream tells: the granule position of the last whole page in `bytes`, which may begin anywhere. */
export const lastGranule = (bytes: Uint8Array): number | undefined => {
  for (let at = bytes.length - HEADER_BYTES; at >= 0; at--) {
    if (bytes[at] !== 0x4f || bytes[at + 1] !== 0x67 || bytes[at + 2] !== 0x67 || bytes[at + 3] !== 0x53) continue;
    const view = new DataView(bytes.buffer, bytes.byteOffset + at, bytes.length - at);
    const segments = view.getUint8(26);
    if (view.byteLength < HEADER_BYTES + segments) continue;
    let end = HEADER_BYTES + segments;
    for (let segment = 0; segment < segments; segment++) end += view.getUint8(HEADER_BYTES + segment);
    if (end > view.byteLength) continue;
    const page = Uint8Array.from(bytes.subarray(at, at + end));
    page.fill(0, 22, 26);
    if (checksum(page) === view.getUint32(22, true)) return Number(view.getBigUint64(6, true));
  }
  return undefined;
};

const HEADER_BYTES = 27;
const FIRST = 2;
const LAST = 4;

const lacingOf = (length: number): readonly number[] => [
  ...Array.from<number>({ length: Math.floor(length / 255) }).fill(255),
  length % 255,
];

/** CRC-32 with the polynomial of RFC 3533: not reflected, from zero, nothing inverted. */
const checksum = (bytes: Uint8Array): number => {
  let crc = 0;
  for (const byte of bytes) crc = ((crc << 8) ^ (TABLE[(crc >>> 24) ^ byte] ?? 0)) >>> 0;
  return crc;
};

const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit++) value = value & 0x8000_0000 ? (value << 1) ^ 0x04c1_1db7 : value << 1;
  return value >>> 0;
});
