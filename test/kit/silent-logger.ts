import type { Logger } from "../../src/ports/logger.ts";

/** Says nothing; for tests that are not about what is logged. */
export const silentLogger = (): Logger => {
  const silent = () => undefined;
  const logger: Logger = { debug: silent, info: silent, warn: silent, error: silent, child: () => logger };
  return logger;
};
