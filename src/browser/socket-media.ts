import { readSound, writeSound } from "./sound-message.ts";
import type { FromWorklet, ToWorklet } from "./sound-worklet.ts";

export type SocketMediaParts = Readonly<{
  context: AudioContext;
  microphone: MediaStream;
  workletUrl: string | URL;
  send(message: ArrayBuffer): void;
  marks(names: readonly string[]): void;
  levels(levels: Readonly<{ microphone?: number; agent?: number }>): void;
}>;

/** Sound over the socket: 16-bit samples at the context's rate, both ways. */
export class SocketMedia {
  readonly #node: AudioWorkletNode;
  readonly #source: MediaStreamAudioSourceNode;
  readonly #parts: SocketMediaParts;
  #sequence = 0;
  #timestamp = 0;

  private constructor(parts: SocketMediaParts) {
    this.#parts = parts;
    this.#node = new AudioWorkletNode(parts.context, "call-engine-sound", { outputChannelCount: [1] });
    this.#source = parts.context.createMediaStreamSource(parts.microphone);
    this.#node.port.onmessage = ({ data }: MessageEvent<FromWorklet>) => {
      this.#hear(data);
    };
    this.#source.connect(this.#node).connect(parts.context.destination);
  }

  static async open(parts: SocketMediaParts): Promise<SocketMedia> {
    await parts.context.audioWorklet.addModule(parts.workletUrl);
    await parts.context.resume();
    return new SocketMedia(parts);
  }

  /** A binary message of the service. */
  play(message: ArrayBuffer): void {
    const samples = readSound(message);
    this.#say({ type: "sound", samples }, [samples.buffer]);
  }

  mark(name: string): void {
    this.#say({ type: "mark", name });
  }

  clear(): void {
    this.#say({ type: "clear" });
  }

  close(): void {
    this.#node.port.onmessage = null;
    this.#source.disconnect();
    this.#node.disconnect();
  }

  #hear(message: FromWorklet): void {
    switch (message.type) {
      case "captured":
        this.#parts.send(writeSound(this.#sequence, this.#timestamp, message.samples));
        this.#sequence = (this.#sequence + 1) >>> 0;
        this.#timestamp = (this.#timestamp + message.samples.length) >>> 0;
        this.#parts.levels({ microphone: message.level });
        break;
      case "played":
        this.#parts.marks(message.marks);
        break;
      case "playing":
        this.#parts.levels({ agent: message.level });
        break;
    }
  }

  #say(message: ToWorklet, transfer: Transferable[] = []): void {
    this.#node.port.postMessage(message, transfer);
  }
}
