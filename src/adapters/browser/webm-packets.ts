/** The bytes are no WebM sound that a browser records. */
export class BrokenWebm extends Error {
  override readonly name = "BrokenWebm";
}

/** A packet of the recording's one track; the time counts from the beginning of the recording, in milliseconds. */
export type WebmPacket = Readonly<{ atMs: number; packet: Uint8Array }>;

/**
 * Takes Opus packets out of the WebM stream of a `MediaRecorder`, whose chunks may be cut anywhere. It reads what browsers write:
 * one track, simple blocks or block groups without lacing. What is not needed is skipped without being kept, and an element that is
 * needed and larger than {@link MOST_ELEMENT_BYTES} is refused, so that no stream can make it hold more than that.
 */
export class WebmPackets {
  #rest: Uint8Array = new Uint8Array(0);
  #skip = 0;
  #begun = false;
  #clusterMs = 0;
  #scaleMs = 1;

  /**
   * The packets that the next bytes complete.
   *
   * @throws {BrokenWebm} when the bytes cannot be a recording; the stream is of no use from then on.
   */
  push(chunk: Uint8Array): readonly WebmPacket[] {
    const skipped = Math.min(this.#skip, chunk.length);
    this.#skip -= skipped;
    const fresh = chunk.subarray(skipped);
    const bytes = this.#rest.length === 0 ? fresh : Buffer.concat([this.#rest, fresh]);
    const packets: WebmPacket[] = [];
    let at = 0;
    while (this.#skip === 0) {
      const element = readElement(bytes, at);
      if (element === undefined) break;
      const next = this.#take(bytes, element, packets);
      if (next === undefined) break;
      at = next;
    }
    if (at < bytes.length) {
      // Copied, so that a chunk is not kept alive by its last bytes.
      this.#rest = new Uint8Array(bytes.subarray(at));
    } else {
      this.#skip += at - bytes.length;
      this.#rest = new Uint8Array(0);
    }
    return packets;
  }

  /** Where the next element begins, which may be past the end; `undefined` when this one is not there as a whole yet. */
  #take(bytes: Uint8Array, { id, dataAt, length }: Element, packets: WebmPacket[]): number | undefined {
    if (!this.#begun && id !== EBML) throw new BrokenWebm("the recording does not begin with an EBML header");
    this.#begun = true;
    if (MASTERS.has(id)) return dataAt;
    if (length === undefined) throw new BrokenWebm("an element of unknown size that holds no others");
    const end = dataAt + length;
    if (!NEEDED.has(id)) return end;
    if (length > MOST_ELEMENT_BYTES) throw new BrokenWebm("an element is larger than any packet of sound");
    if (end > bytes.length) return undefined;
    const data = bytes.subarray(dataAt, end);
    if (id === TIMESTAMP_SCALE) this.#scaleMs = readNumber(data) / 1_000_000;
    else if (id === TIMESTAMP) this.#clusterMs = readNumber(data) * this.#scaleMs;
    else if (id === CODEC_ID) checkCodec(data);
    else this.#takeBlock(data, packets);
    return end;
  }

  #takeBlock(block: Uint8Array, packets: WebmPacket[]): void {
    const track = readVint(block, 0);
    const head = (track?.width ?? 0) + 3;
    if (track === undefined || block.length <= head) throw new BrokenWebm("a block without content");
    const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
    if (((block[head - 1] as number) & LACING) !== 0) throw new BrokenWebm("a block with several packets");
    packets.push({
      atMs: this.#clusterMs + view.getInt16(track.width) * this.#scaleMs,
      packet: block.subarray(head),
    });
  }
}

/** The longest packet that Opus knows is 1275 bytes a frame, 48 frames. */
const MOST_ELEMENT_BYTES = 64 * 1024;

// Element ids of RFC 9559 (Matroska) and RFC 8794 (EBML).
const EBML = 0x1a45dfa3;
const TIMESTAMP_SCALE = 0x2ad7b1;
const TIMESTAMP = 0xe7;
const CODEC_ID = 0x86;
/** Segment, information, cluster, block group, tracks, track entry. */
const MASTERS: ReadonlySet<number> = new Set([0x18538067, 0x1549a966, 0x1f43b675, 0xa0, 0x1654ae6b, 0xae]);
/** Besides the three above: simple block and block. */
const NEEDED: ReadonlySet<number> = new Set([TIMESTAMP_SCALE, TIMESTAMP, CODEC_ID, 0xa3, 0xa1]);
const LACING = 0x06;

type Element = Readonly<{ id: number; dataAt: number; length: number | undefined }>;

const readElement = (bytes: Uint8Array, at: number): Element | undefined => {
  const first = bytes[at];
  if (first === undefined) return undefined;
  const width = Math.clz32(first) - 23;
  if (width > 4) throw new BrokenWebm("no element begins here");
  if (at + width > bytes.length) return undefined;
  let id = 0;
  for (let index = 0; index < width; index++) id = id * 256 + (bytes[at + index] as number);
  const size = readVint(bytes, at + width);
  return size === undefined
    ? undefined
    : { id, dataAt: at + width + size.width, length: size.unknown ? undefined : size.value };
};

type Vint = Readonly<{ value: number; width: number; unknown: boolean }>;

/** A variable-size integer; `undefined` when its bytes are not all there. By multiplication: shifts end at 32 bits. */
const readVint = (bytes: Uint8Array, at: number): Vint | undefined => {
  const first = bytes[at];
  if (first === undefined) return undefined;
  const width = Math.clz32(first) - 23;
  if (width > 8) throw new BrokenWebm("a size that is longer than sizes can be");
  if (at + width > bytes.length) return undefined;
  const mask = 2 ** (8 - width) - 1;
  let value = first & mask;
  let unknown = value === mask;
  for (let index = 1; index < width; index++) {
    const byte = bytes[at + index] as number;
    unknown &&= byte === 0xff;
    value = value * 256 + byte;
  }
  return { value, width, unknown };
};

const readNumber = (data: Uint8Array): number => {
  if (data.length > 8) throw new BrokenWebm("a number that is longer than numbers can be");
  return data.reduce((sum, byte) => sum * 256 + byte, 0);
};

const checkCodec = (data: Uint8Array): void => {
  if (Buffer.from(data).toString("latin1").replace(/\0+$/, "") !== "A_OPUS")
    throw new BrokenWebm("the recording is not Opus; record audio/webm;codecs=opus");
};
