import { createPostgresBackend, type Job, type JobsOptions, Queue, Worker, withBackend } from "bullmq";
import { Batches } from "../../kit/batches.ts";
import { toError } from "../../kit/errors.ts";
import { type Clock, withDeadline } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Metrics } from "../../ports/metrics.ts";
import { type DialQueue, jobIdFor, type QueueConsumer } from "../../ports/queue.ts";
import type { Random } from "../../ports/random.ts";
import { RedisConnections } from "./redis-connections.ts";

/** Where the jobs lie: in Redis, or in the schema `bullmq` of a PostgreSQL database. */
export type QueueConnection = Readonly<{ redisUrl: string }> | Readonly<{ databaseUrl: string }>;

export type BullmqQueueOptions = Readonly<{
  connection: QueueConnection;
  clock: Clock;
  random: Random;
  logger: Logger;
  metrics: Metrics;
}>;

const NAME = "dials";
/** How long an `add` may take, and any other command that waits for no job. */
const COMMAND_MS = 2_000;
/** How long closing waits for jobs under way and for a backend that may be away. */
const CLOSE_MS = 5_000;
/** Longer than a job takes: the handler hands the call on and returns. */
const LOCK_MS = 30_000;
/** A statement that is not answered after this long never will be. */
const ANSWER_MS = 15_000;
/** Connections of one queue or one consumer to PostgreSQL, besides the one that listens. */
const POSTGRES_CONNECTIONS = 4;

/** A job wakes a worker and grants nothing: it is not retried, not recovered when it stalls, and leaves nothing behind. */
const ONCE = { attempts: 1, removeOnComplete: true, removeOnFail: true } as const;

/** The queue of dials on BullMQ. Opens its connections at once and prepares the schema where that is needed. */
export const openBullmqQueue = (options: BullmqQueueOptions): DialQueue => {
  const { clock, random } = options;
  const report = reporter(options);
  let closing: Promise<void> | undefined;
  const tell = untilClosing(report, () => closing !== undefined);
  const place = placeOf(options.connection, tell);
  const queue = makeQueue(place);
  queue.on("error", tell);
  const batches = new Batches<Addition>((jobs) =>
    withDeadline(clock, COMMAND_MS, "adding jobs", queue.addBulk([...jobs])),
  );
  const consumers = new Set<QueueConsumer>();
  const close = async () => {
    await Promise.all([...consumers].map((consumer) => consumer.close()));
    await settle(clock, report, queue.close());
    if (place instanceof RedisConnections) place.close();
  };
  return {
    async add(dialId, jobId = jobIdFor(dialId, random), place = "back") {
      await withDeadline(
        clock,
        COMMAND_MS,
        "adding a job",
        batches.add({ name: "dial", data: { dialId }, opts: { ...ONCE, jobId, lifo: place === "front" } }),
      );
      return jobId;
    },
    async consume(handler, concurrency) {
      const consumer = startConsumer(options, report, handler, concurrency);
      consumers.add(consumer);
      return consumer;
    },
    close: () => (closing ??= close()),
  };
};

type Handler = Parameters<DialQueue["consume"]>[0];
type Report = (error: unknown) => void;

/** A connection that is ended calls that an error, which is none; what keeps the end from coming is told by who waits for it. */
const untilClosing =
  (report: Report, isClosing: () => boolean): Report =>
  (error) => {
    if (!isClosing()) report(error);
  };

type Addition = Readonly<{ name: string; data: unknown; opts: JobsOptions }>;

/** What is needed of either kind of queue. */
type Jobs = Readonly<{
  addBulk(jobs: Addition[]): Promise<unknown>;
  on(event: "error", report: Report): unknown;
  close(): Promise<void>;
}>;

const OnPostgres = withBackend(createPostgresBackend);

type Place = RedisConnections | Extract<QueueConnection, { databaseUrl: string }>;

const placeOf = (connection: QueueConnection, report: Report): Place =>
  "redisUrl" in connection ? new RedisConnections(connection.redisUrl, report) : connection;

const makeQueue = (place: Place): Jobs =>
  place instanceof RedisConnections
    ? new Queue<unknown>(NAME, { connection: place.forAdding(COMMAND_MS) })
    : new OnPostgres.Queue<unknown>(NAME, { connection: postgres(place.databaseUrl) });

const postgres = (url: string) => ({
  connectionString: url,
  migrate: true,
  max: POSTGRES_CONNECTIONS,
  connectionTimeoutMillis: COMMAND_MS,
  query_timeout: ANSWER_MS,
  application_name: "call-engine",
  // A job is only a wake-up, and a dial that has lost its own gets another within seconds: no commit of the queue is waited for.
  options: "-c synchronous_commit=off",
});

const startConsumer = (
  { connection, clock }: BullmqQueueOptions,
  report: Report,
  handler: Handler,
  concurrency: number,
): QueueConsumer => {
  const process = async (job: Job<unknown>): Promise<void> => {
    const dialId = dialIdOf(job.data);
    if (dialId === undefined || job.id === undefined) return;
    try {
      await handler(dialId, job.id);
    } catch (error) {
      report(error);
    }
  };
  const settings = { concurrency, maxStalledCount: 0, lockDuration: LOCK_MS };
  let closing: Promise<void> | undefined;
  const tell = untilClosing(report, () => closing !== undefined);
  const place = placeOf(connection, tell);
  const worker =
    place instanceof RedisConnections
      ? new Worker(NAME, process, { ...settings, connection: place.forConsuming(COMMAND_MS) })
      : new OnPostgres.Worker(NAME, process, { ...settings, connection: postgres(place.databaseUrl) });
  worker.on("error", tell);
  const close = async () => {
    await settle(clock, report, worker.close());
    if (place instanceof RedisConnections) place.close();
  };
  return {
    pause: () => settle(clock, tell, worker.pause()),
    resume: () => {
      worker.resume().catch(tell);
    },
    close: () => (closing ??= close()),
  };
};

/** Whatever lies in a job that we did not write is ignored. */
const dialIdOf = (data: unknown): string | undefined =>
  typeof data === "object" && data !== null && "dialId" in data && typeof data.dialId === "string"
    ? data.dialId
    : undefined;

/** Waits for the end of something, but neither long nor for success: the jobs are only hints. */
const settle = async (clock: Clock, report: Report, work: Promise<void>): Promise<void> => {
  try {
    await withDeadline(clock, CLOSE_MS, "the queue", work);
  } catch (error) {
    report(error);
  }
};

/** Counts every failure, and logs the first of a run of them, a minute apart. */
const reporter = ({ connection, clock, logger, metrics }: BullmqQueueOptions): Report => {
  const provider = "redisUrl" in connection ? "redis" : "postgres";
  let quietUntil = Number.NEGATIVE_INFINITY;
  return (thrown) => {
    metrics.providerError("queue", provider);
    if (clock.monotonic() < quietUntil) return;
    quietUntil = clock.monotonic() + QUIET_MS;
    logger.warn("the queue of dials fails", { provider, error: toError(thrown) });
  };
};

const QUIET_MS = 60_000;
