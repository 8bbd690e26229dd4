/** What a `field` of a rule or a macro of a text points at. */
export type FieldReference =
  | Readonly<{ type: "output"; nodeId: string; output: string; /** Steps into the value. */ path: readonly string[] }>
  /** A bare name: an output of the current node, else a variable. */
  | Readonly<{ type: "name"; name: string }>
  /** It has the form of a reference to a node, and there is no such node or output. */
  | Readonly<{ type: "unknown"; text: string }>;

/** The names of what each node yields, by node id. */
export type Yields = ReadonlyMap<string, readonly string[]>;

/** The inside of a single macro that is the whole text; the text itself, trimmed, otherwise. */
export const unwrap = (text: string): string => SINGLE_MACRO.exec(text)?.[1]?.trim() ?? text.trim();

/** Whether a text is one macro and nothing else. */
export const isSingleMacro = (text: string): boolean => SINGLE_MACRO.test(text);

/** The names between double braces in a text, as `renderTemplate` finds them. */
export const macrosIn = (text: string): readonly string[] =>
  Array.from(text.matchAll(/\{\{([^{}\r\n]{1,200})\}\}/gu), ([, inside = ""]) => inside.trim());

/**
 * Reads `node.<id>.<output>`, `{{node.<id>.<output>}}`, a bare name, or `{{name}}`. Ids and names may contain dots themselves:
 * the longest id that fits wins. What follows the output are steps into its value (`node.look_up.customer.city`).
 */
export const readField = (field: string, yields: Yields): FieldReference => {
  const text = unwrap(field);
  if (!text.startsWith("node.")) return { type: "name", name: text };
  const rest = text.slice("node.".length);
  for (const nodeId of prefixes(rest)) {
    const outputs = yields.get(nodeId);
    if (outputs === undefined) continue;
    const after = rest.slice(nodeId.length + 1);
    const output = [after, ...prefixes(after)].find((name) => outputs.includes(name));
    if (output === undefined) continue;
    const steps = after.slice(output.length + 1);
    return { type: "output", nodeId, output, path: steps === "" ? [] : steps.split(".") };
  }
  return { type: "unknown", text };
};

const SINGLE_MACRO = /^\s*\{\{([^{}\r\n]{1,200})\}\}\s*$/u;

/** All that stands before a dot, longest first. */
const prefixes = (text: string): readonly string[] => {
  const found: string[] = [];
  for (let dot = text.lastIndexOf("."); dot > 0; dot = text.lastIndexOf(".", dot - 1)) found.push(text.slice(0, dot));
  return found;
};
