import type { FileHandle } from "node:fs/promises";
import { StereoOpusEncoder, type OpusRate } from "../../audio/opus.ts";
import { lastGranule, OggPages } from "./ogg-pages.ts";
import { writeFully, type SoundFile } from "./sound-file.ts";

/** Granule positions count samples at this rate, whatever went in (RFC 7845, section 4). */
const GRANULE_RATE = 48_000;
const PACKET_GRANULES = GRANULE_RATE / 50;

/** A fifth of a second a page: little is lost with a process that is killed, and headers are 3 % of the bytes. */
const PACKETS_A_PAGE = 10;

/** A packet of 20 ms in which both sides are silent, whatever came before (RFC 6716): the transform coder, all bands, stereo. */
const SILENCE = Uint8Array.of(0xfc, 0xff, 0xfe);

/**
 * So many packets of a silence are encoded before it goes on by itself: what the codec remembers of the sound before has then faded on
 * both ends, which are thereby of one mind when sound comes again.
 */
const FADING_PACKETS = 10;

/** The longest page that this writes: 255 lacing values of 255 bytes, and its header. */
const LONGEST_PAGE = 65_307;

/**
 * Opus in Ogg (RFC 7845), page by page, so that a process that is killed leaves a file that plays up to there. Silence that nobody wrote
 * costs three bytes in 20 ms and no encoding.
 */
export class OggFile implements SoundFile {
  readonly #file: FileHandle;
  readonly #encoder: StereoOpusEncoder;
  readonly #pages: OggPages;
  /** Samples of one side in a packet. */
  readonly #frameLength: number;
  /** Sound that does not fill a packet yet, and how many samples of one side it has. */
  readonly #rest: Int16Array;
  #restLength = 0;
  #bytes = 0;
  #packets: Uint8Array[] = [];
  #packetCount = 0;

  private constructor(file: FileHandle, encoder: StereoOpusEncoder, serial: number) {
    this.#file = file;
    this.#encoder = encoder;
    this.#pages = new OggPages(serial);
    this.#frameLength = encoder.frameLength;
    this.#rest = new Int16Array(2 * encoder.frameLength);
  }

  static async begin(file: FileHandle, sampleRate: OpusRate): Promise<OggFile> {
    const encoder = await StereoOpusEncoder.create(sampleRate);
    // One stream a file, so that any number names it.
    const ogg = new OggFile(file, encoder, 1);
    await ogg.#write(ogg.#pages.page({ packets: [ogg.#head(sampleRate)], granule: 0, first: true }));
    await ogg.#write(ogg.#pages.page({ packets: [TAGS], granule: 0 }));
    return ogg;
  }

  async add(atFrame: number, samples: Int16Array): Promise<void> {
    await this.#silenceUntil(atFrame);
    for (let from = 0; from < samples.length;) {
      const room = this.#rest.length - 2 * this.#restLength;
      const part = samples.subarray(from, from + room);
      this.#rest.set(part, 2 * this.#restLength);
      this.#restLength += part.length / 2;
      from += part.length;
      if (this.#restLength === this.#frameLength) await this.#encodeRest();
    }
    await this.#flush();
  }

  /** What the decoder holds back goes out too, and the last page says where the sound ends within its last packet. */
  async finish(frames: number): Promise<void> {
    try {
      await this.#silenceUntil(frames);
      const scale = GRANULE_RATE / (this.#frameLength * 50);
      const end = this.#encoder.lookahead + Math.round(frames * scale);
      while (this.#packetCount * PACKET_GRANULES < end || this.#packets.length === 0) await this.#encodeRest(true);
      await this.#write(this.#pages.page({ packets: this.#packets, granule: end, last: true }));
    } finally {
      this.#encoder.close();
      await this.#file.close();
    }
  }

  /** Up to `frame` samples of one side since the beginning. */
  async #silenceUntil(frame: number): Promise<void> {
    let encoded = this.#packetCount === 0 ? FADING_PACKETS : 0;
    for (let missing = frame - this.#frames(); missing > 0; missing = frame - this.#frames()) {
      if (encoded >= FADING_PACKETS && this.#restLength === 0 && missing >= this.#frameLength) {
        await this.#packet(SILENCE);
        continue;
      }
      const length = Math.min(missing, this.#frameLength - this.#restLength);
      this.#rest.fill(0, 2 * this.#restLength, 2 * (this.#restLength + length));
      this.#restLength += length;
      if (this.#restLength < this.#frameLength) continue;
      await this.#encodeRest();
      encoded += 1;
    }
  }

  #frames(): number {
    return this.#packetCount * this.#frameLength + this.#restLength;
  }

  async #encodeRest(last = false): Promise<void> {
    this.#rest.fill(0, 2 * this.#restLength);
    this.#restLength = 0;
    await this.#packet(this.#encoder.encode(this.#rest), last);
  }

  /** Pages go out when they are full; of the last ones, when there is another behind them. */
  async #packet(packet: Uint8Array, last = false): Promise<void> {
    if (last && this.#packets.length >= PACKETS_A_PAGE) await this.#flush();
    this.#packets.push(packet.slice());
    this.#packetCount += 1;
    if (!last && this.#packets.length >= PACKETS_A_PAGE) await this.#flush();
  }

  async #flush(): Promise<void> {
    if (this.#packets.length === 0) return;
    const page = this.#pages.page({ packets: this.#packets, granule: this.#packetCount * PACKET_GRANULES });
    this.#packets = [];
    await this.#write(page);
  }

  async #write(page: Uint8Array): Promise<void> {
    const position = this.#bytes;
    // A page that the disk refuses leaves a hole, which players skip.
    this.#bytes += page.length;
    await writeFully(this.#file, page, position);
  }

  /** Two channels, caller left (RFC 7845, section 5.1). */
  #head(sampleRate: number): Uint8Array {
    const head = new Uint8Array(19);
    const view = new DataView(head.buffer);
    head.set(new TextEncoder().encode("OpusHead"));
    view.setUint8(8, 1);
    view.setUint8(9, 2);
    view.setUint16(10, this.#encoder.lookahead, true);
    view.setUint32(12, sampleRate, true);
    return head;
  }
}

/** How long an Ogg file is that a dead process may have left, in milliseconds, by its last whole page. */
export const oggDurationMs = async (file: FileHandle): Promise<number> => {
  const { size } = await file.stat();
  const tail = Buffer.alloc(Math.min(size, 2 * LONGEST_PAGE));
  await file.read(tail, 0, tail.length, size - tail.length);
  const head = Buffer.alloc(64);
  await file.read(head, 0, head.length, 0);
  // The first page is 27 bytes and one lacing value before its packet.
  const preSkip = head.readUInt16LE(28 + 10);
  return (Math.max(0, (lastGranule(tail) ?? 0) - preSkip) / GRANULE_RATE) * 1000;
};

/** Rates that the codec knows. */
export const isOpusRate = (sampleRate: number): sampleRate is OpusRate => RATES.has(sampleRate);

const RATES: ReadonlySet<number> = new Set([8000, 12_000, 16_000, 24_000, 48_000]);

/** Who wrote the file, and no comments (RFC 7845, section 5.2). */
const TAGS = (() => {
  const vendor = new TextEncoder().encode("call-engine");
  const tags = new Uint8Array(8 + 4 + vendor.length + 4);
  tags.set(new TextEncoder().encode("OpusTags"));
  new DataView(tags.buffer).setUint32(8, vendor.length, true);
  tags.set(vendor, 12);
  return tags;
})();
