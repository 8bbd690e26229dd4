import { afterAll } from "vitest";
import { startServiceProcess, type RunningService, type ServiceRole } from "../kit/service-process.ts";

export type { RunningService };

const started = new Set<RunningService>();

// A test that failed did not come to the end of its services, and they would outlive it.
afterAll(() => {
  for (const { process: child } of started)
    if (child.exitCode === null && child.signalCode === null) {
      // One that stands still would not take any other signal.
      child.kill("SIGKILL");
    }
  started.clear();
});

/** Starts the service as a process of its own for the tests of this file; what they leave running is killed after the last of them. */
export const startService = async (
  env: Readonly<Record<string, string>>,
  role: ServiceRole = "all",
): Promise<RunningService> => {
  const service = await startServiceProcess(env, role);
  started.add(service);
  return service;
};
