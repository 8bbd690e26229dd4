/** A piece of source text: a name or number, a string's content, a template without substitutions, or one punctuator. */
export type Token = Readonly<{ kind: "word" | "string" | "punctuator"; text: string; line: number }>;

/**
 * Splits TypeScript into tokens, without comments and regular expressions. A template is given as the string it is when it has no
 * substitution; otherwise the code of its substitutions is given and its text is left out.
 *
 * A slash starts a regular expression unless a value ends right before it; `)` and `}` count as the end of a value.
 */
export const tokenize = (source: string): readonly Token[] => {
  const tokens: Token[] = [];
  /** Depth of braces at which each open template substitution ends. */
  const substitutions: number[] = [];
  let depth = 0;
  let line = 1;
  let at = 0;

  const add = (kind: Token["kind"], text: string): void => {
    tokens.push({ kind, text, line });
  };
  const skip = (to: number): string => {
    const text = source.slice(at, to);
    line += text.split("\n").length - 1;
    at = to;
    return text;
  };
  const templatePart = (): void => {
    const { end, opens } = endOfTemplatePart(source, at);
    const whole = !opens && source[at] === "`";
    const text = source.slice(at + 1, end - 1);
    if (whole) add("string", text);
    skip(end);
    if (opens) substitutions.push(depth);
  };

  while (at < source.length) {
    const rest = source.slice(at, at + 2);
    const character = rest.charAt(0);
    if (/\s/.test(character)) skip(at + 1);
    else if (rest === "//") skip(indexOr(source, "\n", at));
    else if (rest === "/*") skip(indexOr(source, "*/", at + 2) + 2);
    else if (character === '"' || character === "'") {
      const end = endOfQuoted(source, at, character);
      add("string", source.slice(at + 1, end - 1));
      skip(end);
    } else if (character === "`") templatePart();
    else if (character === "}" && substitutions.at(-1) === depth) {
      substitutions.pop();
      templatePart();
    } else if (character === "/" && !endsValue(tokens.at(-1))) skip(endOfRegularExpression(source, at));
    else if (/[\w$#]/.test(character)) {
      const word = /^[\w$#]+/.exec(source.slice(at))?.[0] ?? character;
      add("word", word);
      skip(at + word.length);
    } else {
      if (character === "{") depth += 1;
      if (character === "}") depth -= 1;
      add("punctuator", character);
      skip(at + 1);
    }
  }
  return tokens;
};

const keywordsBeforeExpressions = new Set([
  "return",
  "typeof",
  "case",
  "in",
  "of",
  "delete",
  "void",
  "throw",
  "new",
  "else",
  "await",
  "yield",
]);

const endsValue = (token: Token | undefined): boolean => {
  if (token === undefined) return false;
  if (token.kind === "punctuator") return token.text === ")" || token.text === "]" || token.text === "}";
  return token.kind === "string" || !keywordsBeforeExpressions.has(token.text);
};

const indexOr = (source: string, text: string, from: number): number => {
  const found = source.indexOf(text, from);
  return found === -1 ? source.length : found;
};

/** Just behind the closing quote. */
const endOfQuoted = (source: string, start: number, quote: string): number => {
  let at = start + 1;
  while (at < source.length && source[at] !== quote) at += source[at] === "\\" ? 2 : 1;
  return at + 1;
};

/** From a backtick, or from the brace that ends a substitution, to behind the next `${` or the closing backtick. */
const endOfTemplatePart = (source: string, start: number): { end: number; opens: boolean } => {
  let at = start + 1;
  while (at < source.length && source[at] !== "`") {
    if (source.startsWith("${", at)) return { end: at + 2, opens: true };
    at += source[at] === "\\" ? 2 : 1;
  }
  return { end: at + 1, opens: false };
};

const endOfRegularExpression = (source: string, start: number): number => {
  let at = start + 1;
  let inClass = false;
  while (at < source.length && (source[at] !== "/" || inClass)) {
    if (source[at] === "[") inClass = true;
    if (source[at] === "]") inClass = false;
    at += source[at] === "\\" ? 2 : 1;
  }
  return at + 1;
};
