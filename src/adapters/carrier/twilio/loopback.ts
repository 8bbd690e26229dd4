import { readFile, stat } from "node:fs/promises";
import { readWav } from "../../../audio/wav.ts";
import { Loopback, type LoopbackParts } from "./loopback-network.ts";
import { textScript, type CallerScript } from "../simulation/script.ts";
import { wavCaller } from "../simulation/wav-caller.ts";

/** The simulated network, for a composition root that brings its own voice and callers. */
export const createLoopback = (parts: LoopbackParts): Loopback => new Loopback(parts);

/**
 * Who answers at the conversing numbers, by the environment: `LOOPBACK_CALLER` is the path of a WAV file, `LOOPBACK_LINES` are
 * lines of text with `|` between them. `undefined` when neither is set; throws when both are or the file cannot be read.
 */
export const callerFromEnv = async (env: LoopbackEnv): Promise<CallerScript | undefined> => {
  const { LOOPBACK_CALLER: path, LOOPBACK_LINES: lines } = env;
  if (path !== undefined && lines !== undefined)
    throw new Error("LOOPBACK_CALLER and LOOPBACK_LINES are both set; set only one of them");
  if (path !== undefined) return wavCaller(readWav(await readSmallFile(path)));
  if (lines === undefined) return undefined;
  const texts = lines.split("|").map((line) => line.trim());
  if (texts.includes("") || texts.length > 100)
    throw new Error("LOOPBACK_LINES must be 1 to 100 lines of text with | between them, none of them empty");
  return textScript(texts);
};

export type LoopbackEnv = Readonly<{ LOOPBACK_CALLER?: string | undefined; LOOPBACK_LINES?: string | undefined }>;

/** An hour of 48 kHz stereo is 700 MB: a file as large as this is a mistake. */
const MOST_FILE_BYTES = 200 * 1024 * 1024;

const readSmallFile = async (path: string): Promise<Uint8Array> => {
  const { size } = await stat(path);
  if (size > MOST_FILE_BYTES) throw new Error(`${path} is larger than 200 MB; cut it to the length of a call`);
  return readFile(path);
};
