import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { ModelFiles } from "../../ports/model-files.ts";
import type { ModelFolders } from "./folders.ts";
import { MODEL_FILES } from "./manifest.ts";
import type { ModelFile } from "./manifest.ts";
import { isVerified, writeWhole } from "./verification.ts";

/** Model files in a folder, as `pullModels` or a person put them there. A file whose content is not the manifest's is absent. */
export class ModelFolder implements ModelFiles {
  readonly #folders: ModelFolders;
  readonly #files: ReadonlyMap<string, ModelFile>;
  readonly #found = new Map<string, string>();
  readonly #deriving = new Map<string, Promise<string | undefined>>();

  constructor(folders: ModelFolders, files: readonly ModelFile[] = MODEL_FILES) {
    this.#folders = folders;
    this.#files = new Map(files.map((file) => [file.name, file]));
  }

  /** Throws a `RangeError` for a name that is not in the manifest, which is a mistake of the caller's code. */
  async find(name: string): Promise<string | undefined> {
    const file = this.#files.get(name);
    if (file === undefined) throw new RangeError(`"${name}" is not a file of the model manifest`);
    const known = this.#found.get(name);
    if (known !== undefined) return known;
    if (!(await isVerified(this.#folders, file))) return undefined;
    const path = join(this.#folders.models, name);
    this.#found.set(name, path);
    return path;
  }

  derive(
    name: string,
    sources: readonly string[],
    make: (paths: readonly string[]) => Promise<Uint8Array>,
  ): Promise<string | undefined> {
    if (!/^[\w][\w.-]*$/.test(name)) throw new RangeError(`"${name}" is not a plain file name`);
    const running = this.#deriving.get(name);
    if (running !== undefined) return running;
    const work = this.#derive(name, sources, make).finally(() => this.#deriving.delete(name));
    this.#deriving.set(name, work);
    return work;
  }

  async #derive(
    name: string,
    sources: readonly string[],
    make: (paths: readonly string[]) => Promise<Uint8Array>,
  ): Promise<string | undefined> {
    const paths: string[] = [];
    const digest = createHash("sha256");
    for (const source of sources) {
      const path = await this.find(source);
      if (path === undefined) return undefined;
      paths.push(path);
      digest.update(this.#files.get(source)?.sha256 ?? "");
    }
    // The sources' digests are part of the path, so a changed source cannot meet an old product.
    const place = join("derived", digest.digest("hex").slice(0, 16), name);
    const targets = [join(this.#folders.cache, place), join(this.#folders.spare, place)];
    for (const target of targets) {
      const made = await stat(target).catch(() => undefined);
      if (made !== undefined && made.size > 0) return target;
    }
    return writeFirst(targets, await make(paths));
  }
}

/** Writes into the first place that can be written: where the user's cache is closed, the spare folder serves until it is emptied. */
const writeFirst = async (targets: readonly string[], content: Uint8Array): Promise<string> => {
  let failure: unknown;
  for (const target of targets) {
    try {
      await writeWhole(target, content);
      return target;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
};
