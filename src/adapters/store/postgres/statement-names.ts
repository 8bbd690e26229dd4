/** Texts that get a name at most; ours are fewer, and a list that is written into a text would otherwise make ever more. */
const MOST_NAMES = 500;

/**
 * Names for statements, by their text. A connection parses and plans a named statement once and then only binds values, which is
 * half of the work of a short one. The same text has the same name on every connection.
 */
export class StatementNames {
  readonly #names = new Map<string, string>();

  /** Absent for a text without values, of which nothing would be saved, and once there are too many. */
  of(text: string, values: readonly unknown[]): string | undefined {
    if (values.length === 0) return undefined;
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size >= MOST_NAMES) return known;
    const name = `call-engine-${this.#names.size + 1}`;
    this.#names.set(text, name);
    return name;
  }
}
