import type { Scope } from "../kit/scope.ts";
import type { SocketForwarding } from "../worker/forward-socket.ts";
import type { Worker } from "../worker/worker.ts";

/** What is known only while the service runs: the server is there before the worker, since the worker needs its port. */
export type State = { draining: boolean; worker?: Worker; passing?: SocketForwarding; drained?: Promise<void> };

/** Takes no new calls, and waits for those that are held here or whose sound passes through here; calling it again hurries nobody. */
export const beginDrain = (state: State): Promise<void> => {
  state.draining = true;
  return (state.drained ??= Promise.all([state.worker?.drain(), state.passing?.drain()]).then(() => undefined));
};

/** Stops in phases; a second request cuts the first phase short. */
export const stopper = (scope: Scope, state: State) => {
  let stopping: Promise<void> | undefined;
  return (): Promise<void> => {
    const drained = beginDrain(state);
    // Both take a second request as an order to hurry; the promise of the first one still tells when all is over.
    if (stopping !== undefined) void Promise.all([state.worker?.drain(), state.passing?.drain()]);
    // What a drain leaves undone the scope tells of, since the worker closes with it.
    stopping ??= drained.catch(() => undefined).then(() => scope.close());
    return stopping;
  };
};
