/** To the thread: texts whose meanings are wanted. */
export type ToThread = Readonly<{ id: number; texts: readonly string[] }>;

/** From the thread: once that it has loaded, then an answer to each request. */
export type FromThread =
  | Readonly<{ ready: true }>
  | Readonly<{ id: number; meanings: readonly Float32Array[] }>
  | Readonly<{ id: number; failure: string }>;
