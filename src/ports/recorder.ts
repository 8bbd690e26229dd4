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
  /** The length, in milliseconds, of a recording that a dead process has left here; `undefined` when it is not here or is still written. */
  recover(dialId: string, recordingId: string): Promise<number | undefined>;
  /** Brings what waits on this machine to where it belongs, and deletes what belongs to erased dials. Asked now and then. */
  tend(): Promise<void>;
  close(): Promise<void>;
}

/** Whether a dial has been over for a minute, so that nobody writes for it any more, and whether it was erased; `undefined` for no dial. */
export type StandingOf = (dialId: string) => Promise<Readonly<{ over: boolean; erased: boolean }> | undefined>;

export type RecordedSound = Readonly<{
  contentType: string;
  bytes: number;
  /** The file or a part of it; `end` is inclusive. */
  stream(range?: Readonly<{ start: number; end: number }>): NodeJS.ReadableStream | Promise<NodeJS.ReadableStream>;
  /** Signed address at which anybody can fetch the sound for five minutes; absent where it lies behind this API. */
  address?: string;
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
