/** Writes `src/client/operations.ts` anew from `docs/openapi.json`, or from the document at the URL that is given. */
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { clientSource, type ClientDocument } from "./client-source.ts";
import { formatted } from "./formatted.ts";

const root = resolve(import.meta.dirname, "../..");
const [url] = process.argv.slice(2);
const text =
  url === undefined ? await readFile(join(root, "docs/openapi.json"), "utf8") : await (await fetch(url)).text();
const source = clientSource(JSON.parse(text) as ClientDocument);
await writeFile(join(root, "src/client/operations.ts"), await formatted(source));
