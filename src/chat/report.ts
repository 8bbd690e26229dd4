import type { TranscriptEntry } from "../model/transcript.ts";
import type { Failure, Played } from "./play.ts";

type Reported = Readonly<{ file: string; name: string; lines: readonly number[] }> & Played;

/** A conversation for people: one line when all was as expected, and where it was not, what and where, with what was said. */
export const reportText = (played: Reported, verbose: boolean): string => {
  const { file, name, lines, failures, transcript, warnings } = played;
  const notes = warnings.map((warning) => `  note: ${warning}\n`).join("");
  const head = `${failures.length === 0 ? "passed" : "FAILED"}  ${file}  ${name}\n${notes}`;
  if (failures.length === 0 && !verbose) return head;
  const said = transcript.map((entry) => `    ${tellEntry(entry)}\n`).join("");
  const unmet = failures.map((failure) => `  ${file}:${lines[failure.step] ?? 1} ${tellFailure(failure)}\n`).join("");
  return `${head}${said}${unmet}`;
};

/** Everything that was played, for programs. */
export const reportJson = (model: string, played: readonly Reported[]) => ({
  model,
  passed: played.filter(({ failures }) => failures.length === 0).length,
  failed: played.filter(({ failures }) => failures.length > 0).length,
  conversations: played.map(({ file, name, lines, failures, transcript, warnings, stated }) => ({
    file,
    name,
    passed: failures.length === 0,
    failures: failures.map((failure) => ({ ...failure, line: lines[failure.step] ?? 1 })),
    transcript,
    warnings,
    stated,
  })),
});

/** What a step expected and what came instead, as one line. */
export const tellFailure = ({ expected, found }: Failure): string => `expected ${expected}; found ${found}`;

/** One entry of a transcript as a line. */
export const tellEntry = ({ speaker, text, functionCalls, nodeTransition: move }: TranscriptEntry): string => {
  if (move !== undefined)
    return `  (${move.fromNodeId ?? "?"} → ${move.toNodeId} by rule ${move.ruleIndex ?? "?"} ${JSON.stringify(move.transitionData)})`;
  if (functionCalls !== undefined) return functionCalls.map(({ name, args }) => `  (calls ${name} ${args})`).join("\n");
  return `${speaker === "AI" ? "agent " : "caller"}: ${text}`;
};
