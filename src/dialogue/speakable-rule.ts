export type RuleContext = Readonly<{ /** Dates are written day/month. */ dayFirst: boolean }>;

/** What a piece of written text is spoken as. */
export type Rule = Readonly<{
  /** Sticky; tried at every place where a word or a mark begins. Must not match nothing, and must run in linear time. */
  pattern: RegExp;
  /**
   * The words, without line breaks; "" where the match is silent and joins its neighbours, " " where it is silent and
   * separates them. `undefined` lets the next rule try.
   */
  speak(match: RegExpExecArray, context: RuleContext): string | undefined;
}>;

export const rule = (pattern: RegExp, speak: Rule["speak"]): Rule => ({
  pattern: new RegExp(pattern.source, `${pattern.flags.replace("y", "")}y`),
  speak,
});

/** A place where a word or a number may begin. */
export const WORD_START = String.raw`(?<![\p{L}\p{N}])`;
