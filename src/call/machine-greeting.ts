import { MACHINE_TURNS } from "./answering-state.ts";
import type { Draft } from "./draft.ts";

/** Whether a turn's words are a machine's that picks up, which is what the transcript says of it. */
export const isMachineGreeting = (draft: Draft, text: string): boolean => {
  const { answering, history } = draft.state;
  const { voicemail } = draft.rules;
  if (voicemail === undefined) return false;
  if (answering.stage === "greeting" || draft.rules.screened([...history, { speaker: "caller", text }])) return true;
  if (history.filter(({ speaker }) => speaker === "caller").length > MACHINE_TURNS) return false;
  const { speechMs, beepMs, carrier } = answering;
  return voicemail.party({ text, speechMs, beep: beepMs !== undefined, carrier }) === "voicemail";
};
