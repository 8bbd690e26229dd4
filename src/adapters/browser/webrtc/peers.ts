import {
  RTCPeerConnection,
  RTCRtpCodecParameters,
  RtpHeader,
  RtpPacket,
  useOPUS,
  type RTCRtpTransceiver,
} from "werift";
import { OpusDecoder, OpusEncoder } from "../../../audio/opus.ts";
import { toError } from "../../../kit/errors.ts";
import type { IceCandidate } from "../../../model/browser-protocol.ts";
import type { BrowserPeer, BrowserPeers } from "../../../ports/browser-peer.ts";
import { DeadlineExceeded, type Clock } from "../../../ports/clock.ts";
import type { Logger } from "../../../ports/logger.ts";
import type { Metrics } from "../../../ports/metrics.ts";
import type { Random } from "../../../ports/random.ts";
import { addPublicCandidates, isUsable, offersOpus, publicCandidate, wishForSpeech } from "./description.ts";
import { WEBRTC_FORMAT, WebRtcLine } from "./webrtc-line.ts";

export type IceServer = Readonly<{ urls: string; username?: string; credential?: string }>;

export type WebRtcSettings = Readonly<{
  /** STUN and TURN servers of our side; none where browsers reach this machine directly. */
  iceServers: readonly IceServer[];
  /** UDP ports to use, both ends included; absent: any. */
  ports?: readonly [number, number] | undefined;
  /** Address under which browsers reach this machine when it knows itself only by a private one. */
  publicAddress?: string | undefined;
  /** Whether browsers on this machine may connect over loopback. */
  loopback: boolean;
}>;

export type BrowserPeersParts = Readonly<{
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
  random: Random;
  settings: WebRtcSettings;
}>;

/** The offer cannot be answered; the message says why. */
export class OfferRefused extends Error {
  override readonly name = "OfferRefused";
}

/** Bits per second of the agent's sound: 24 kHz, with copies against loss. */
const BITRATE = 28_000;

/** A browser behind a firewall finds its way through a relay within seconds, or not at all. */
const CONNECT_MS = 15_000;

/** Our addresses are known at once; what servers say of us may come later, after the answer. */
const GATHER_MS = 300;

/** On a machine that is busy even our own addresses take a while. */
const FIRST_ADDRESS_MS = 3000;

/** More kinds of key events than any browser offers: it has one for every clock rate of its codecs. */
const KEY_CODECS = 6;

/** Answers browsers by a WebRTC stack in TypeScript, one UDP port for each session. */
export const createBrowserPeers = (parts: BrowserPeersParts): BrowserPeers => {
  const open = new Set<Session>();
  return {
    answer: async (offer, onCandidate, signal) => {
      if (!offersOpus(offer))
        throw new OfferRefused("the offer has no sound in Opus, no ICE credentials, or no fingerprint");
      const session = await Session.open(parts, onCandidate, () => open.delete(session));
      open.add(session);
      try {
        return await session.answer(offer, signal);
      } catch (error) {
        await session.close();
        throw error;
      }
    },
    close: async () => {
      await Promise.all([...open].map((session) => session.close()));
    },
  };
};

class Session {
  readonly #parts: BrowserPeersParts;
  readonly #connection: RTCPeerConnection;
  readonly #line: WebRtcLine;
  readonly #onCandidate: (candidate: IceCandidate) => void;
  #transceiver: RTCRtpTransceiver | undefined;
  #closing: Promise<void> | undefined;

