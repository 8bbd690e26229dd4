import type { AnsweredBy } from "../ports/carrier.ts";

/** Whether a machine has picked up, as far as it is known. */
export type AnsweringState = Readonly<{
  /** `open`: anybody may be there. `greeting`: a voicemail is, and its beep is waited for. `settled`: no longer looked at. */
  stage: "open" | "greeting" | "settled";
  /** When the speech under way began, and how long the longest so far was, pauses below half a second included. */
  stretchFromMs: number;
  speechMs: number;
  /** When the last beep ended. */
  beepMs: number | undefined;
  /** The word of the carrier's own detection, once it came. */
  carrier: AnsweredBy | undefined;
  /** When the voicemail was recognized. */
  knownMs: number;
}>;

export const nobodyYet: AnsweringState = {
  stage: "open",
  stretchFromMs: 0,
  speechMs: 0,
  beepMs: undefined,
  carrier: undefined,
  knownMs: 0,
};

/** Machines pick up first, or after a menu or an assistant; so many turns into a call somebody else is there. */
export const MACHINE_TURNS = 3;
