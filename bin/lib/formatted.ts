import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { resolve } from "node:path";

const OXFMT = resolve(import.meta.dirname, "../../node_modules/.bin/oxfmt");

/** TypeScript in the form that the format check wants. @throws Error when it is no TypeScript. */
export const formatted = async (source: string): Promise<string> => {
  const child = spawn(OXFMT, ["--stdin-filepath", "src/source.ts"], { stdio: ["pipe", "pipe", "inherit"] });
  const exit = once(child, "exit") as Promise<[number | null]>;
  child.stdin.end(source);
  const [result, [code]] = await Promise.all([text(child.stdout), exit]);
  if (code !== 0) throw new Error("oxfmt does not take the source");
  return result;
};
