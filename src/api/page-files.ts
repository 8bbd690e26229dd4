import { readdir, readFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A file of the page, as it is sent. */
export type PageFile = Readonly<{ contentType: string; body: string }>;

const SOURCES = fileURLToPath(new URL("..", import.meta.url));

/** What pages may load: the browser library, the page, and the client that both use. */
const FOLDERS = ["browser", "client"];

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".ts": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
};

/**
 * Everything that the page loads, by its path below `src`. Types are taken out of the sources as Node takes them out of ours, so that there is
 * nothing to build; the browser goes by the content type, and not by the name.
 */
export const readPageFiles = async (): Promise<ReadonlyMap<string, PageFile>> => {
  const files = new Map<string, PageFile>();
  for (const folder of FOLDERS) {
    for (const name of await readdir(join(SOURCES, folder), { recursive: true })) {
      const contentType = CONTENT_TYPES[/\.\w+$/u.exec(name)?.[0] ?? ""];
      if (contentType === undefined) continue;
      const text = await readFile(join(SOURCES, folder, name), "utf8");
      const body = name.endsWith(".ts") ? withoutTypes(text) : text;
      files.set(`${folder}/${name.replaceAll("\\", "/")}`, { contentType, body });
    }
  }
  return files;
};

/** Node warns, once, that this function is experimental; it is what runs all of our sources, and the log is for operators. */
const withoutTypes = (text: string): string => {
  // oxlint-disable-next-line typescript/unbound-method -- put back as it was, and not called
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return stripTypeScriptTypes(text);
  } finally {
    process.emitWarning = emitWarning;
  }
};
