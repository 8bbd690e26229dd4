/**
 * How often something is tried: `usual` in a run of all tests, `full` where `CORPORA=full` asks for the whole figure, as
 * `npm run corpora` does.
 */
export const runs = (usual: number, full: number): number => (FULL ? full : usual);

/** Whether the whole figures are wanted; what takes minutes is tried only then. */
// oxlint-disable-next-line node/no-process-env -- a setting of the test run
export const FULL = process.env["CORPORA"] === "full";
