import { after, every } from "./page-time.ts";

export type PeerMediaParts = Readonly<{
  microphone: MediaStream;
  context: AudioContext;
  iceServers: readonly RTCIceServer[];
  offer(sdp: string): void;
  candidate(candidate: RTCIceCandidateInit): void;
  levels(levels: Readonly<{ microphone?: number; agent?: number }>): void;
  /** The session broke after it was connected. */
  lost(): void;
}>;

const LEVEL_MS = 100;

/** Sound by WebRTC. The agent is played by an audio element, whose sound browsers take out of the microphone's best. */
export class PeerMedia {
  readonly #parts: PeerMediaParts;
  readonly #peer: RTCPeerConnection;
  readonly #audio = new Audio();
  readonly #meters: { kind: "microphone" | "agent"; analyser: AnalyserNode; source: MediaStreamAudioSourceNode }[] = [];
  #stopMetering: (() => void) | undefined;
  #waiting: RTCIceCandidateInit[] | undefined = [];
  #settle: ((connected: boolean) => void) | undefined;
  readonly #connected: Promise<boolean>;
  #wasConnected = false;

  constructor(parts: PeerMediaParts) {
    this.#parts = parts;
    this.#peer = new RTCPeerConnection({ iceServers: [...parts.iceServers] });
    this.#connected = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.#peer.onicecandidate = ({ candidate }) => {
      if (candidate !== null) parts.candidate(candidate.toJSON());
    };
    this.#peer.ontrack = ({ streams, track }) => {
      const stream = streams[0] ?? new MediaStream([track]);
      this.#audio.srcObject = stream;
      void this.#audio.play().catch(() => undefined);
      this.#meter("agent", stream);
    };
    this.#peer.onconnectionstatechange = () => {
      this.#watch();
    };
    for (const track of parts.microphone.getAudioTracks()) this.#peer.addTrack(track, parts.microphone);
    this.#meter("microphone", parts.microphone);
  }

  /** Whether sound travels within `ms`. */
  async connect(ms: number): Promise<boolean> {
    try {
      await this.#peer.setLocalDescription();
      this.#parts.offer(this.#peer.localDescription?.sdp ?? "");
    } catch {
      return false;
    }
    const stop = after(ms, () => this.#settle?.(false));
    const connected = await this.#connected;
    stop();
    return connected;
  }

  async answered(sdp: string): Promise<void> {
    try {
      await this.#peer.setRemoteDescription({ type: "answer", sdp });
      const waiting = this.#waiting ?? [];
      this.#waiting = undefined;
      for (const candidate of waiting) await this.#peer.addIceCandidate(candidate);
    } catch {
      this.#settle?.(false);
    }
  }

  candidate(candidate: RTCIceCandidateInit): void {
    if (this.#waiting !== undefined) this.#waiting.push(candidate);
    else this.#peer.addIceCandidate(candidate).catch(() => undefined);
  }

  /** The service cannot connect it. */
  failed(): void {
    this.#settle?.(false);
  }

  close(): void {
    this.#peer.onconnectionstatechange = null;
    this.#settle?.(false);
    this.#stopMetering?.();
    for (const { source } of this.#meters) source.disconnect();
    this.#audio.srcObject = null;
    this.#peer.close();
  }

  #watch(): void {
    const { connectionState } = this.#peer;
    if (connectionState === "connected") {
      this.#wasConnected = true;
      this.#settle?.(true);
    } else if (connectionState === "failed") {
      if (this.#wasConnected) this.#parts.lost();
      else this.#settle?.(false);
    }
  }

  #meter(kind: "microphone" | "agent", stream: MediaStream): void {
    const source = this.#parts.context.createMediaStreamSource(stream);
    const analyser = new AnalyserNode(this.#parts.context, { fftSize: 2048 });
    source.connect(analyser);
    this.#meters.push({ kind, analyser, source });
    this.#stopMetering ??= every(LEVEL_MS, () => {
      for (const meter of this.#meters) this.#parts.levels({ [meter.kind]: peakOf(meter.analyser) });
    });
  }
}

const peakOf = (analyser: AnalyserNode): number => {
  const samples = new Float32Array(analyser.fftSize);
  analyser.getFloatTimeDomainData(samples);
  return samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
};
