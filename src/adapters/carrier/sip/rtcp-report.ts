import type { RtpPacket } from "./rtp-packet.ts";

export type SentCounts = Readonly<{ packets: number; octets: number; timestamp: number }>;

/** What is known of the stream that comes in, as reports of receivers tell it (RFC 3550, appendix A). */
export class Reception {
  #source: number | undefined;
  #first = 0;
  #highest = 0;
  #received = 0;
  #jitter = 0;
  #transit: number | undefined;
  #before = { expected: 0, received: 0 };
  #heard: Readonly<{ middle: number; atMs: number }> | undefined;

  /** A packet of the stream; `nowMs` is monotonic. */
  packet({ sequence, timestamp, source }: RtpPacket, nowMs: number): void {
    if (source !== this.#source) {
      this.#source = source;
      [this.#first, this.#highest, this.#received, this.#jitter] = [sequence, sequence, 0, 0];
      [this.#transit, this.#before] = [undefined, { expected: 0, received: 0 }];
    }
    this.#received += 1;
    const step = ((sequence - this.#highest) << 16) >> 16;
    if (step > 0) this.#highest += step;
    const transit = Math.round(nowMs * TICKS_PER_MS) - timestamp;
    const change = this.#transit === undefined ? 0 : Math.abs((transit - this.#transit) | 0);
    this.#jitter += (change - this.#jitter) / 16;
    this.#transit = transit;
  }

  /** Reads a report of the peer, for the times that the next of ours gives back; `nowMs` is monotonic. */
  report(data: Uint8Array, nowMs: number): void {
    if (data.length < 28 || (data[0] as number) >> 6 !== 2 || data[1] !== SENDER_REPORT) return;
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    this.#heard = { middle: view.getUint32(10), atMs: nowMs };
  }

  /** The block about the stream; nothing before the first packet. */
  block(nowMs: number): Uint8Array {
    if (this.#source === undefined) return new Uint8Array();
    const expected = this.#highest - this.#first + 1;
    const lost = Math.max(0, Math.min(0x7f_ffff, expected - this.#received));
    const interval = { expected: expected - this.#before.expected, received: this.#received - this.#before.received };
    this.#before = { expected, received: this.#received };
    const missing = Math.max(0, interval.expected - interval.received);
    const fraction = interval.expected <= 0 ? 0 : Math.min(255, Math.floor((missing * 256) / interval.expected));
    const view = new DataView(new ArrayBuffer(24));
    view.setUint32(0, this.#source);
    view.setUint32(4, (fraction << 24) | lost);
    view.setUint32(8, this.#highest);
    view.setUint32(12, Math.round(this.#jitter));
    view.setUint32(16, this.#heard?.middle ?? 0);
    view.setUint32(20, this.#heard === undefined ? 0 : Math.round(((nowMs - this.#heard.atMs) * 65_536) / 1000));
    return new Uint8Array(view.buffer);
  }
}

/** A report of what we sent and what came, with the name that ties our streams together (RFC 3550, section 6.1); `last` says goodbye. */
export const rtcpReport = (
  own: Readonly<{ source: number; name: string; sent: SentCounts; wallMs: number; last: boolean }>,
  block: Uint8Array,
): Uint8Array => {
  const { source, sent, wallMs } = own;
  const sends = sent.packets > 0;
  const head = new DataView(new ArrayBuffer(sends ? 28 : 8));
  head.setUint8(0, (2 << 6) | (block.length > 0 ? 1 : 0));
  head.setUint8(1, sends ? SENDER_REPORT : RECEIVER_REPORT);
  head.setUint16(2, (head.byteLength + block.length) / 4 - 1);
  head.setUint32(4, source);
  if (sends) {
    head.setUint32(8, Math.floor(wallMs / 1000) + NTP_EPOCH);
    head.setUint32(12, Math.floor(((wallMs % 1000) / 1000) * 2 ** 32));
    head.setUint32(16, sent.timestamp);
    head.setUint32(20, sent.packets);
    head.setUint32(24, sent.octets % 2 ** 32);
  }
  const parts = [new Uint8Array(head.buffer), block, description(source, own.name)];
  return Buffer.concat(own.last ? [...parts, goodbye(source)] : parts);
};

const SENDER_REPORT = 200;
const RECEIVER_REPORT = 201;
const DESCRIPTION = 202;
const GOODBYE = 203;
const CNAME = 1;
const TICKS_PER_MS = 8;

/** Seconds from 1900 to 1970. */
const NTP_EPOCH = 2_208_988_800;

const description = (source: number, name: string): Uint8Array => {
  const text = Buffer.from(name, "utf8").subarray(0, 255);
  // The list of items ends with at least one zero, at a word's end.
  const length = 8 + Math.ceil((2 + text.length + 1) / 4) * 4;
  const data = new Uint8Array(length);
  const view = new DataView(data.buffer);
  view.setUint8(0, (2 << 6) | 1);
  view.setUint8(1, DESCRIPTION);
  view.setUint16(2, length / 4 - 1);
  view.setUint32(4, source);
  view.setUint8(8, CNAME);
  view.setUint8(9, text.length);
  data.set(text, 10);
  return data;
};

const goodbye = (source: number): Uint8Array => {
  const view = new DataView(new ArrayBuffer(8));
  view.setUint8(0, (2 << 6) | 1);
  view.setUint8(1, GOODBYE);
  view.setUint16(2, 1);
  view.setUint32(4, source);
  return new Uint8Array(view.buffer);
};
