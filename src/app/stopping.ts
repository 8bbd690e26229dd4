import type { Scope } from "../kit/scope.ts";
import type { Worker } from "../worker/worker.ts";

/** What is known only while the service runs: the server is there before the worker, since the worker needs its port. */
export type State = { draining: boolean; worker?: Worker; drained?: Promise<void> };

/** Takes no new calls; calling it again hurries nobody. */
export const beginDrain = (state: State): Promise<void> => {
  state.draining = true;
  return (state.drained ??= state.worker?.drain() ?? Promise.resolve());
};

/** Stops in phases; a second request cuts the first phase short. */
export const stopper = (scope: Scope, state: State) => {
  let stopping: Promise<void> | undefined;
  return (): Promise<void> => {
    const drained = beginDrain(state);
    // The worker takes a second request as an order to hurry; the promise of the first one still tells when all is over.
    if (stopping !== undefined) void state.worker?.drain();
    // What a drain leaves undone the scope tells of, since the worker closes with it.
    stopping ??= drained.catch(() => undefined).then(() => scope.close());
    return stopping;
  };
};
