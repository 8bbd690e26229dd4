import { LineReports } from "../../../kit/line-reports.ts";
import { SOUND_LOST_MS, SilenceWatch } from "../../../kit/silence-watch.ts";
import type { AudioFormat } from "../../../model/audio.ts";
import type { Clock, Timer } from "../../../ports/clock.ts";
import type { Logger } from "../../../ports/logger.ts";
import type { Metrics } from "../../../ports/metrics.ts";
import type { Random } from "../../../ports/random.ts";
import type { LineEnd, LineListener, Transport } from "../../../ports/transport.ts";
import { KeyPresses } from "./key-events.ts";
import { Reception, rtcpReport } from "./rtcp-report.ts";
import { parseRtp, serializeRtp, type RtpPacket } from "./rtp-packet.ts";
import type { RtpPair } from "./rtp-ports.ts";
import { RtpReceiver } from "./rtp-receiver.ts";
import { RtpSender } from "./rtp-sender.ts";
import type { Direction, SoundCodec, SoundDescription } from "./session-description.ts";

export type SipLineParts = Readonly<{
  clock: Clock;
  random: Random;
  logger: Logger;
  metrics: Metrics;
  callId: string;
  codec: SoundCodec;
  pair: RtpPair;
  /** The line was closed by our side; called once at the most. */
  closed(): void;
}>;

/** RFC 3550, section 6.2. */
const REPORT_MS = 5000;

/** What happens before `listen` is kept: a second of it, the oldest lost first. */
const MOST_HELD = 50;

/**
 * The sound of one call: RTP both ways. It plays what it is given at once, so that nothing may be sent ahead.
 *
 * Sound goes to where the peer said, and once sound came from elsewhere, there: routers on the way change addresses. Who spoke first
 * keeps the line; others are not heard, unless the peer names another address or has been silent for 3 s.
 */
export class SipLine implements Transport {
  readonly format: AudioFormat;
  readonly queue = "none";
  readonly carrierCallId: string;
  readonly #parts: SipLineParts;
  readonly #receiver: RtpReceiver;
  readonly #sender: RtpSender;
  readonly #keys = new KeyPresses();
  readonly #reception = new Reception();
  readonly #source: number;
  #peer: SoundDescription | undefined;
  /** Where sound goes. */
  #target = { address: "", port: 0 };
  #latched = false;
  #hears = false;
  #direction: Direction = "sendrecv";
  readonly #reports = new LineReports(MOST_HELD);
  readonly #watch: SilenceWatch;
  #soundAt = 0;
  #nextReport: Timer | undefined;
  #gone = false;

