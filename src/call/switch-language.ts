import { callLanguage } from "./call-language.ts";
import { functionAnswered, lateFunctionAnswer } from "./agent-reply.ts";
import type { Draft } from "./draft.ts";
import type { CallHappening } from "./events.ts";

/**
 * The call goes on in another language: hearing at once, the voice with the next reply. It holds whether or not the reply that asked for
 * it is still there, since whoever interrupts it speaks that language.
 */
export const languageWanted = (
  draft: Draft,
  { reply, callId, name, language, result }: Extract<CallHappening, { type: "language-wanted" }>,
): void => {
  if (language !== callLanguage(draft)) {
    draft.set({ language });
    draft.emit({ type: "switch-language", language });
  }
  if (draft.state.reply?.id === reply) functionAnswered(draft, { callId, name, result });
  else lateFunctionAnswer(draft, { callId, name, result });
};
