/** Whether a normalized transcript agrees, refuses, or does neither. What agrees in words of refusal ("no that's fine") agrees. */
export const agreement = (plain: string): "yes" | "no" | undefined => {
  if (/\b(?:that's|that is|is|it's) (?:not|wrong|incorrect)\b|\bnot (?:right|correct|quite|really|that)\b/u.test(plain))
    return "no";
  if (
    /\b(?:that's|that is|it's|sounds|looks|all) (?:right|correct|fine|perfect|good|great|ok|okay|exactly right)\b/u.test(
      plain,
    )
  )
    return "yes";
  if (
    /\b(?:that works|works for me|go ahead|why not|no problem|please do|do it|do that)\b/u.test(plain) &&
    !/\b(?:don't|do not)\b/u.test(plain)
  )
    return "yes";
  if (/^(?:(?:oh|well|so|and) )*(?:no|nope|nah|not|negative|wrong|incorrect|don't|i don't)\b/u.test(plain)) return "no";
  if (
    /^(?:(?:oh|well|so|and|i think|um) )*(?:yes|yeah|yep|yup|ya|yea|sure|correct|right|okay|ok|absolutely|definitely|certainly|perfect|exactly|great|fine|good|please|of course|indeed|affirmative|uh huh|mm hmm|mhm|mm|i do|it is|you got it|confirmed?|alright|all right)\b/u.test(
      plain,
    )
  )
    return "yes";
  return undefined;
};