  private constructor(
    parts: BrowserPeersParts,
    codec: Readonly<{ encoder: OpusEncoder; decoder: OpusDecoder }>,
    onCandidate: (candidate: IceCandidate) => void,
    released: () => void,
  ) {
    this.#parts = parts;
    this.#onCandidate = onCandidate;
    this.#connection = new RTCPeerConnection(connectionOptions(parts.settings, () => this.#line.alive()));
    const below = (limit: number) => Math.floor(parts.random.fraction() * limit);
    this.#line = new WebRtcLine({
      ...parts,
      ...codec,
      first: { sequence: below(2 ** 16), timestamp: below(2 ** 32) },
      send: (payload, sequence, timestamp, marker) => this.#send(payload, sequence, timestamp, marker),
      release: () => {
        released();
        void this.close();
      },
    });
  }

  static async open(
    parts: BrowserPeersParts,
    onCandidate: (candidate: IceCandidate) => void,
    released: () => void,
  ): Promise<Session> {
    const { sampleRate } = WEBRTC_FORMAT;
    const [encoder, decoder] = await Promise.all([
      OpusEncoder.create({ sampleRate, bitrate: BITRATE }),
      OpusDecoder.create(sampleRate),
    ]);
    return new Session(parts, { encoder, decoder }, onCandidate, released);
  }

  async answer(offer: string, signal: AbortSignal): Promise<BrowserPeer> {
    const abort = () => this.#line.close();
    signal.addEventListener("abort", abort, { once: true });
    this.#connection.onIceCandidate.subscribe((candidate) => {
      if (candidate !== undefined) this.#tell(candidate.candidate, candidate.sdpMid, candidate.sdpMLineIndex);
    });
    this.#connection.onRemoteTransceiverAdded.subscribe((transceiver) => this.#take(transceiver));
    const connected = this.#connected();
    // Who waits for the answer learns of a failure by it.
    connected.catch(() => undefined);
    const answer = await this.#describe(offer);
    signal.throwIfAborted();
    return {
      answer,
      transport: this.#line,
      connected,
      addCandidate: (candidate) => {
        if (!isUsable(candidate)) return;
        const { candidate: text, sdpMid = null, sdpMLineIndex = null } = candidate;
        this.#connection.addIceCandidate({ candidate: text, sdpMid, sdpMLineIndex }).catch((error: unknown) => {
          this.#parts.logger.debug("a browser's candidate is of no use", { error: toError(error) });
        });
      },
    };
  }

  close(): Promise<void> {
    this.#closing ??= Promise.resolve().then(async () => {
      this.#line.close();
      await this.#connection.close();
    });
    return this.#closing;
  }

  async #describe(offer: string): Promise<string> {
    try {
      await this.#connection.setRemoteDescription({ type: "offer", sdp: offer });
      this.#transceiver?.setDirection("sendrecv");
      const answer = await this.#connection.createAnswer();
      const gathered = this.#connection.setLocalDescription(answer);
      gathered.catch(() => this.#line.over("lost"));
      await this.#orAfter(GATHER_MS, gathered);
      // A browser's side that takes no candidates later could not reach us at all.
      if (!this.#hasAddress()) await this.#orAfter(FIRST_ADDRESS_MS, Promise.race([gathered, this.#addressed()]));
    } catch (error) {
      throw new OfferRefused("the offer cannot be answered", { cause: error });
    }
    const { publicAddress } = this.#parts.settings;
    const sdp = wishForSpeech(this.#connection.localDescription?.sdp ?? "");
    return publicAddress === undefined ? sdp : addPublicCandidates(sdp, publicAddress);
  }

  #hasAddress(): boolean {
    return /^a=candidate:/m.test(this.#connection.localDescription?.sdp ?? "");
  }

  #addressed(): Promise<void> {
    return new Promise((resolve) => {
      this.#connection.onIceCandidate.subscribe((candidate) => {
        if (candidate !== undefined) resolve();
      });
    });
  }

  #tell(candidate: string, sdpMid: string | undefined, sdpMLineIndex: number | undefined): void {
    const { publicAddress } = this.#parts.settings;
    const place = { sdpMid: sdpMid ?? null, sdpMLineIndex: sdpMLineIndex ?? null };
    this.#onCandidate({ candidate, ...place });
    const outside = publicAddress === undefined ? undefined : publicCandidate(candidate, publicAddress);
    if (outside !== undefined) this.#onCandidate({ candidate: outside, ...place });
  }

  #take(transceiver: RTCRtpTransceiver): void {
    if (transceiver.kind !== "audio" || this.#transceiver !== undefined) return;
    this.#transceiver = transceiver;
    transceiver.receiver.onRtcp.subscribe(() => this.#line.alive());
    transceiver.sender.onRtcp.subscribe(() => this.#line.alive());
    transceiver.onTrack.subscribe((track) => {
      track.onReceiveRtp.subscribe(({ header, payload }) => {
        const codec = transceiver.codecs.find(({ payloadType }) => payloadType === header.payloadType);
        if (codec === undefined) return;
        const { sequenceNumber: sequence, timestamp, ssrc: source } = header;
        const holds = codec.name.toLowerCase() === "opus" ? "sound" : "key";
        this.#line.packet({ sequence, timestamp, source, payload }, holds);
      });
    });
  }

  #connected(): Promise<void> {
    return new Promise((resolve, reject) => {
      const deadline = this.#parts.clock.setTimer(CONNECT_MS, () => {
        reject(new DeadlineExceeded("connecting a browser", CONNECT_MS));
        this.#line.over("lost");
      });
      this.#connection.connectionStateChange.subscribe((state) => {
        if (state === "connected") {
          deadline.cancel();
          this.#line.connected();
          resolve();
        } else if (state === "failed" || state === "closed") {
          deadline.cancel();
          reject(new Error(`the WebRTC session is ${state}`));
          this.#line.over(state === "failed" ? "lost" : "hung-up");
        }
      });
    });
  }

  #send(payload: Uint8Array, sequenceNumber: number, timestamp: number, marker: boolean): void {
    const header = new RtpHeader({ sequenceNumber, timestamp, marker, payloadType: 0 });
    this.#transceiver?.sender
      .sendRtp(new RtpPacket(header, Buffer.from(payload.buffer, payload.byteOffset, payload.length)))
      .catch((error: unknown) => {
        this.#parts.logger.debug("a packet was not sent", { error: toError(error) });
      });
  }

  #orAfter(ms: number, work: Promise<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const timer = this.#parts.clock.setTimer(ms, () => resolve(undefined));
      work.finally(() => timer.cancel()).then(resolve, reject);
    });
  }
}

const connectionOptions = (settings: WebRtcSettings, alive: () => void) => ({
  codecs: {
    audio: [
      useOPUS({ payloadType: 111 }),
      // Each takes one of the kinds that a browser offers, with its payload type and clock rate.
      ...Array.from(
        { length: KEY_CODECS },
        (_, index) =>
          new RTCRtpCodecParameters({ mimeType: "audio/telephone-event", clockRate: 8000, payloadType: 112 + index }),
      ),
    ],
    video: [],
  },
  iceServers: settings.iceServers.map((server) => ({ ...server })),
  ...(settings.ports === undefined ? {} : { icePortRange: [...settings.ports] as [number, number] }),
  ...(settings.loopback ? { iceAdditionalHostAddresses: ["127.0.0.1"] } : {}),
  iceUseTcp: false,
  iceStunGatherTimeout: 1,
  iceFilterStunResponse: () => {
    alive();
    return true;
  },
});
