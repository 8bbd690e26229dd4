import { execFileSync } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Tally, countReport } from "../../bin/lib/tally.ts";
import { Clone } from "./clone.ts";

const root = resolve(import.meta.dirname, "../..");

const file = (name: string, statuses: readonly string[], status = "passed") => ({
  name,
  status,
  assertionResults: statuses.map((each, index) => ({ status: each, fullName: `test ${index}` })),
});

const tallyOf = (json: string | undefined, exitCode: number): Tally => {
  const tally: Tally = { passed: 0, failed: [], skipped: [] };
  countReport(json, exitCode, tally);
  return tally;
};

describe("a report of vitest", () => {
  test("is counted by test", () => {
    const testResults = [file("a", ["passed", "failed"], "failed"), file("b", ["passed", "skipped", "todo"])];
    expect(tallyOf(JSON.stringify({ testResults }), 1)).toEqual({
      passed: 2,
      failed: ["a > test 1"],
      skipped: ["b > test 1", "b > test 2"],
    });
  });

  test("counts a file that could not be loaded as one failure", () => {
    expect(tallyOf(JSON.stringify({ testResults: [file("a", [], "failed")] }), 1).failed).toEqual([
      "a (outside its tests)",
    ]);
  });

  test("counts a failure outside every test as one", () => {
    const { passed, failed } = tallyOf(JSON.stringify({ testResults: [file("a", ["passed"])] }), 1);
    expect({ passed, failed: failed.length }).toEqual({ passed: 1, failed: 1 });
  });

  test("without tests is a failure, and so is no report", () => {
    expect(tallyOf(JSON.stringify({ testResults: [] }), 0).failed).toHaveLength(1);
    expect(tallyOf(undefined, 0).failed).toHaveLength(1);
  });
});

describe("the gate", () => {
  let clone: Clone;

  beforeEach(() => {
    clone = new Clone();
    clone.install();
    for (const name of ["oxfmt", "oxlint", "tsc", "knip"]) tool(name, "exit 0");
    vitest({ testResults: [file("a", ["passed", "passed"])] }, 0);
    clone.program("redis-server", "exit 0");
  });

  afterEach(() => {
    rmSync(clone.home, { recursive: true, force: true });
  });

  const tool = (name: string, script: string): void => {
    clone.write(`node_modules/.bin/${name}`, `#!/bin/sh\n${script}\n`);
    chmodSync(join(clone.root, `node_modules/.bin/${name}`), 0o755);
  };

  const vitest = (report: unknown, code: number): void => {
    const script = `echo vitest "$@"; for word; do case $word in --outputFile.json=*) file=\${word#*=} ;; esac; done`;
    tool("vitest", `${script}\necho '${JSON.stringify(report)}' >"$file"; exit ${code}`);
  };

  const lastLine = (stdout: string): string | undefined => stdout.trimEnd().split("\n").at(-1);

  test("counts checks and tests in its last line", async () => {
    const { code, stdout } = await clone.run("bin/test");
    expect(stdout).toMatch(/^vitest run .*--project=call --coverage/m);
    expect(stdout).toMatch(/^vitest run .*--project=!call$/m);
    expect(lastLine(stdout)).toBe("9 passed, 0 failed");
    expect(code).toBe(0);
  });

  test("goes on after a failed check and fails in the end", async () => {
    tool("oxlint", "echo bad; exit 1");
    const { code, stdout } = await clone.run("bin/test");
    expect(stdout).toContain("failed: lint");
    expect(lastLine(stdout)).toBe("8 passed, 1 failed");
    expect(code).toBe(1);
  });

  test("runs only the named tests", async () => {
    const { code, stdout } = await clone.run("bin/test", ["test/call"]);
    expect(stdout).toMatch(/^vitest run .* test\/call$/m);
    expect(stdout).not.toContain("--coverage");
    expect({ code, last: lastLine(stdout) }).toEqual({ code: 0, last: "2 passed, 0 failed" });
  });

  test("counts speech models that cannot be brought as a failure", async () => {
    clone.write("src/main.ts", "process.exit(process.argv[2] === 'models' ? 1 : 0);");
    const { code, stdout } = await clone.run("bin/test");
    expect({ code, last: lastLine(stdout) }).toEqual({ code: 1, last: "9 passed, 1 failed" });
  });

  test("prints its last line also when the packages cannot be installed", async () => {
    clone.npm("false");
    clone.lock("1.0.1");
    const { code, stdout } = await clone.run("bin/test", ["test/call"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "0 passed, 1 failed\n" });
  });

  test("prints its last line also when a tool is missing", async () => {
    rmSync(join(clone.root, "node_modules/.bin/vitest"));
    const { code, stdout } = await clone.run("bin/test", ["test/call"]);
    expect({ code, last: lastLine(stdout) }).toEqual({ code: 1, last: "0 passed, 1 failed" });
  });
});

test("npm ci accepts the lockfile on every platform", () => {
  expect(
    execFileSync(process.execPath, [join(root, "bin/lib/complete-lockfile.ts"), "--check"], { encoding: "utf8" }),
  ).toBe("");
});
