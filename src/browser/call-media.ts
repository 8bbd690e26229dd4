import { PeerMedia } from "./peer-media.ts";
import { SocketMedia } from "./socket-media.ts";

export type Levels = Readonly<{ microphone?: number; agent?: number }>;

/** What sound a call has to do with, once the visitor has allowed it. */
export type SoundDevices = Readonly<{ context: AudioContext; microphone: MediaStream }>;

export type CallMediaParts = Readonly<{
  kind: "auto" | "webrtc" | "socket";
  iceServers: readonly RTCIceServer[];
  workletUrl: string | URL;
  send(message: Readonly<Record<string, unknown>>): void;
  sendSound(message: ArrayBuffer): void;
  levels(levels: Levels): void;
  connected(by: "webrtc" | "socket"): void;
  /** The sound broke after it was connected. */
  broken(): void;
  /** Sound can travel in none of the ways; the message is for the visitor. */
  failed(message: string): void;
}>;

/** What the service's lines speak, so that neither side has to convert. */
export const SAMPLE_RATE = 24_000;

/** Beyond this a visitor would wonder what is going on; sessions that connect do so within one second. */
const WEBRTC_MS = 4000;

/** How a call's sound travels: by WebRTC where it connects, else over the socket. What a newer attempt has overtaken is let go. */
export class CallMedia {
  readonly #parts: CallMediaParts;
  #peer: PeerMedia | undefined;
  #sound: SocketMedia | undefined;
  #attempt = 0;

  constructor(parts: CallMediaParts) {
    this.#parts = parts;
  }

  /** Connects the sound, anew if it was; never rejects. */
  async open(devices: SoundDevices): Promise<void> {
    this.close();
    const attempt = this.#attempt;
    const { kind } = this.#parts;
    if (kind !== "socket" && (await this.#openPeer(devices)) && attempt === this.#attempt) {
      this.#parts.connected("webrtc");
      return;
    }
    if (attempt !== this.#attempt) return;
    this.#peer?.close();
    this.#peer = undefined;
    if (kind === "webrtc") this.#parts.failed("The sound cannot be connected from this network.");
    else await this.#openSound(devices, attempt);
  }

  answered(sdp: string): void {
    void this.#peer?.answered(sdp);
  }

  candidate(candidate: RTCIceCandidateInit): void {
    this.#peer?.candidate(candidate);
  }

  /** The service could not connect what was asked for. */
  refused(): void {
    this.#peer?.failed();
  }

  started(): void {
    this.#parts.connected("socket");
  }

  play(message: ArrayBuffer): void {
    this.#sound?.play(message);
  }

  mark(name: string): void {
    this.#sound?.mark(name);
  }

  clear(): void {
    this.#sound?.clear();
  }

  close(): void {
    this.#attempt += 1;
    this.#peer?.close();
    this.#peer = undefined;
    this.#sound?.close();
    this.#sound = undefined;
  }

  async #openPeer({ context, microphone }: SoundDevices): Promise<boolean> {
    if (!("RTCPeerConnection" in globalThis)) return false;
    const peer = new PeerMedia({
      microphone,
      context,
      iceServers: this.#parts.iceServers,
      offer: (sdp) => {
        this.#parts.send({ type: "offer", sdp });
      },
      candidate: (candidate) => {
        this.#parts.send({ type: "candidate", candidate });
      },
      levels: this.#parts.levels,
      lost: this.#parts.broken,
    });
    this.#peer = peer;
    return peer.connect(WEBRTC_MS);
  }

  async #openSound({ context, microphone }: SoundDevices, attempt: number): Promise<void> {
    try {
      const sound = await SocketMedia.open({
        microphone,
        context,
        workletUrl: this.#parts.workletUrl,
        send: this.#parts.sendSound,
        marks: (names) => {
          for (const name of names) this.#parts.send({ type: "mark", name });
        },
        levels: this.#parts.levels,
      });
      if (attempt !== this.#attempt) {
        sound.close();
        return;
      }
      this.#sound = sound;
      const format = { format: "pcm16", sampleRate: SAMPLE_RATE };
      this.#parts.send({ type: "start", input: format, output: format });
    } catch {
      this.#parts.failed("This browser cannot play and record the sound of the call.");
    }
  }
}
