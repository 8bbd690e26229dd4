import { toError } from "../kit/errors.ts";
import { withDeadline, type Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { Claim, DialStore } from "../ports/store.ts";

/** A lease lives three beats, so that two may be lost. */
const BEAT_MS = 5_000;

/** While the store is away it is asked more often, so that a lease is renewed before anybody else may take it over. */
const RETRY_MS = 1_000;

type LeaseDeps = Readonly<{ clock: Clock; logger: Logger; dials: Pick<DialStore, "beat"> }>;

/**
 * Renews the lease on a claimed dial until the returned function is called or the store says that it is not ours any more, which
 * calls `lost` once. A store that does not answer says nothing: the call goes on, however long that takes, because nobody can
 * take over a dial while the store is away.
 */
export const holdLease = (deps: LeaseDeps, claim: Claim, lost: () => void): (() => void) => {
  let stopped = false;
  let failing = false;
  const beat = async () => {
    let pause = BEAT_MS;
    try {
      const ours = await withDeadline(deps.clock, BEAT_MS - RETRY_MS, "renewing a lease", deps.dials.beat(claim));
      if (failing) deps.logger.info("the lease of a dial is renewed again", { dialId: claim.dialId });
      failing = false;
      if (stopped) return;
      if (!ours) {
        lost();
        return;
      }
    } catch (error) {
      if (stopped) return;
      if (!failing)
        deps.logger.warn("the lease of a dial cannot be renewed", { dialId: claim.dialId, error: toError(error) });
      failing = true;
      pause = RETRY_MS;
    }
    timer = deps.clock.setTimer(pause, () => void beat());
  };
  let timer = deps.clock.setTimer(BEAT_MS, () => void beat());
  return () => {
    stopped = true;
    timer.cancel();
  };
};
