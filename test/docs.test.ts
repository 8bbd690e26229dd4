import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { OUTCOMES } from "../src/model/call-end.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Variables that belong to the system, the package manager or a library, and none of ours to explain. */
const FOREIGN = new Set(["HOME", "NODE_EXTRA_CA_CERTS", "NODE_USE_ENV_PROXY", "ORT_DISABLE_TELEMETRY", "PATH"]);

const sources = async (): Promise<string> => {
  const files = (await readdir(join(ROOT, "src"), { recursive: true })).filter((file) => file.endsWith(".ts"));
  return (await Promise.all(files.map((file) => readFile(join(ROOT, "src", file), "utf8")))).join("\n");
};

test("every variable that the sources read is explained to the operator", async () => {
  const code = await sources();
  const read = new Set<string>();
  for (const pattern of [
    /\benv(?:ironment)?\["([A-Z][A-Z0-9_]+)"\]/gu,
    /\bread\.\w+\("([A-Z][A-Z0-9_]+)"/gu,
    /\bthis\.\w+\("([A-Z][A-Z0-9_]+)"/gu,
    /^ {2,6}([A-Z][A-Z0-9]*_[A-Z0-9_]+): Type\./gmu,
  ])
    for (const [, name] of code.matchAll(pattern)) if (name !== undefined) read.add(name);
  expect(read.size).toBeGreaterThan(20);
  const page = await readFile(join(ROOT, "docs/operations.md"), "utf8");
  const missing = [...read].filter((name) => !FOREIGN.has(name) && !page.includes(`\`${name}\``));
  expect(missing).toEqual([]);
});

test("the table of endings is the one that decides", async () => {
  const page = await readFile(join(ROOT, "docs/dial-protocol.md"), "utf8");
  const table = /<!-- endings:.*?-->(.*?)<!-- \/endings -->/su.exec(page)?.[1] ?? "";
  const rows = table.matchAll(/^\| `(\w+)` \| `([\w-]+)` \| (?:`(\w+)`|null) \| .+ \|$/gmu);
  const told = [...rows].map(([, reason, status, result]) => [reason, { status, systemResultType: result ?? null }]);
  expect(Object.fromEntries(told)).toEqual(OUTCOMES);
});

test("links between the pages lead somewhere", async () => {
  const pages = [
    "README.md",
    ...(await readdir(join(ROOT, "docs"))).filter((file) => file.endsWith(".md")).map((file) => `docs/${file}`),
  ];
  expect(pages.length).toBeGreaterThan(10);
  const broken: string[] = [];
  for (const page of pages) {
    const text = await readFile(join(ROOT, page), "utf8");
    const folder = page.includes("/") ? "docs" : ".";
    const targets = [...text.matchAll(/\]\((?!https?:)([^)#\s]+)/gu)].map(([, target]) => join(folder, target ?? ""));
    const named = [...text.matchAll(/`((?:docs|src|test|bin|deploy)\/[\w./-]+)`/gu)].map(([, target]) => target ?? "");
    for (const target of [...targets, ...named]) if (!existsSync(join(ROOT, target))) broken.push(`${page}: ${target}`);
  }
  expect(broken).toEqual([]);
});
