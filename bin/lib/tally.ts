/** What has passed, what has not, and what was not run. */
export type Tally = { passed: number; failed: string[]; skipped: string[] };

/** The part of vitest's JSON report that is read here. */
type Report = Readonly<{
  success: boolean;
  testResults: readonly Readonly<{
    name: string;
    status: string;
    message?: string;
    assertionResults: readonly Readonly<{ status: string; fullName: string }>[];
  }>[];
}>;

/**
 * Adds the tests of a vitest run to the tally. Whatever makes vitest fail without a failed test counts as one failure: no
 * report, a file that cannot be loaded, an error outside every test, coverage below its threshold, no test at all.
 *
 * @param json the report, or nothing where vitest left none
 * @param exitCode of vitest
 */
export const countReport = (json: string | undefined, exitCode: number, tally: Tally): void => {
  if (json === undefined) {
    tally.failed.push(`the test run, which ended with exit code ${exitCode} and without a report`);
    return;
  }
  const report = JSON.parse(json) as Report;
  const failedBefore = tally.failed.length;
  for (const file of report.testResults) countFile(file, tally);
  const ran = report.testResults.length > 0;
  if (tally.failed.length === failedBefore && (exitCode !== 0 || !ran))
    tally.failed.push(
      ran
        ? `the test run, which ended with exit code ${exitCode} although every test passed (see the messages above)`
        : "the test run, which found no test",
    );
};

const countFile = ({ name, status, assertionResults }: Report["testResults"][number], tally: Tally): void => {
  const failedBefore = tally.failed.length;
  for (const test of assertionResults) {
    const title = `${name} > ${test.fullName}`;
    if (test.status === "passed") tally.passed += 1;
    else if (test.status === "failed") tally.failed.push(title);
    else tally.skipped.push(title);
  }
  if (status === "failed" && tally.failed.length === failedBefore) tally.failed.push(`${name} (outside its tests)`);
};
