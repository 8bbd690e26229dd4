/**
 * Begins the files that take longest before the others of their project. Vitest sorts by the durations of the run before, which a clean
 * clone does not have, and then by size, which says nothing of files that mostly wait: one that takes a minute and begins last
 * keeps a whole run waiting for it.
 */
import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Below the root of the project; those of one project (`vitest.config.ts`) by their duration, the longest first. */
export const LONGEST: readonly string[] = [
  // Neural models at work.
  "test/adapters/transcriber/local/keywords-spoken.test.ts",
  "test/adapters/synthesizer/kokoro.test.ts",
  "test/adapters/synthesizer/intelligibility.test.ts",
  "test/call/barge-in-heard.test.ts",
  // Whole services in real time; those that need the processor most are not neighbours.
  "test/e2e/machines.test.ts",
  "test/e2e/demo-callers.test.ts",
  "test/e2e/choices.test.ts",
  "test/e2e/real-services.test.ts",
  "test/e2e/outcomes.test.ts",
  "test/nemesis/nemesis.test.ts",
  "test/e2e/quick-start.test.ts",
  "test/e2e/restart.test.ts",
  "test/e2e/functions.test.ts",
  "test/e2e/load.test.ts",
];

const root = resolve(import.meta.dirname, "../..");

/** Throws where a file of the list is not there: one that was renamed would begin late again, and nobody would know. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const gone = LONGEST.filter((path) => !existsSync(resolve(root, path)));
    if (gone.length > 0) throw new Error(`not there any more: ${gone.join(", ")}; mend test/kit/longest-first.ts`);
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.indexOf(relative(root, moduleId));
      return at === -1 ? LONGEST.length : at;
    };
    // oxlint-disable-next-line unicorn/no-array-sort -- it is the sequencer's, and gives a new array
    const sorted = await super.sort(files);
    // Projects stay in the order and in the pieces that vitest expects.
    const projects = Map.groupBy(sorted, ({ project }) => project.name);
    return [...projects.values()].flatMap((some) => some.toSorted((one, other) => rank(one) - rank(other)));
  }
}
