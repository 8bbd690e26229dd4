import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** Where model files lie. */
export type ModelFolders = Readonly<{
  /** The networks themselves; may be read-only when `MODELS_DIR` names it. */
  models: string;
  /** What is made from them and what is noted about them; always writable, shared by all clones of one user. */
  cache: string;
  /** In the data folder; stands in for the cache where that cannot be written, such as under a read-only home. */
  spare: string;
}>;

/**
 * Folders by the environment: `MODELS_DIR` holds the networks where it is given, else
 * `$XDG_CACHE_HOME/call-engine/models` (`~/.cache/call-engine/models`), which survives clones and updates.
 */
export const modelFolders = (environment: Readonly<Record<string, string | undefined>>): ModelFolders => {
  const cacheHome = environment["XDG_CACHE_HOME"] || join(environment["HOME"] || homedir(), ".cache");
  const cache = resolve(cacheHome, "call-engine", "models");
  const spare = resolve(environment["DATA_DIR"] || "data", "models");
  return { models: environment["MODELS_DIR"] ? resolve(environment["MODELS_DIR"]) : cache, cache, spare };
};
