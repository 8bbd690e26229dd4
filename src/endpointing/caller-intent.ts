/**
 * What words spoken over the agent are: a `backchannel` leaves the agent the floor, a `stop` takes it at once, a `turn` takes
 * it as any turn does, `nothing` is sound without words.
 */
export type CallerIntent = "nothing" | "backchannel" | "stop" | "turn";

export const callerIntent = (text: string): CallerIntent => {
  const words = wordsOf(text);
  if (words.length === 0) return "nothing";
  if (words.some((word) => STOPS.has(word))) return "stop";
  const rest = words.join(" ").replaceAll(BACKCHANNEL_PHRASES, "").trim();
  return rest.split(" ").every((word) => word === "" || BACKCHANNELS.has(word)) ? "backchannel" : "turn";
};

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}'-]+/gu) ?? [];

/** Words by which people answer a phone. */
export const isGreeting = (text: string): boolean => {
  const words = wordsOf(text);
  return words.length > 0 && words.length <= 4 && words.every((word) => GREETINGS.has(word));
};

const GREETINGS = new Set("hello hi hey yes yeah hallo good morning afternoon evening speaking".split(" "));

const BACKCHANNELS = new Set(
  "mm mhm mm-hm mmhm mm-hmm hm hmm uh-huh uhuh uh um ah oh yeah yep yes ok okay right sure alright cool great".split(
    " ",
  ),
);

const BACKCHANNEL_PHRASES = /\b(?:i see|got it|all right|go on|of course|makes sense)\b/gu;

const STOPS = new Set("stop wait hold sorry no hang pause excuse actually".split(" "));
