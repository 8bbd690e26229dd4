import type { AudioFormat } from "../../../model/audio.ts";
import type { WordTiming } from "../../../ports/synthesizer.ts";

/** Whom a vendor shall speak as. */
export type VendorVoice = Readonly<{
  /** The vendor's own id, without our prefix. */
  id: string;
  /** BCP 47. */
  language: string;
  options: Readonly<Record<string, string>>;
}>;

/** Some sound of a piece; word times count from the beginning of the piece, in milliseconds. */
export type PieceChunk = Readonly<{ audio: Uint8Array; words?: readonly WordTiming[] }>;

/** One vendor's way of making the sound of one piece of text. Several pieces may be under way at once, for different calls. */
export interface PieceSpeaker {
  /** Ends with the piece's last sound, or early when `signal` aborts; fails with a `ProviderError`. */
  speak(text: string, voice: VendorVoice, format: AudioFormat, signal: AbortSignal): AsyncIterable<PieceChunk>;
  /** Opens a connection that the next piece with this voice can use at once. */
  warm(voice: VendorVoice, format: AudioFormat): void;
  /** Fails what is under way, and leaves no connection. */
  close(): Promise<void>;
}
