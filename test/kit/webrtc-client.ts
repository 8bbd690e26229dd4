import {
  RTCPeerConnection,
  RTCRtpCodecParameters,
  RtpHeader,
  RtpPacket,
  useOPUS,
  useVP8,
  type RTCRtpTransceiver,
} from "werift";
import { OpusDecoder, OpusEncoder } from "../../src/audio/opus.ts";
import type { BrowserPeer, BrowserPeers } from "../../src/ports/browser-peer.ts";
import { sleep, type Clock } from "../../src/ports/clock.ts";

/** What becomes of packet `index` on its way: how many milliseconds it takes, or that it is lost. */
export type Network = (index: number) => number | "lost";

const RATE = 16_000;

/** A browser's side of a WebRTC session, as far as a call needs one: it speaks, hears and presses keys. */
export class WebRtcClient {
  readonly connection = new RTCPeerConnection({
    codecs: {
      audio: [
        useOPUS({ payloadType: 109, parameters: "minptime=10;useinbandfec=1" }),
        new RTCRtpCodecParameters({ mimeType: "audio/telephone-event", clockRate: 48_000, payloadType: 110 }),
        new RTCRtpCodecParameters({ mimeType: "audio/telephone-event", clockRate: 8000, payloadType: 126 }),
      ],
      video: [useVP8()],
    },
    iceServers: [],
    iceAdditionalHostAddresses: ["127.0.0.1"],
    iceUseTcp: false,
  });
  readonly #clock: Clock;
  readonly #transceiver: RTCRtpTransceiver;
  readonly #heard: Int16Array[] = [];
  readonly #decoder: OpusDecoder;
  readonly #encoder: OpusEncoder;
  readonly types = new Set<number>();
  packets = 0;
  bytes = 0;
  #sequence = 65_500;
  #timestamp = 4_294_900_000;

  private constructor(clock: Clock, encoder: OpusEncoder, decoder: OpusDecoder) {
    this.#clock = clock;
    this.#encoder = encoder;
    this.#decoder = decoder;
    this.#transceiver = this.connection.addTransceiver("audio", { direction: "sendrecv" });
    this.#transceiver.onTrack.subscribe((track) => {
      track.onReceiveRtp.subscribe(({ header, payload }) => {
        this.types.add(header.payloadType);
        this.packets += 1;
        this.bytes += payload.length;
        this.#heard.push(this.#decoder.decode(payload) ?? new Int16Array(0));
      });
    });
  }

  static async create(clock: Clock): Promise<WebRtcClient> {
    return new WebRtcClient(clock, await OpusEncoder.create({ sampleRate: RATE }), await OpusDecoder.create(24_000));
  }

  /** What was heard so far, 24 kHz. */
  get heard(): readonly Int16Array[] {
    return this.#heard;
  }

  async offer(): Promise<string> {
    await this.connection.setLocalDescription(await this.connection.createOffer());
    return this.connection.localDescription?.sdp ?? "";
  }

  /** Calls, and resolves when sound can travel. */
  async call(peers: BrowserPeers, signal = new AbortController().signal): Promise<BrowserPeer> {
    const offer = await this.offer();
    const peer = await peers.answer(
      offer,
      ({ candidate }) => void this.connection.addIceCandidate({ candidate, sdpMid: "0", sdpMLineIndex: 0 }),
      signal,
    );
    await this.connection.setRemoteDescription({ type: "answer", sdp: peer.answer });
    await peer.connected;
    return peer;
  }

  /** Speaks samples of 16 kHz in real time; resolves when all are on their way. */
  async speak(samples: Int16Array, network: Network = () => 0): Promise<void> {
    const start = this.#clock.monotonic();
    const frames = Math.floor(samples.length / 320);
    for (let index = 0; index < frames; index++) {
      await sleep(this.#clock, start + index * 20 - this.#clock.monotonic());
      const packet = this.#encoder.encode(samples.subarray(index * 320, (index + 1) * 320));
      const fate = network(index);
      const [sequence, timestamp] = [this.#sequence, this.#timestamp];
      this.#sequence = (this.#sequence + 1) & 0xffff;
      this.#timestamp = (this.#timestamp + 960) >>> 0;
      if (fate === "lost") continue;
      this.#clock.setTimer(fate, () => this.#send(109, packet, sequence, timestamp));
    }
  }

  /** Presses a key for 60 ms, by the events of payload type 126; the first packet of it is lost on the way. */
  press(key: string): void {
    const event = "0123456789*#ABCD".indexOf(key);
    for (let packet = 0; packet < 6; packet++) {
      const end = packet >= 3 ? 0x80 : 0;
      const duration = Math.min(packet + 1, 3) * 160;
      const payload = Uint8Array.of(event, end | 10, duration >> 8, duration & 0xff);
      if (packet > 0) this.#send(126, payload, this.#sequence, this.#timestamp);
      this.#sequence = (this.#sequence + 1) & 0xffff;
    }
    this.#timestamp = (this.#timestamp + 6 * 960) >>> 0;
  }

  async close(): Promise<void> {
    await this.connection.close();
    this.#encoder.close();
    this.#decoder.close();
  }

  #send(payloadType: number, payload: Uint8Array, sequenceNumber: number, timestamp: number): void {
    const packet = new RtpPacket(new RtpHeader({ sequenceNumber, timestamp, payloadType }), Buffer.from(payload));
    const { sender } = this.#transceiver;
    const codec = sender.codec;
    if (codec === undefined) return;
    // The stack always sends by the first codec's type; keys go by another one.
    const type = codec.payloadType;
    codec.payloadType = payloadType;
    void sender.sendRtp(packet);
    codec.payloadType = type;
  }
}
