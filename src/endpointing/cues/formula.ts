import type { Cue } from "./cue.ts";

/** Phrases of English that are said whole, though their last word may look as if something had to follow. */
export const formula: Cue = ({ words, lists }) =>
  lists.language === "en" && FORMULA.test(words.join(" ")) ? { form: "answer", completeness: 0.9 } : undefined;

const FORMULA =
  /^(?:(?:so|well|yes|yeah|no|okay|ok|oh|hi|hello|hey|right|great|and) )*(?:how are you(?: doing| today)?|i'm (?:done|good|fine|sorry|ready|not sure|just looking)|i am (?:done|good|fine|sorry|ready)|(?:hi|hello|hey) there|all set|understood|that works(?: for (?:me|us))?|sounds good(?: to me)?|see you(?: later| soon| then| there| tomorrow)?|(?:please )?(?:help|operator|agent|representative)|(?:speak|talk) to (?:a |an )?(?:agent|human|person|representative|manager)|(?:(?:can|could) you )?(?:please )?(?:help me|repeat that|say that again|speak up|hear me)(?: please)?|never mind|forget it|not really|not yet|not anymore|same here|me neither|(?:thanks|thank you)(?: so much| very much)? for (?:your|the|all)(?: the| your)? \w+|my name is \w+ \w+|i have no idea|i (?:do not|don't) think so|i (?:think|hope|guess) so|have a (?:good|nice|great) \w+|(?:turn|switch) (?:on|off) (?:the|my) \w+)$/u;
