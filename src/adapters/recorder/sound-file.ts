import type { FileHandle } from "node:fs/promises";

/** A file of stereo sound that is written from its beginning to its end. */
export interface SoundFile {
  /**
   * Adds interleaved sound (caller, agent) that begins at `atFrame` samples of one side since the beginning; what lies between it and
   * the sound before becomes silence. Rejects when the disk refuses; later sound may be added all the same.
   */
  add(atFrame: number, samples: Int16Array): Promise<void>;
  /** Completes the file at `frames` samples of one side and closes it. */
  finish(frames: number): Promise<void>;
}

/** Writes all of `bytes`. */
export const writeFully = async (file: FileHandle, bytes: Uint8Array, position: number): Promise<void> => {
  for (let written = 0; written < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
};