  constructor(parts: SipLineParts) {
    this.#parts = parts;
    this.carrierCallId = parts.callId;
    this.format = { encoding: parts.codec, sampleRate: 8000 };
    const { clock, codec, random } = parts;
    const chance = (bits: number) => Math.floor(random.fraction() * 2 ** bits);
    this.#source = chance(32);
    this.#receiver = new RtpReceiver(clock, codec, (frame) => this.#reports.frame(frame));
    this.#watch = new SilenceWatch(
      clock,
      () => (this.#isHeld ? clock.monotonic() : this.#soundAt) + SOUND_LOST_MS,
      () => this.#lose(),
    );
    this.#sender = new RtpSender({
      clock,
      codec,
      keys: () => this.#peer?.keys !== undefined,
      first: { sequence: chance(16), timestamp: chance(32) },
      send: ({ kind, ...packet }) => this.#send({ ...packet, source: this.#source, payloadType: this.#typeOf(kind) }),
    });
    parts.pair.sound.on("message", (data, from) => this.#onSound(data, from));
    parts.pair.reports.on("message", (data) => this.#reception.report(data, clock.monotonic()));
  }

  get bufferedAmount(): number {
    return 0;
  }

  listen(listener: LineListener): void {
    this.#reports.listen(listener);
  }

  send(payload: Uint8Array): void {
    if (!this.#gone) this.#sender.add(payload);
  }

  mark(name: string): void {
    this.#reports.markSoon(name);
  }

  clear(): void {
    this.#sender.clear();
  }

  close(): void {
    if (this.#gone) return;
    this.over("closed-by-us");
    this.#parts.closed();
  }

  /** The peer's description, the first or a later one, and the direction of sound from our side. */
  agree(peer: SoundDescription, direction: Direction): void {
    if (this.#gone) return;
    const moved = peer.address !== this.#peer?.address || peer.port !== this.#peer.port;
    this.#peer = peer;
    if (moved) {
      this.#target = { address: peer.address, port: peer.port };
      this.#latched = false;
    }
    this.#direction = direction;
    this.#soundAt = this.#parts.clock.monotonic();
    this.#sender.mute(direction === "recvonly" || direction === "inactive" || peer.port === 0);
    this.#sender.start();
    this.#nextReport ??= this.#parts.clock.setTimer(REPORT_MS, () => this.#reportSoon());
  }

  /** The call was answered: sound before it is not the person's, and from here on it may not stay away. */
  answered(): void {
    this.#hears = true;
    this.#soundAt = this.#parts.clock.monotonic();
    this.#watch.start();
  }

  /** The call has ended. Idempotent. */
  over(why: LineEnd): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#watch.stop();
    this.#nextReport?.cancel();
    // The last report leaves before the sockets close.
    this.#report(true, () => this.#parts.pair.close());
    const { received, lost, late } = this.#receiver.counts;
    this.#parts.metrics.framesDropped("in", lost);
    this.#parts.metrics.framesLate(late);
    this.#parts.logger.debug("sip line over", { reason: why, count: received, dropped: lost });
    this.#receiver.close();
    this.#sender.close();
    this.#reports.gone(why);
  }

  #onSound(data: Uint8Array, from: Readonly<{ address: string; port: number }>): void {
    const packet = this.#gone ? undefined : parseRtp(data);
    const peer = this.#peer;
    if (packet === undefined || peer === undefined) return;
    const holds = packet.payloadType === peer.keys ? "key" : this.#codecOf(packet.payloadType);
    if (holds === undefined || !this.#isPeer(from)) return;
    const now = this.#parts.clock.monotonic();
    this.#soundAt = now;
    this.#reception.packet(packet, now);
    if (!this.#hears) return;
    const key = holds === "key" ? this.#keys.take(packet.payload, packet.timestamp) : undefined;
    if (key !== undefined) this.#reports.digit(key);
    this.#receiver.push(packet, holds === "key" || packet.payload.length === 0 || holds === "noise" ? "none" : holds);
  }

  #isPeer({ address, port }: Readonly<{ address: string; port: number }>): boolean {
    if (address === this.#target.address && port === this.#target.port) {
      this.#latched = true;
      return true;
    }
    if (this.#latched && this.#parts.clock.monotonic() - this.#soundAt < SOUND_LOST_MS) return false;
    this.#target = { address, port };
    this.#latched = true;
    return true;
  }

  #codecOf(payloadType: number): SoundCodec | "noise" | undefined {
    if (payloadType === COMFORT_NOISE) return "noise";
    const told = this.#peer?.codecs.find((each) => each.payloadType === payloadType)?.codec;
    return told ?? STATIC.get(payloadType);
  }

  #typeOf(kind: "sound" | "key"): number {
    const { codecs = [], keys } = this.#peer ?? {};
    if (kind === "key" && keys !== undefined) return keys;
    const { codec } = this.#parts;
    return codecs.find((each) => each.codec === codec)?.payloadType ?? (codec === "mulaw" ? 0 : 8);
  }

  #send(packet: RtpPacket): void {
    const { address, port } = this.#target;
    if (port !== 0) this.#parts.pair.sound.send(serializeRtp(packet), port, address);
  }

  #reportSoon(): void {
    this.#report(false);
    this.#nextReport = this.#parts.clock.setTimer(REPORT_MS, () => this.#reportSoon());
  }

  #report(last: boolean, sent: () => void = () => undefined): void {
    const { address, port } = this.#target;
    if (port === 0 || port === 65_535) {
      sent();
      return;
    }
    const { clock, pair } = this.#parts;
    const own = {
      source: this.#source,
      name: "call-engine",
      sent: this.#sender.counts,
      wallMs: clock.now(),
      last,
    };
    pair.reports.send(rtcpReport(own, this.#reception.block(clock.monotonic())), port + 1, address, sent);
  }

  /** Who holds the call sends nothing. */
  get #isHeld(): boolean {
    const ours = this.#direction !== "sendrecv" && this.#direction !== "recvonly";
    return ours || this.#peer?.direction === "inactive" || this.#peer?.direction === "sendonly";
  }

  #lose(): void {
    this.#parts.logger.warn("media line lost", { reason: "no sound came over RTP for 3 s" });
    this.over("lost");
  }
}

/** RFC 3389; such packets say that it is quiet. */
const COMFORT_NOISE = 13;

/** Peers may send either law, whatever they said. */
const STATIC: ReadonlyMap<number, SoundCodec> = new Map([
  [0, "mulaw"],
  [8, "alaw"],
]);
