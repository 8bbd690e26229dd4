import type { Erasure, ErasureCause } from "../model/erasure.ts";
import type { PageRequest, Positioned } from "./page.ts";

/** A dial whose data are to go. */
export type DueErasure = Readonly<{ dialId: string; workspaceId: string; cause: ErasureCause }>;

/** How long what only the service itself needs is kept, in days. */
export const KEPT_DAYS = {
  /** A request with the same `Idempotency-Key` is known again. */
  idempotencyKeys: 7,
  /** Webhook events that were delivered or given up, with their attempts. */
  deliveries: 30,
  /** The history of a dial's states. */
  dialEvents: 30,
} as const;

/** Takes out what may no longer be kept. Marked dials are erased even when whoever marked them has died. */
export interface Erasures {
  /** Notes that a dial is to be erased. `open`: its call is not over, and nothing is noted. */
  markDial(workspaceId: string, dialId: string): Promise<"marked" | "open" | "unknown">;
  /** Notes that everything of a number is to be erased: dials to it, calls from it. Answers the erasure's record. */
  markNumber(workspaceId: string, erasureId: string, number: string): Promise<Erasure>;
  /** Dials of one workspace, or of all, that are over and marked. */
  findMarked(limit: number, workspaceId?: string): Promise<readonly DueErasure[]>;
  /** Dials that are over for longer than their agent keeps them, or than `otherwiseDays` where it does not say. */
  findExpired(limit: number, otherwiseDays?: number): Promise<readonly DueErasure[]>;
  /**
   * Takes everything personal out of the records of a dial that is over, and notes that. What comes later for the dial is not kept.
   * Idempotent.
   */
  erase(due: DueErasure, erasureId: string): Promise<void>;
  /** Whether a dial has been over for a minute, and whether its data were erased; `undefined` for no dial. */
  standingOf(dialId: string): Promise<Readonly<{ over: boolean; erased: boolean }> | undefined>;
  /** Oldest first. */
  list(workspaceId: string, page: PageRequest): Promise<Positioned<Erasure>>;
  /** Deletes up to `limit` rows of each kind whose time ({@link KEPT_DAYS}) is over; answers how many there were. */
  tidy(limit: number): Promise<number>;
}
