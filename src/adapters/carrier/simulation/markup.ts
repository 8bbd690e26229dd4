/** A verb of a call document, with what stands in it. */
export type Verb = Readonly<{
  name: string;
  attributes: Readonly<Record<string, string>>;
  text: string;
  children: readonly Verb[];
}>;

/**
 * Reads a call document: elements, attributes, text, comments, the XML declaration, and the five entities that XML knows by itself.
 * `undefined` when it is not well formed or its root is not `Response`.
 */
export const readDocument = (xml: string): readonly Verb[] | undefined => {
  const reader = new Reader(xml);
  const root = reader.read();
  return root?.name === "Response" ? root.children : undefined;
};

/** Tags, comments and declarations; what stands between two of them is text. */
const TOKEN =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<(\/?)([A-Za-z][\w.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/gy;
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g;

type Open = { name: string; attributes: Record<string, string>; text: string; children: Verb[] };

class Reader {
  readonly #xml: string;
  readonly #open: Open[] = [];
  #root: Verb | undefined;

  constructor(xml: string) {
    this.#xml = xml.trim();
  }

  read(): Verb | undefined {
    for (let at = 0; at < this.#xml.length;) {
      const next = this.#xml.indexOf("<", at);
      const text = this.#xml.slice(at, next === -1 ? undefined : next);
      if (!this.#text(text) || next === -1) return undefined;
      TOKEN.lastIndex = next;
      const token = TOKEN.exec(this.#xml);
      if (token === null || !this.#tag(token)) return undefined;
      at = TOKEN.lastIndex;
    }
    return this.#open.length === 0 ? this.#root : undefined;
  }

  #text(text: string): boolean {
    const inner = this.#open.at(-1);
    if (inner === undefined) return text.trim() === "";
    inner.text += unescape(text);
    return true;
  }

  #tag([, closing, name, attributes = "", empty]: RegExpExecArray): boolean {
    if (name === undefined) return true;
    if (closing === "/") return this.#open.at(-1)?.name === name && this.#close();
    if (this.#root !== undefined) return false;
    this.#open.push({ name, attributes: read(attributes), text: "", children: [] });
    return empty === "/" ? this.#close() : true;
  }

  #close(): boolean {
    const done = this.#open.pop();
    if (done === undefined) return false;
    const verb = { ...done, text: done.text.trim() };
    const parent = this.#open.at(-1);
    if (parent === undefined) this.#root = verb;
    else parent.children.push(verb);
    return true;
  }
}

const read = (attributes: string): Record<string, string> =>
  Object.fromEntries(
    [...attributes.matchAll(ATTRIBUTE)].map(([, name = "", double, single]) => [
      name,
      unescape(double ?? single ?? ""),
    ]),
  );

const unescape = (text: string): string =>
  text.replaceAll(/&(lt|gt|amp|quot|apos);/g, (_whole, name: string) => CHARACTERS[name] ?? "");

const CHARACTERS: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
