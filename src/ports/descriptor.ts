import type { TSchema } from "typebox";
import type { Clock } from "./clock.ts";
import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";
import type { ModelFiles } from "./model-files.ts";
import type { Random } from "./random.ts";

/** What every adapter may use. */
export type AdapterDeps = Readonly<{
  clock: Clock;
  random: Random;
  logger: Logger;
  metrics: Metrics;
  /** What `call-engine models pull` keeps. */
  modelFiles: ModelFiles;
  /** Folder of everything that the service writes. */
  dataDir: string;
}>;

/**
 * The default export of every provider's file. The registry finds providers by their folder, checks `env` against the
 * environment, and creates only those that the configuration enables.
 */
export type Descriptor<Made, Env = Readonly<Record<string, string | undefined>>> = Readonly<{
  /** The value that selects it, such as `transcriberParams.type`. */
  name: string;
  /** The variables that it reads. */
  env: TSchema;
  /** Whether this environment and machine can run it; a sentence that says why not, and what to do. */
  available(env: Env, deps: AdapterDeps): Promise<true | string>;
  create(env: Env, deps: AdapterDeps): Promise<Made>;
  /**
   * Asks the provider for something small that needs the key and costs nothing. Resolves when it answers as it should; throws a
   * `ProviderError` that says what is wrong, without the key and without what came back. For `call-engine doctor`, which calls it
   * only where `available` is true. Absent where there is nobody to ask.
   */
  check?(env: Env, deps: AdapterDeps, signal: AbortSignal): Promise<void>;
}>;
