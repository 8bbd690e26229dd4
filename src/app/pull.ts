import { fileURLToPath } from "node:url";
import { pullModels, type PulledFile, type PullProgress } from "../adapters/model-files/pull-models.ts";
import { pullSmartTurn } from "../adapters/model-files/pull-smart-turn.ts";
import type { Clock } from "../ports/clock.ts";
import type { Random } from "../ports/random.ts";

/** Writes how far downloads are: one line that grows on a terminal, a line every tenth elsewhere. */
export const progressPrinter = (out: Readonly<{ isTTY?: boolean; write(text: string): unknown }>) => {
  const shown = new Map<string, number>();
  return ({ file, bytes, total }: PullProgress): void => {
    const megabytes = (bytes / 1e6).toFixed(1);
    const tenth = total === undefined ? Math.floor(bytes / 1e7) : Math.floor((bytes / total) * 10);
    const of = total === undefined ? "" : ` of ${(total / 1e6).toFixed(1)}`;
    const done = total !== undefined && bytes >= total;
    if (out.isTTY === true) out.write(`\r  ${file}  ${megabytes}${of} MB${done ? "\n" : ""}`);
    else if (shown.get(file) !== tenth) out.write(`  ${file}  ${megabytes}${of} MB\n`);
    shown.set(file, tenth);
  };
};

/** Brings the models that are missing, with progress on standard error; answers every file and whether it was brought now. */
export const pullWithProgress = (
  deps: Readonly<{ clock: Clock; random: Random }>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly PulledFile[]> =>
  pullModels({
    ...deps,
    environment: env,
    projectFolder: fileURLToPath(new URL("../..", import.meta.url)),
    onProgress: progressPrinter(process.stderr),
  });

/** Brings the network of the turn detector, which is not among the models that a start brings by itself. */
export const pullSmartTurnWithProgress = (
  deps: Readonly<{ clock: Clock; random: Random }>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<PulledFile> => pullSmartTurn({ ...deps, environment: env, onProgress: progressPrinter(process.stderr) });
