import { readFile, stat } from "node:fs/promises";
import type { CallerScript } from "../adapters/carrier/simulation/script.ts";
import { textScript } from "../adapters/carrier/simulation/script.ts";
import { wavCaller } from "../adapters/carrier/simulation/wav-caller.ts";
import { readWav } from "../audio/wav.ts";
import { toError } from "../kit/errors.ts";

export type { CallerScript };

/** An hour of studio sound; a larger file is a mistake. */
const MOST_FILE_BYTES = 200 * 1024 * 1024;

/** A caller who speaks with the voice of a recording. Throws `WavError`, or the file system's error. */
export const callerFromWav = async (path: string): Promise<CallerScript> => {
  const { size } = await stat(path).catch((error: unknown) => {
    throw new Error(`cannot read the caller's recording ${path} (${toError(error).message})`, { cause: error });
  });
  if (size > MOST_FILE_BYTES) throw new Error(`${path} is larger than 200 MB; cut it to the length of a call`);
  return wavCaller(readWav(await readFile(path)));
};

/** A caller who says these lines, one after each answer. */
export const callerFromTexts = (texts: readonly string[]): CallerScript => textScript(texts);
