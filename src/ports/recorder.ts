import type { RecordingFormat } from "../model/agent.ts";

/** `sampleRate` of the samples that will come. Without a format the recorder chooses; a rate that a format does not know is kept as WAV. */
export type NewRecording = Readonly<{
  dialId: string;
  recordingId: string;
  sampleRate: number;
  format?: RecordingFormat;
}>;

/** Writes what both sides heard of a call, on one clock, caller left and agent right. */
export interface Recorder {
  /** Starts a recording. */
  open(recording: NewRecording): Promise<RecordingStream>;
  /** The finished or growing sound file; `undefined` when there is none. */
  read(dialId: string, recordingId: string): Promise<RecordedSound | undefined>;
  /** Deletes every recording of a dial, wherever it lies. */
  remove(dialId: string): Promise<void>;
  close(): Promise<void>;
}

export type RecordedSound = Readonly<{
  contentType: string;
  bytes: number;
  /** The file or a part of it; `end` is inclusive. */
  stream(range?: Readonly<{ start: number; end: number }>): NodeJS.ReadableStream;
}>;

export interface RecordingStream {
  /**
   * Samples of one side that begin at `atMs` since the recording started. Gaps become silence; overlaps keep the later sound
   * after what was there. Never blocks: sound waits in memory (at most 2 s a side) and is written in the background.
   */
  write(side: "caller" | "agent", samples: Int16Array, atMs: number): void;
  /** Completes the file and its header. Idempotent. */
  close(): Promise<Readonly<{ durationMs: number }>>;
}
