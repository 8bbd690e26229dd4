import { callEnd, type CallEnd } from "../model/call-end.ts";
import type { Claim } from "../ports/store.ts";

/**
 * A last check between claim and ringing, because time has passed since the dial was created: how the dial ends if it may not be
 * placed any more, else `undefined`. A gate that throws keeps the dial from being placed.
 */
export type Gate = (claim: Claim) => CallEnd | undefined | Promise<CallEnd | undefined>;

/** Refuses a dial whose number was put on the do-not-call list while it waited. */
export const notListed: Gate = ({ doNotCall }) =>
  doNotCall === true ? callEnd("compliance_blocked", "system") : undefined;

/** Refuses a dial that waited longer than `maxAgeMs` in the queue, by the store's clock. */
export const queueAge =
  (maxAgeMs: number): Gate =>
  ({ queuedMs, plan }) =>
    // A visitor who has come is not sent away for having come late.
    plan.direction !== "browser" && queuedMs !== undefined && queuedMs > maxAgeMs
      ? callEnd("expired", "system")
      : undefined;

/** A visitor may be promised an agent that has nothing to go by yet; if that is still so when they come, there is no call. */
export const hasPrompt: Gate = ({ plan }) =>
  plan.lacksPrompt === true ? callEnd("model_failed", "system") : undefined;
