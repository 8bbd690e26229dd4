/** One thing that must not happen, and what tries it. */
export type Row = Readonly<{
  /** What must not get through, or must not grow. */
  what: string;
  /** How much of it is tried by `npm run corpora`. */
  figure: string;
  files: readonly string[];
  /** Only these tests of the files, by a part of their names; all when absent. */
  only?: string;
  /** Besides `CORPORA=full`. */
  env?: Readonly<Record<string, string>>;
}>;

/** Everything that has a figure of its own to be tried at. `docs/security.md` tells the same. */
export const ROWS: readonly Row[] = [
  {
    what: "addresses of customers that lead inwards",
    figure: "136 ways of writing, 53 addresses a name may have, 20,000 generated spellings",
    files: [
      "test/adapters/http/guarded-http-caller.test.ts",
      "test/dials/customer-url.test.ts",
      "test/security/outbound.test.ts",
    ],
  },
  {
    what: "transfers beyond the stored numbers",
    figure: "100,000 emissions of a model",
    files: ["test/dialogue/transfer-target.test.ts"],
  },
  {
    what: "templates that expand what they should not",
    figure: "200,000 templates",
    files: ["test/dialogue/template.test.ts"],
  },
  {
    what: "dial tokens that nobody made",
    figure: "20,000 mutants, and every token twice",
    files: ["test/api/auth.test.ts", "test/dials/tokens.test.ts", "test/worker/browser-gateway.test.ts"],
  },
  {
    what: "guesses at recordings",
    figure: "10,000 guesses",
    files: ["test/api/recordings.test.ts"],
  },
  {
    what: "another workspace's ids",
    figure: "every operation, every place of an id, every table",
    files: ["test/api/isolation.test.ts", "test/adapters/store/postgres/isolation.test.ts"],
  },
  {
    what: "keys that tell by time where they are wrong",
    figure: "2 × 100,000 samples, Welch's t below 4.5",
    files: ["test/catalogue/key-comparison.test.ts"],
  },
  {
    what: "personal data in logs, metrics and traces",
    figure: "1,000 calls",
    files: ["test/worker/canaries.test.ts", "test/call/many-calls.test.ts", "test/adapters/logger/pino.test.ts"],
  },
  {
    what: "sockets of strangers",
    figure: "10,000 sockets, heap + 1 MB at most",
    files: ["test/worker/strangers.test.ts", "test/worker/media-gateway.test.ts"],
  },
  {
    what: "requests beyond the rate",
    figure: "a minute of bursts, 1 % at most",
    files: ["test/api/rate-limit.test.ts"],
  },
  {
    what: "numbers that are never rung",
    figure: "245 countries, 72 costly prefixes, 336 spellings of emergency numbers",
    files: ["test/dials/prefixes.test.ts", "test/dials/destination.test.ts"],
  },
  {
    what: "migrations that the version before cannot live with",
    figure: "every migration",
    files: ["test/adapters/store/postgres/migrations.test.ts"],
  },
  {
    what: "callbacks out of order",
    figure: "every order of up to six",
    files: ["test/dials/callback-orders.test.ts"],
  },
  {
    what: "jobs that name nothing, clocks that are wrong",
    figure: "100,000 jobs; ± 10 minutes",
    files: ["test/worker/odd-jobs.test.ts"],
  },
  {
    what: "damaged media frames",
    figure: "1,250,000 frames",
    files: [
      "test/adapters/carrier/twilio/stream-dialect.test.ts",
      "test/adapters/carrier/telnyx/stream-dialect.test.ts",
      "test/adapters/carrier/vonage/stream-dialect.test.ts",
      "test/adapters/carrier/plivo/stream-dialect.test.ts",
    ],
    only: "mutated frames",
  },
  {
    what: "media sockets that break",
    figure: "1,000 lives of a line",
    files: ["test/worker/resumable-line.test.ts", "test/adapters/carrier/streaming/media-line.test.ts"],
  },
  {
    what: "requests that are too large",
    figure: "up to a gigabyte announced",
    files: ["test/api/large-requests.test.ts"],
  },
  {
    what: "requests that nobody thought of",
    figure: "1,000,000 requests",
    files: ["test/api/fuzz-routes.test.ts", "test/api/fuzz.test.ts"],
    env: { FUZZ_RUNS: "1000000" },
  },
];
