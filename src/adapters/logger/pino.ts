import { pino, type DestinationStream, type Logger as Pino } from "pino";
import { traceIdOf } from "../../kit/trace-id.ts";
import type { LogFields, Logger } from "../../ports/logger.ts";

/** How much is written: everything from this level up. */
export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

/**
 * The fields that may be written. A field that is not listed is left out, and its name is told under `notLogged`, so that personal
 * data cannot slip into a log by a careless call: ids, counts, durations and names of parts only.
 */
export const LOGGED_FIELDS: ReadonlySet<string> = new Set([
  "afterMs",
  "attempt",
  "code",
  "component",
  "count",
  "dialId",
  "direction",
  "dropped",
  "endReason",
  "engine",
  "error",
  "event",
  "failures",
  "functionId",
  "left",
  "limit",
  "method",
  "migration",
  "model",
  "ms",
  "name",
  "note",
  "outcome",
  "part",
  "path",
  "port",
  "provider",
  "reason",
  "recordingId",
  "requestId",
  "route",
  "signal",
  "slot",
  "state",
  "status",
  "step",
  "tier",
  "unwritten",
  "what",
  "workspaceId",
]);

export type LoggerOptions = Readonly<{
  level: LogLevel;
  destination?: DestinationStream;
  now: () => number;
  /** Whether lines about a dial name its trace, as `trace_id`. */
  traceIds?: boolean;
}>;

/** Writes one JSON object a line to standard error, which leaves standard output to what a command answers. */
export const createPinoLogger = (options: LoggerOptions): Logger => {
  const destination = options.destination ?? pino.destination({ dest: 2, sync: true });
  const root = pino(
    {
      level: options.level,
      base: null,
      timestamp: () => `,"time":"${new Date(options.now()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
  return new PinoLogger(root, options.traceIds === true);
};

class PinoLogger implements Logger {
  readonly #pino: Pino;
  readonly #traceIds: boolean;

  constructor(target: Pino, traceIds: boolean) {
    this.#pino = target;
    this.#traceIds = traceIds;
  }

  debug(message: string, fields?: LogFields): void {
    this.#pino.debug(this.#written(fields), message);
  }

  info(message: string, fields?: LogFields): void {
    this.#pino.info(this.#written(fields), message);
  }

  warn(message: string, fields?: LogFields): void {
    this.#pino.warn(this.#written(fields), message);
  }

  error(message: string, fields?: LogFields): void {
    this.#pino.error(this.#written(fields), message);
  }

  child(fields: LogFields): Logger {
    return new PinoLogger(this.#pino.child(this.#written(fields)), this.#traceIds);
  }

  #written(fields: LogFields | undefined): Written {
    const written = allowed(fields);
    const { dialId } = written;
    if (this.#traceIds && typeof dialId === "string") written["trace_id"] = traceIdOf(dialId);
    return written;
  }
}

type Written = Record<string, unknown>;

const allowed = (fields: LogFields | undefined): Written => {
  const written: Written = {};
  const left: string[] = [];
  for (const [name, value] of Object.entries(fields ?? {})) {
    if (value === undefined) continue;
    if (!LOGGED_FIELDS.has(name)) left.push(name);
    else written[name] = value instanceof Error ? describeError(value, 0) : value;
  }
  if (left.length > 0) written["notLogged"] = left;
  return written;
};

/** Causes beyond this depth say nothing new and might form a ring. */
const CAUSES = 3;

const describeError = (error: Error, depth: number): Written => {
  const described: Written = { name: error.name, message: error.message, stack: error.stack };
  if ("code" in error && typeof error.code === "string") described["code"] = error.code;
  if (error.cause instanceof Error && depth < CAUSES) described["cause"] = describeError(error.cause, depth + 1);
  return described;
};
