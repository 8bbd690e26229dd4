import { performance } from "node:perf_hooks";
import process from "node:process";

/** Sorted milliseconds, one figure an exchange. */
export type Figures = Readonly<{
  /** By the clock. */
  clock: readonly number[];
  /** Of the processor, in this thread; other programs on the machine do not count. */
  processor: readonly number[];
}>;

/** The same exchange by an adapter, and by a client that does nothing but send and receive. */
export type Paired = Readonly<{ what: string; adapter: Figures; bare: Figures }>;

/** Does something until its first answer; what it answers does the rest. */
export type Way = () => Promise<() => Promise<void>>;

/** Rounds before those that count, in which code is compiled and connections are opened. */
const WARM_UP = 100;

/** Times two ways of doing the same by turns, so that both meet the same machine; each until its first answer. */
export const pair = async (what: string, rounds: number, adapter: Way, bare: Way): Promise<Paired> => {
  const times = { adapter: { clock: [], processor: [] }, bare: { clock: [], processor: [] } } satisfies Record<
    "adapter" | "bare",
    Record<keyof Figures, number[]>
  >;
  for (let round = -WARM_UP; round < rounds; round += 1)
    for (const [figures, way] of [
      [times.adapter, adapter],
      [times.bare, bare],
    ] as const) {
      const [from, fromProcessor] = [performance.now(), processorMs()];
      const finish = await way();
      if (round >= 0) {
        (figures.clock as number[]).push(performance.now() - from);
        (figures.processor as number[]).push(processorMs() - fromProcessor);
      }
      await finish();
    }
  const sorted = ({ clock, processor }: Figures): Figures => ({
    clock: clock.toSorted((a, b) => a - b),
    processor: processor.toSorted((a, b) => a - b),
  });
  return { what, adapter: sorted(times.adapter), bare: sorted(times.bare) };
};

const processorMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
