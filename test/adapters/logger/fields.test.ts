import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LOGGED_FIELDS } from "../../../src/adapters/logger/pino.ts";

/** The text between the bracket at `start` and its partner. */
const inside = (text: string, start: number): string => {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if ("({[".includes(text.charAt(at))) depth += 1;
    if (")}]".includes(text.charAt(at))) depth -= 1;
    if (depth === 0) return text.slice(start + 1, at);
  }
  return text.slice(start + 1);
};

/** Names of the members of an object literal's text; spreads and nested values are passed over. */
const memberNames = (literal: string): string[] => {
  const flat: string[] = [];
  let depth = 0;
  let member = "";
  for (const character of `${literal},`) {
    if ("({[".includes(character)) depth += 1;
    if (")}]".includes(character)) depth -= 1;
    if (character === "," && depth === 0) {
      flat.push(member.trim());
      member = "";
    } else member += character;
  }
  return flat.flatMap((one) => /^(\w+)\s*(:|$)/.exec(one)?.[1] ?? []);
};

test("every field that the sources log is one that is written", () => {
  const dropped: string[] = [];
  let seen = 0;
  for (const file of readdirSync("src", { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".ts")) continue;
    const text = readFileSync(`src/${file}`, "utf8");
    for (const match of text.matchAll(/\blogger\??\.(?:debug|info|warn|error|child)\(/g)) {
      const call = inside(text, match.index + match[0].length - 1);
      const brace = call.indexOf("{");
      if (brace === -1) continue;
      const names = memberNames(inside(call, brace));
      seen += names.length;
      dropped.push(...names.filter((name) => !LOGGED_FIELDS.has(name)).map((name) => `${file}: ${name}`));
    }
  }
  expect(seen).toBeGreaterThan(50);
  expect(dropped).toEqual([]);
});
