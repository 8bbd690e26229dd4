import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Type } from "typebox";
import { Value } from "typebox/value";
import { VoiceSchema, type Voice } from "../../../model/voice.ts";

const VoicesSchema = Type.Array(VoiceSchema);

/** Where a vendor's list lies between two runs, so that a vendor that is away at a start takes nobody's voice away. */
export const voiceFile = (dataDir: string, name: string): string => join(dataDir, "voices", `${name}.json`);

/** The list that was kept; none where there is no such file, or something else is in it. */
export const readVoices = async (path: string): Promise<readonly Voice[]> => {
  try {
    const found: unknown = JSON.parse(await readFile(path, "utf8"));
    return Value.Check(VoicesSchema, found) ? found : [];
  } catch {
    return [];
  }
};

/** Keeps a list, whole or not at all. */
export const writeVoices = async (path: string, voices: readonly Voice[]): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, JSON.stringify(voices));
  await rename(draft, path);
};
