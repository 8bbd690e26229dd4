import type { Recording } from "../model/dial.ts";

/** A recording as it is kept: without an address, which depends on who asks. `incomplete`: the call goes on. */
export type KeptRecording = Omit<Recording, "url"> & Readonly<{ incomplete?: boolean }>;

/** What is known of the sound of calls; the sound itself is the recorder's. */
export interface RecordingRecords {
  /** A recording that was not whole yet and now is, is told. */
  saveRecording(dialId: string, recording: KeptRecording): Promise<void>;
  /** Recordings that a dead process left: not whole, though their dials are over for a minute. */
  findBrokenRecordings(limit: number): Promise<readonly Readonly<{ dialId: string; recording: KeptRecording }>[]>;
  findRecording(workspaceId: string, dialId: string, recordingId: string): Promise<KeptRecording | undefined>;
}
