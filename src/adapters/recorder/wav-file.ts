import type { FileHandle } from "node:fs/promises";
import { encodeLinear16 } from "../../audio/linear16.ts";
import { WAV_HEADER_BYTES, wavHeader } from "../../audio/wav.ts";
import { writeFully, type SoundFile } from "./sound-file.ts";

/** 16 bits, two sides. */
const FRAME_BYTES = 4;

/**
 * 16-bit PCM, each piece at its own place; what lies between is a hole, which reads as silence. The header is written again after each
 * piece: a process that is killed leaves a file that plays up to there.
 */
export class WavFile implements SoundFile {
  readonly #file: FileHandle;
  readonly #sampleRate: number;

  private constructor(file: FileHandle, sampleRate: number) {
    this.#file = file;
    this.#sampleRate = sampleRate;
  }

  static async begin(file: FileHandle, sampleRate: number): Promise<WavFile> {
    const wav = new WavFile(file, sampleRate);
    await wav.#writeHeader(0);
    return wav;
  }

  async add(atFrame: number, samples: Int16Array): Promise<void> {
    await writeFully(this.#file, encodeLinear16(samples), WAV_HEADER_BYTES + atFrame * FRAME_BYTES);
    await this.#writeHeader(atFrame + samples.length / 2);
  }

  async finish(): Promise<void> {
    await this.#file.close();
  }

  async #writeHeader(frames: number): Promise<void> {
    await writeFully(this.#file, wavHeader({ sampleRate: this.#sampleRate, channels: 2 }, frames * FRAME_BYTES), 0);
  }
}

/** How long a WAV file is that a dead process may have left, in milliseconds, by its header. */
export const wavDurationMs = async (file: FileHandle): Promise<number> => {
  const header = Buffer.alloc(WAV_HEADER_BYTES);
  await file.read(header, 0, header.length, 0);
  const { size } = await file.stat();
  const bytes = Math.min(header.readUInt32LE(40), Math.max(0, size - WAV_HEADER_BYTES));
  return (bytes / FRAME_BYTES / Math.max(1, header.readUInt32LE(24))) * 1000;
};
