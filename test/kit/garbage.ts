import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Lets go of everything that nobody holds any more; what the present turn of the event loop holds goes first. */
export const collectGarbage = async (): Promise<void> => {
  for (let round = 0; round < 2; round++) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
};

/** Bytes of the heap that are in use once the garbage is collected. */
export const heapInUse = async (): Promise<number> => {
  await collectGarbage();
  return process.memoryUsage().heapUsed;
};
