import type { Client, Dial } from "../client/client.ts";
import { sleep, type Clock } from "../ports/clock.ts";

/** Reads a dial until a condition holds; rejects after `limitMs`. */
export const untilDial = async (
  client: Client,
  clock: Clock,
  id: string,
  condition: (dial: Dial) => boolean,
  limitMs: number,
): Promise<Dial> => {
  const limit = clock.monotonic() + limitMs;
  for (;;) {
    const dial = await client.getDial({ id });
    if (condition(dial)) return dial;
    if (clock.monotonic() > limit) throw new Error(`the dial is still ${dial.status ?? "unknown"} after ${limitMs} ms`);
    await sleep(clock, 200);
  }
};
