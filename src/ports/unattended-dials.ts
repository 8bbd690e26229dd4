import type { EndReason } from "../model/call-end.ts";
import type { CallPlan } from "../model/call-plan.ts";
import type { DialState } from "../model/dial.ts";

/** A dial as the reaper sees it. */
export type OpenDial = Readonly<{
  dialId: string;
  workspaceId: string;
  direction: CallPlan["direction"];
  state: DialState;
  epoch: number;
  carrier: string | null;
  carrierCallId: string | null;
  hangupIntent: EndReason | null;
  /** Of an ended dial. */
  endReason: EndReason | null;
  toNumber: string | null;
  fromNumber: string | null;
  /** Before this time (Unix milliseconds) it was certainly not placed. */
  claimedAt: number | null;
  /** Past the horizon after which a call that the carrier does not know will not appear any more. */
  pastHorizon: boolean;
}>;

/** Dials that nobody looks after, or whose end nobody has confirmed, and what becomes of them. */
export interface UnattendedDials {
  /** Ends every QUEUED browser dial older than `maxAgeMs`, whose visitor has not come; answers which. */
  endClientless(maxAgeMs: number): Promise<readonly string[]>;
  /** Ends QUEUED phone dials older than `maxAgeMs` as expired; answers which. Some may be left: ask again until none was. */
  expireQueued(maxAgeMs: number): Promise<readonly string[]>;
  /**
   * QUEUED phone dials that might be placed now, by their calling windows: how many, for how long the first has waited, in milliseconds,
   * and how many beside these are in quarantine, whatever their windows, where a store has one.
   */
  backlog(): Promise<Readonly<{ count: number; oldestMs: number; quarantined?: number }>>;
  /** QUEUED dials that have had no job for 5 s: calls that came in, then those to be placed, workspaces in turn, each one's oldest first. */
  findUnqueued(limit: number): Promise<readonly string[]>;
  /** Takes over dials whose lease has lapsed: epoch + 1, new owner, new lease. */
  takeOverLapsed(owner: string, limit: number): Promise<readonly OpenDial[]>;
  /** Open dials whose carrier state was not confirmed for 60 s, whatever their lease; notes that they are looked at now. */
  findUnconfirmed(limit: number): Promise<readonly OpenDial[]>;
  /**
   * Dials of the last 24 h that were claimed and ended without the carrier's word (evidence below 3), whose turn it is to be looked at
   * again: a minute after the end, then four times as long after each look, six hours at most. Notes that they are looked at now.
   */
  findWeaklyEnded(limit: number): Promise<readonly OpenDial[]>;
}
