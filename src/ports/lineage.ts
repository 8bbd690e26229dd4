/**
 * How far the database had come when somebody looked: one of its generations, and a position in its log, which only grows as long as
 * nothing that was acknowledged is lost.
 */
export type StoreMark = Readonly<{ generation: string; position: string }>;

/** What a look at the database found. `quarantined`: this look was the first to see that it lost something; how many dials wait since. */
export type LineageLook = Readonly<{ mark: StoreMark; quarantined?: number }>;

/** A dial that waits for an operator's word: it was queued before the database was found to have lost something. */
export type QuarantinedDial = Readonly<{
  dialId: string;
  workspaceId: string;
  /** ISO 8601. */
  createdAt: string;
}>;

/**
 * Whether the database is still the one that acknowledged what it acknowledged. After a restore, or a failover to a replica that
 * lacked the last commits, claims may be gone, and dials that were placed would be waiting again.
 */
export interface Lineage {
  /**
   * Looks at the database, with marks that were kept outside of it. Where it lacks what a mark has seen, or runs under another history of
   * its server, a new generation begins, and every outbound dial that waits is in quarantine. From the first look on, this store's claims
   * are refused whenever the database lacks what the last look saw.
   */
  look(seen: readonly StoreMark[]): Promise<LineageLook>;
  /** Dials in quarantine, oldest first, `limit` at most, and how many there are. */
  listQuarantined(limit: number): Promise<Readonly<{ count: number; dials: readonly QuarantinedDial[] }>>;
  /** Lets workers place every dial in quarantine; answers how many. */
  release(): Promise<number>;
}

/** Keeps the last mark of a deployment somewhere that is not restored together with the database. */
export interface MarkKeeper {
  /** The mark that was kept last; `undefined` where there is none that can be read. */
  read(): Promise<StoreMark | undefined>;
  keep(mark: StoreMark): Promise<void>;
  close(): Promise<void>;
}

/** A mark in the text that keepers write; `undefined` for any other text. */
export const markIn = (text: string): StoreMark | undefined => {
  const [, generation, position] = MARK.exec(text) ?? [];
  return generation === undefined || position === undefined ? undefined : { generation, position };
};

/** What {@link markIn} reads. */
export const textOf = ({ generation, position }: StoreMark): string => `${generation} ${position}`;

/** An id of ours, and a `pg_lsn` of PostgreSQL. */
const MARK = /^([\w-]{1,64}) ([0-9A-F]{1,8}\/[0-9A-F]{1,8})$/u;
