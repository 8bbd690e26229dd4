import type { Metrics } from "../../src/ports/metrics.ts";

/** Metrics that only count the failures of providers; for tests that ask whether one was noticed. */
export const countingMetrics = (): Readonly<{ metrics: Metrics; failures: Map<string, number> }> => {
  const failures = new Map<string, number>();
  const ignore = () => undefined;
  const metrics: Metrics = {
    dialCreated: ignore,
    dialEnded: ignore,
    callStarted: ignore,
    callEnded: ignore,
    stage: ignore,
    stageAdded: ignore,
    turnEnded: ignore,
    leasesLapsed: ignore,
    bargeIn: ignore,
    providerError: (port, provider) => {
      const key = `${port}/${provider}`;
      failures.set(key, (failures.get(key) ?? 0) + 1);
    },
    framesDropped: ignore,
    framesLate: ignore,
    httpRequest: ignore,
    expose: () => Promise.resolve({ contentType: "text/plain", body: "" }),
  };
  return { metrics, failures };
};
