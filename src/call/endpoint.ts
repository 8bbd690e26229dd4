import { expectedAnswer, type ExpectedAnswer } from "../endpointing/expected-answer.ts";
import type { Draft } from "./draft.ts";
import { considerSpeculation } from "./speculation.ts";
import { turnText } from "./state.ts";

/** Sets or moves the end of the turn by what is known of it now. Counted from the last voiced sample. */
export const scheduleEndpoint = (draft: Draft): void => {
  const { caller, reply } = draft.state;
  if (caller.speaking || draft.state.phase !== "live" || (reply?.answers !== undefined && !reply.audible)) return;
  const silentFor = draft.at - caller.lastVoicedMs;
  const expected = asked(draft);
  const ruling = draft.rules.endpoint({
    text: turnText(caller),
    language: draft.state.language ?? draft.rules.language,
    expected,
    pauses: caller.pauses,
    ...(caller.judged === undefined ? {} : { judged: caller.judged }),
    ...(caller.prosody === undefined ? {} : { prosody: caller.prosody }),
  });
  draft.setCaller({ ruling: { ...ruling, expected: expected.type } });
  draft.setTimer("endpoint", ruling.waitMs - silentFor);
  considerSpeculation(draft, ruling, ruling.waitMs - silentFor);
  draft.setTimer("transcript", draft.rules.endpointHardMs - silentFor);
};

/** What the agent asked last, as far as the caller has heard it. */
const asked = (draft: Draft): ExpectedAnswer => {
  const { history, reply } = draft.state;
  const heard = reply !== undefined && draft.heard?.reply === reply.id ? draft.heard.text : "";
  const last = history.findLast((exchange) => exchange.speaker === "agent" && exchange.text !== "");
  const language = draft.state.language ?? draft.rules.language;
  if (heard !== "") return expectedAnswer(heard, language);
  return expectedAnswer(last?.speaker === "agent" ? last.text : "", language);
};
