/**
 * Runs the checks and tests of the project and counts them. Without arguments: format, lint, types, unused code, the call loop's
 * tests with coverage, then every other test. With arguments: only vitest with these. The last line on standard output is `N passed, N failed`, whatever
 * happened; the exit code is 0 only when nothing failed.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { countReport, type Tally } from "./tally.ts";

/** A command that counts as one check. */
type Check = Readonly<{ name: string; command: readonly [string, ...string[]] }>;

const minuteMs = 60_000;
const root = resolve(import.meta.dirname, "../..");

const checks: readonly Check[] = [
  { name: "format", command: ["oxfmt", "--check", "src", "test", "bin"] },
  { name: "lint", command: ["oxlint", "--type-aware", "--deny-warnings", "src", "test", "bin"] },
  { name: "types", command: ["tsc", "--noEmit"] },
  { name: "types of pages", command: ["tsc", "--noEmit", "--project", "src/browser"] },
  { name: "unused", command: ["knip"] },
];

const gate = async (vitestArguments: readonly string[]): Promise<number> => {
  const whole = vitestArguments.length === 0;
  const tally: Tally = { passed: 0, failed: [], skipped: [] };
  if (whole) for (const check of checks) await runCheck(check, tally);
  if (needsModels(vitestArguments)) await pullModels(tally);
  // Watching what runs makes tests half as slow again, so only those whose coverage has a threshold are watched.
  if (whole) {
    await runTests(["--project=call", "--coverage", "--coverage.include=src/call/**"], tally);
    await runTests(["--project=!call"], tally);
  } else await runTests(vitestArguments, tally);

  for (const name of tally.skipped) console.log(`skipped: ${name}`);
  for (const name of tally.failed) console.log(`failed: ${name}`);
  console.log(`${tally.passed} passed, ${tally.failed.length} failed`);
  return tally.failed.length === 0 ? 0 : 1;
};

const runCheck = async ({ name, command }: Check, tally: Tally): Promise<void> => {
  console.log(`\n> ${command.join(" ")}`);
  if ((await run(command, 5 * minuteMs)) === 0) tally.passed += 1;
  else tally.failed.push(`${name} (${command.join(" ")})`);
};

const runTests = async (vitestArguments: readonly string[], tally: Tally): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "call-engine-tests-"));
  try {
    const report = join(folder, "report.json");
    const code = await run(
      ["vitest", "run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...vitestArguments],
      30 * minuteMs,
    );
    countReport(existsSync(report) ? await readFile(report, "utf8") : undefined, code, tally);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Tests of these folders hear and speak with the real models. */
const needsModels = (vitestArguments: readonly string[]): boolean =>
  vitestArguments.length === 0 ||
  vitestArguments.some((word) => /test\/(adapters|contract|integration|e2e)/.test(word));

const pullModels = async (tally: Tally): Promise<void> => {
  const code = await run([process.execPath, "src/main.ts", "models", "pull"], 10 * minuteMs);
  if (code !== 0) tally.failed.push("bringing the speech models (bin/call-engine models pull)");
};

/** The exit code; 1 for a program that cannot start, was killed, or was stopped because it took longer than `limitMs`. */
const run = ([program, ...rest]: readonly [string, ...string[]], limitMs: number): Promise<number> =>
  new Promise((settle) => {
    if (interruption.came) {
      settle(1);
      return;
    }
    const child = spawn(program, rest, { cwd: root, env: environment, stdio: ["ignore", "inherit", "inherit"] });
    const unlink = passOnSignals(child);
    const deadline = setTimeout(() => {
      console.log(`${program} is stopped: it took longer than ${limitMs / minuteMs} minutes`);
      child.kill("SIGTERM");
      setTimeout(() => child.kill("SIGKILL"), 10_000).unref();
    }, limitMs);
    const end = (code: number): void => {
      clearTimeout(deadline);
      unlink();
      settle(code);
    };
    child.once("error", (error) => {
      console.log(`${program} cannot start: ${error.message}`);
      end(1);
    });
    child.once("exit", (code) => {
      end(code ?? 1);
    });
  });

const passOnSignals = (child: ChildProcess): (() => void) => {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const links = signals.map((signal) => {
    const pass = (): void => {
      interruption.came = true;
      child.kill(signal);
    };
    process.on(signal, pass);
    return () => process.off(signal, pass);
  });
  return () => {
    for (const unlink of links) unlink();
  };
};

/** Once a signal came, nothing more is started: what is left counts as failed. */
const interruption = { came: false };

const environment = {
  ...process.env,
  PATH: [join(root, "node_modules/.bin"), process.env["PATH"]].join(delimiter),
};

process.exitCode = await gate(process.argv.slice(2));
