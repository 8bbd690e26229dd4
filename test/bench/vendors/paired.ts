import { performance } from "node:perf_hooks";

/** The same exchange by an adapter, and by a client that does nothing but send and receive: sorted milliseconds, one figure an exchange. */
export type Paired = Readonly<{ what: string; adapter: readonly number[]; bare: readonly number[] }>;

/** Does something until its first answer; what it answers does the rest. */
export type Way = () => Promise<() => Promise<void>>;

/** Rounds before those that count, in which code is compiled and connections are opened. */
const WARM_UP = 300;

/** Times two ways of doing the same by turns, so that both meet the same machine; each until its first answer. */
export const pair = async (what: string, rounds: number, adapter: Way, bare: Way): Promise<Paired> => {
  const times: Readonly<Record<"adapter" | "bare", number[]>> = { adapter: [], bare: [] };
  for (let round = -WARM_UP; round < rounds; round += 1)
    for (const [figures, way] of [
      [times.adapter, adapter],
      [times.bare, bare],
    ] as const) {
      const from = performance.now();
      const finish = await way();
      if (round >= 0) figures.push(performance.now() - from);
      await finish();
    }
  const sorted = (figures: readonly number[]) => figures.toSorted((a, b) => a - b);
  return { what, adapter: sorted(times.adapter), bare: sorted(times.bare) };
};
