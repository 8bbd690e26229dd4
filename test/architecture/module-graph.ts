import { posix } from "node:path";
import { type Token, tokenize } from "./tokens.ts";

/** One import of a module. `to` is a path of the tree for relative specifiers, else the package's or Node's own name. */
export type Edge = Readonly<{
  from: string;
  to: string;
  line: number;
  typeOnly: boolean;
  kind: "file" | "folder" | "package";
}>;

export type Module = Readonly<{ path: string; lines: number; tokens: readonly Token[]; edges: readonly Edge[] }>;

/** Paths with forward slashes, relative to the root of the project. */
export type Tree = ReadonlyMap<string, string>;

export const readModules = (tree: Tree): ReadonlyMap<string, Module> =>
  new Map(
    [...tree].map(([path, source]) => {
      const tokens = tokenize(source);
      return [path, { path, lines: source.trimEnd().split("\n").length, tokens, edges: findEdges(path, tokens) }];
    }),
  );

/** Whether the words and punctuators stand one after another from token `at` on. */
export const standsAt = (tokens: readonly Token[], at: number, sequence: readonly string[]): boolean =>
  sequence.every((text, offset) => {
    const token = tokens[at + offset];
    return token !== undefined && token.kind !== "string" && token.text === text;
  });

const findEdges = (path: string, tokens: readonly Token[]): readonly Edge[] =>
  tokens.flatMap((token, at) => {
    const found = importAt(tokens, at);
    return found === undefined
      ? []
      : [{ from: path, line: token.line, typeOnly: found.typeOnly, ...target(path, found.specifier) }];
  });

/** What the import that begins at this token names, if one begins here. */
const importAt = (tokens: readonly Token[], at: number): { specifier: string; typeOnly: boolean } | undefined => {
  if (standsAt(tokens, at - 1, ["."])) return undefined;
  if (standsAt(tokens, at, ["import", "("])) return named(tokens[at + 2], false);
  if (standsAt(tokens, at, ["import", ".", "meta", ".", "resolve", "("])) return named(tokens[at + 6], false);
  if (standsAt(tokens, at, ["new", "URL", "("]) && standsAt(tokens, at + 4, [",", "import", ".", "meta", ".", "url"]))
    return named(tokens[at + 3], false);
  if (standsAt(tokens, at, ["import", "."])) return undefined;
  if (standsAt(tokens, at, ["import"]) || standsAt(tokens, at, ["export"])) return importStatement(tokens, at);
  return undefined;
};

const importStatement = (
  tokens: readonly Token[],
  at: number,
): { specifier: string; typeOnly: boolean } | undefined => {
  const next = tokens[at + 1];
  if (next?.kind === "string")
    return standsAt(tokens, at, ["import"]) ? { specifier: next.text, typeOnly: false } : undefined;
  const typeOnly =
    standsAt(tokens, at + 1, ["type"]) && !standsAt(tokens, at + 2, ["from"]) && !standsAt(tokens, at + 2, [","]);
  let end = at + (typeOnly ? 2 : 1);
  if (standsAt(tokens, at, ["export"]) && !standsAt(tokens, end, ["{"]) && !standsAt(tokens, end, ["*"]))
    return undefined;
  while (end < tokens.length && !standsAt(tokens, end, ["from"]) && !standsAt(tokens, end, [";"])) {
    if (standsAt(tokens, end, ["}"]) && !standsAt(tokens, end + 1, ["from"])) return undefined;
    end += 1;
  }
  return standsAt(tokens, end, ["from"]) ? named(tokens[end + 1], typeOnly) : undefined;
};

const named = (token: Token | undefined, typeOnly: boolean): { specifier: string; typeOnly: boolean } | undefined =>
  token?.kind === "string" ? { specifier: token.text, typeOnly } : undefined;

const target = (from: string, specifier: string): Pick<Edge, "to" | "kind"> => {
  if (!specifier.startsWith(".")) return { to: specifier, kind: "package" };
  const to = posix.join(posix.dirname(from), specifier);
  return to.endsWith("/") ? { to: to.slice(0, -1), kind: "folder" } : { to, kind: "file" };
};
