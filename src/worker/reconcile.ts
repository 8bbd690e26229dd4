import { toError } from "../kit/errors.ts";
import { callEnd } from "../model/call-end.ts";
import type { Carrier, CarrierCall, LookUp } from "../ports/carrier.ts";
import type { DialStore, Ending } from "../ports/store.ts";
import type { OpenDial } from "../ports/unattended-dials.ts";
import { endForGood, type EndForGoodDeps } from "./end-for-good.ts";
import { LOOK_UP_TIMEOUT_MS } from "./find-call.ts";
import { withTimeout } from "./persist.ts";

export type ReconcileDeps = EndForGoodDeps &
  Readonly<{
    dials: Pick<DialStore, "end" | "intendHangUp">;
    carriers: ReadonlyMap<string, Carrier>;
  }>;

const HANG_UP_TIMEOUT_MS = 5_000;

/**
 * Brings a dial that has lost its worker to a true end, as far as the carrier lets us see one: its word where the call is over,
 * a cut where it lives (nobody talks to that person any more), and absence only where the call cannot appear any more. Answers
 * whether the dial is settled; false: not yet, ask again. Rejects when the carrier cannot be asked.
 */
export const settleOrphan = async (deps: ReconcileDeps, dial: OpenDial): Promise<boolean> => {
  const carrier = dial.carrier === null ? undefined : deps.carriers.get(dial.carrier);
  if (carrier === undefined) {
    // No carrier was to place it (a browser's dial), or none that this deployment still has: only time can tell.
    if (dial.carrier !== null && !dial.pastHorizon) return false;
    await endForGood(deps, dial.dialId, { type: "observed", evidence: 2, end: callEnd("worker_lost", "system") });
    return true;
  }
  const found = await lookUp(deps, carrier, dial);
  switch (found.state) {
    case "ended":
      await endForGood(deps, dial.dialId, { type: "carrier", evidence: 3, end: found.end, otherwise: "worker_lost" });
      return true;
    case "ringing":
    case "in-progress":
      await cut(deps, carrier, dial, found);
      return true;
    case "absent":
      if (!found.final && !dial.pastHorizon) return false;
      await endForGood(deps, dial.dialId, absent);
      return true;
  }
};

/**
 * Asks the carrier about a dial that a worker may well be holding: its end may have been reported to nobody. A call that is not
 * over is left alone. Rejects when the carrier cannot be asked.
 */
export const confirm = async (deps: ReconcileDeps, dial: OpenDial): Promise<void> => {
  const carrier = dial.carrier === null ? undefined : deps.carriers.get(dial.carrier);
  if (carrier === undefined) return;
  const found = await lookUp(deps, carrier, dial);
  if (found.state === "ended") await endForGood(deps, dial.dialId, { type: "carrier", evidence: 3, end: found.end });
};

/**
 * Asks the carrier again about a dial that ended without its word: what it says now counts more than what was thought then, and a
 * call that lives after all is cut. Rejects when the carrier cannot be asked.
 */
export const lookAgain = async (deps: ReconcileDeps, dial: OpenDial): Promise<void> => {
  const carrier = dial.carrier === null ? undefined : deps.carriers.get(dial.carrier);
  if (carrier === undefined) return;
  const found = await lookUp(deps, carrier, dial);
  if (found.state === "absent") return;
  const lives = found.state !== "ended";
  if (lives) {
    deps.logger.warn("a call lived on after the end of its dial and is cut", { dialId: dial.dialId });
    await withTimeout(deps.clock, HANG_UP_TIMEOUT_MS, "hanging up", (signal) => carrier.hangUp(found.callId, signal));
  }
  const after = lives ? await lookUp(deps, carrier, dial) : found;
  // Not over yet: the next look sees to it.
  if (after.state !== "ended") return;
  // Nobody talked to a person whose worker was lost, whoever hung up in the end.
  const alone = lives || dial.endReason === "worker_lost" ? ({ otherwise: "worker_lost" } as const) : {};
  await endForGood(deps, dial.dialId, { type: "carrier", evidence: 3, end: after.end, ...alone });
};

/** Our own doing, so the row's intent says why; if it has none, it is the worker that was lost. */
const absent: Ending = {
  type: "carrier",
  evidence: 1,
  end: { cause: "canceled", endedBy: "system" },
  otherwise: "worker_lost",
};
const cutByUs: Ending = { ...absent, evidence: 2 };

const cut = async (deps: ReconcileDeps, carrier: Carrier, dial: OpenDial, call: CarrierCall): Promise<void> => {
  // The first intent stays, so this only names the cause where nobody has yet.
  await deps.dials.intendHangUp(dial.dialId, "worker_lost", "system");
  await withTimeout(deps.clock, HANG_UP_TIMEOUT_MS, "hanging up", (signal) => carrier.hangUp(call.callId, signal));
  const after = await lookUp(deps, carrier, dial).catch((error: unknown) => {
    deps.logger.info("the end of a cut call was not confirmed", { dialId: dial.dialId, error: toError(error) });
    return undefined;
  });
  await endForGood(
    deps,
    dial.dialId,
    after?.state === "ended" ? { type: "carrier", evidence: 3, end: after.end, otherwise: "worker_lost" } : cutByUs,
  );
};

const lookUp = (deps: ReconcileDeps, carrier: Carrier, dial: OpenDial): Promise<LookUp> =>
  withTimeout(deps.clock, LOOK_UP_TIMEOUT_MS, "looking a call up", (signal) =>
    carrier.lookUp(
      {
        dialId: dial.dialId,
        callId: dial.carrierCallId ?? undefined,
        to: dial.toNumber ?? undefined,
        from: dial.fromNumber ?? undefined,
        since: dial.claimedAt ?? undefined,
      },
      signal,
    ),
  );
