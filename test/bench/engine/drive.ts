import { machineMs } from "../../../src/adapters/clock/machine.ts";
import { sleep, type Clock } from "../../../src/ports/clock.ts";
import { BenchPhone, type PhoneReport } from "./bench-phone.ts";
import { quantilesOf } from "./quantiles.ts";

export type Load = Readonly<{
  calls: number;
  /** Measured for so long, after `warmUpMs` of the same load. */
  ms: number;
  warmUpMs: number;
  /** What the calls' ids begin with; other runs against the same engine take another one. */
  prefix: string;
}>;

export type DriveHooks = Readonly<{
  /** The warm-up is over. */
  begun(): Promise<void>;
  /** The calls are still there, and are hung up when this is done. */
  ending(): Promise<void>;
}>;

export type Driven = Readonly<{
  /** Of the measured time; turns that were begun before are left out. */
  phones: readonly PhoneReport[];
  fromAt: number;
  /** How much later than due our own frames were written, 99th percentile in milliseconds: much of it and the run says nothing. */
  ownTickP99: number;
}>;

const FRAME_MS = 20;

/** Nobody's first word comes sooner or later than this after the beginning; spread so that the calls' turns do not coincide. */
const FIRST_WORD_MS = { from: 300, spread: 2500 };

/** Calls are opened so far apart that their beginning is not the measurement. */
const OPENING_MS = 10;

/** Holds `calls` scripted calls with an engine at once. */
export const drive = async (url: string, load: Load, clock: Clock, hooks: DriveHooks): Promise<Driven> => {
  const lateness: number[] = [];
  const phones: BenchPhone[] = [];
  const stop = beat(clock, phones, (ms) => lateness.push(ms));
  for (let count = 0; count < load.calls; count += 1) {
    const phone = new BenchPhone(url, `${load.prefix}${count}`);
    await phone.start(FIRST_WORD_MS.from + ((count * 0.618_034) % 1) * FIRST_WORD_MS.spread);
    phones.push(phone);
    await sleep(clock, OPENING_MS);
  }
  await sleep(clock, load.warmUpMs);
  lateness.length = 0;
  const fromAt = machineMs();
  await hooks.begun();
  await sleep(clock, load.ms);
  await hooks.ending();
  stop();
  for (const phone of phones) phone.hangUp();
  return { phones: phones.map((phone) => phone.report()), fromAt, ownTickP99: quantilesOf(lateness).p99 };
};

/** One heartbeat for all phones: each sends its frames at absolute times, a frame length apart. `late`: how much after them, in milliseconds. */
export const beat = (
  clock: Clock,
  phones: readonly Pick<BenchPhone, "tick">[],
  late: (ms: number) => void,
): (() => void) => {
  const due: number[] = [];
  let timer: { cancel(): void } | undefined;
  const tick = () => {
    const now = machineMs();
    for (const [index, phone] of phones.entries()) {
      const at = due[index] ?? now;
      if (now < at) continue;
      late(now - at);
      due[index] = at + FRAME_MS;
      phone.tick();
    }
    timer = clock.setTimer(1, tick);
  };
  tick();
  return () => timer?.cancel();
};
