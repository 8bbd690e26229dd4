import type { Draft } from "./draft.ts";
import { turnText } from "./state.ts";

/** Sets or moves the end of the turn by what is known of it now. Counted from the last voiced sample. */
export const scheduleEndpoint = (draft: Draft): void => {
  const { caller, reply } = draft.state;
  if (caller.speaking || draft.state.phase !== "live" || (reply?.answers !== undefined && !reply.audible)) return;
  const silentFor = draft.at - caller.lastVoicedMs;
  draft.setTimer("endpoint", draft.rules.endpointWaitMs(turnText(caller)) - silentFor);
  draft.setTimer("transcript", draft.rules.endpointHardMs - silentFor);
};
