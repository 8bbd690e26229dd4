import { fileURLToPath } from "node:url";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import { modelFolders } from "../../src/adapters/model-files/folders.ts";
import { MANIFEST } from "../../src/adapters/model-files/manifest.ts";
import type { ModelSlot } from "../../src/adapters/model-files/manifest.ts";
import { ModelFolder } from "../../src/adapters/model-files/model-folder.ts";
import { pullModels } from "../../src/adapters/model-files/pull-models.ts";
import { SystemRandom } from "../../src/adapters/random/system.ts";
import type { ModelFiles } from "../../src/ports/model-files.ts";

/** The files of a slot, pulled first where this machine has not got them yet. A download takes minutes at most. */
export const pulledModels = async (...slots: readonly ModelSlot[]): Promise<ModelFiles> => {
  await pullModels({
    clock: new SystemClock(),
    random: new SystemRandom(),
    environment: process.env,
    projectFolder: fileURLToPath(new URL("../..", import.meta.url)),
    onProgress: () => undefined,
    packages: MANIFEST.filter((carrier) => carrier.files.some((file) => slots.includes(file.slot))),
  });
  return new ModelFolder(modelFolders(process.env));
};

/** Time that a test's set-up may take when it has to pull models, in milliseconds. */
export const PULL_TIMEOUT_MS = 300_000;
