/** Neural network files that a local engine needs, by the names of the manifest in `adapters/model-files`. */
export interface ModelFiles {
  /** Absolute path of a verified file; `undefined` when it was not pulled. */
  find(name: string): Promise<string | undefined>;
}
