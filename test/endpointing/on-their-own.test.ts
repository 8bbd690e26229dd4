import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));

test("the lines that the documentation shows for each module run, and print what stands behind them", async () => {
  const docs = await readFile(`${PROJECT}/docs/turn-taking.md`, "utf8");
  const blocks = [...docs.matchAll(/```ts\n([\s\S]*?)```/gu)].map(([, code = ""]) => code);
  expect(blocks.length).toBeGreaterThanOrEqual(8);
  const imports = blocks.flatMap((code) => code.match(/^import .*$/gmu) ?? []);
  const bodies = blocks.map((code) => `{\n${code.replaceAll(/^import .*$/gmu, "")}}`);
  const expected = blocks.flatMap((code) => [...code.matchAll(/\); \/\/ (.*)$/gmu)].map(([, said = ""]) => said));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--input-type=module-typescript", "--eval", [...imports, ...bodies].join("\n")],
    { cwd: PROJECT, timeout: 60_000 },
  );
  expect(stdout.trimEnd().split("\n")).toEqual(expected);
});
