import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import type { Dial } from "../../src/model/dial.ts";
import type { TranscriptEntry } from "../../src/model/transcript.ts";
import type { TurnRecord } from "../../src/model/turn-record.ts";
import { withDeadline } from "../../src/ports/clock.ts";

const MAIN = fileURLToPath(new URL("../../src/demo/main.ts", import.meta.url));

/** Of one demonstration, its start and end included. */
const LIMIT_MS = 110_000;

export type DemoResult = Readonly<{
  code: number | null;
  seconds: number;
  stderr: string;
  /** What `--json` printed; `undefined` when it printed nothing. */
  result:
    | Readonly<{
        dial: Dial;
        turns: readonly TurnRecord[];
        recording: string | null;
        models: Readonly<Record<string, string>>;
      }>
    | undefined;
}>;

/** All that one side said, in one line. */
export const said = (transcript: readonly TranscriptEntry[], speaker: "HUMAN" | "AI"): string =>
  transcript
    .filter((entry) => entry.speaker === speaker)
    .map(({ text }) => text)
    .join(" ");

/** Runs the demonstration as a process of its own, with `--json`, in the environment of the tests and what `env` has besides. */
export const runDemo = async (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<DemoResult> => {
  const clock = new SystemClock();
  const began = clock.monotonic();
  const child = spawn(process.execPath, [MAIN, "--json", ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString("utf8");
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString("utf8");
  });
  try {
    await withDeadline(clock, LIMIT_MS, "the demonstration", once(child, "close"));
  } catch (error) {
    child.kill("SIGKILL");
    throw new Error(`the demonstration did not end:\n${stderr}`, { cause: error });
  }
  const result = stdout.trim() === "" ? undefined : (JSON.parse(stdout) as NonNullable<DemoResult["result"]>);
  return { code: child.exitCode, seconds: (clock.monotonic() - began) / 1000, stderr, result };
};
