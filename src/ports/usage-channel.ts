/** What a process has let through since it last said so: holders of a limit, and how many requests of each. */
export type Usage = readonly (readonly [holder: string, taken: number])[];

/** One process's word to all that share its limits. */
export type UsageNote = Readonly<{ from: string; usage: Usage }>;

/** Tells the processes of a deployment what each of them lets through. Notes may be lost, late or repeated by nobody. */
export interface UsageChannel {
  /** Tells all processes, the sender as well. Returns at once and never throws; a note that cannot be sent is lost. */
  send(note: UsageNote): void;
  /** Hears every note from now on, until `close`. Returns at once. */
  listen(handler: (note: UsageNote) => void): void;
  close(): Promise<void>;
}
