import "@energetic-ai/core";

// The package hands on all of TensorFlow.js, whose own declarations it does not bring.
declare module "@energetic-ai/core" {
  /** Resolves when the backend that the import has started can compute. */
  export function ready(): Promise<void>;
}
