/** Neural network files that a local engine needs, by the names of the manifest in `adapters/model-files`. */
export interface ModelFiles {
  /** Absolute path of a verified file; `undefined` when it was not pulled. */
  find(name: string): Promise<string | undefined>;
  /**
   * Absolute path of a file that is made from pulled ones, such as a token table or a rewritten network: made once, kept beside the
   * models for later starts, and made anew when a source changes. `undefined` when a source was not pulled.
   *
   * `name` is a plain file name that also carries the version of the recipe (`kokoro-f32-1.onnx`): another recipe needs another name.
   * `make` gets the paths of `sources` in their order and answers the whole content; long computing belongs in a worker thread.
   * Two callers of the same name in one process share one making.
   */
  derive(
    name: string,
    sources: readonly string[],
    make: (paths: readonly string[]) => Promise<Uint8Array>,
  ): Promise<string | undefined>;
}
