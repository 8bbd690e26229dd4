import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { ROWS } from "./rows.ts";

test("what is tried at whole figures is there, and told as it is tried", async () => {
  const page = await readFile("docs/security.md", "utf8");
  expect(new Set(ROWS.map(({ what }) => what)).size).toBe(ROWS.length);
  for (const { what, figure, files } of ROWS) {
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
    expect(page).toContain(`| ${what} | ${figure} | ${files.map((file) => `\`${file}\``).join(", ")} |`);
  }
});
