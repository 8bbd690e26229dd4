/** Longest text that {@link renderTemplate} makes, in UTF-16 units; a prompt's own limit is 100 000. */
export const MAX_RENDERED_LENGTH = 400_000;

/** Filling in the values would make the text longer than {@link MAX_RENDERED_LENGTH}. */
export class TemplateTooLong extends Error {
  override readonly name = "TemplateTooLong";
  constructor() {
    super(`the text with its values filled in is longer than ${MAX_RENDERED_LENGTH} characters; send shorter values`);
  }
}

/** A name between double braces: no braces or line breaks inside, at most 200 characters, so that the scan stays linear. */
const MACRO = /\{\{([^{}\r\n]{1,200})\}\}/gu;

/**
 * Replaces each `{{name}}` (blanks inside the braces do not count) by the value of that name, in one pass: what a value brings
 * in is never looked at again, and there are no expressions. Only the object's own properties count, so `{{constructor}}` is
 * as unknown as any other name. Strings go in as they are, other values as JSON text.
 *
 * A name without a value (absent, null or undefined) becomes the empty string when `fillEmpty`, else it stays as it is.
 *
 * @throws {TemplateTooLong} instead of making a text beyond {@link MAX_RENDERED_LENGTH}.
 */
export const renderTemplate = (
  text: string,
  values: Readonly<Record<string, unknown>>,
  options: Readonly<{ fillEmpty: boolean }>,
): string => {
  let length = 0;
  const parts: string[] = [];
  const add = (part: string) => {
    length += part.length;
    if (length > MAX_RENDERED_LENGTH) throw new TemplateTooLong();
    parts.push(part);
  };
  let end = 0;
  for (const match of text.matchAll(MACRO)) {
    const [macro, inside = ""] = match;
    add(text.slice(end, match.index));
    add(valueText(values, inside.trim()) ?? (options.fillEmpty ? "" : macro));
    end = match.index + macro.length;
  }
  add(text.slice(end));
  return parts.join("");
};

const valueText = (values: Readonly<Record<string, unknown>>, name: string): string | undefined => {
  if (!Object.hasOwn(values, name)) return undefined;
  const value = values[name];
  if (value === null || value === undefined) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
};
