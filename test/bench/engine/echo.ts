import { sleep, type Clock } from "../../../src/ports/clock.ts";
import { beat } from "./drive.ts";
import { EchoPhone } from "./echo-phone.ts";
import { startEngine, type EngineProgram } from "./engine-process.ts";
import { cpuMsOf } from "./process-figures.ts";
import { quantilesOf, type Quantiles } from "./quantiles.ts";
import { ratioOf, type Row } from "./row.ts";
import { ENGINE, FLOOR, MOST_OWN_TICK_MS } from "./run-calls.ts";

const WARM_UP_MS = 4_000;
const MEASURED_MS = 8_000;
/** Sockets open so far apart. */
const OPENING_MS = 3;
/** What is still on its way when the time is over. */
const SETTLE_MS = 500;

type EchoRun = Readonly<{ trips: Quantiles; cpuMs: number; lost: number; ownTickP99: number }>;

/** How long a frame takes to come back from a line that sends back what it hears, for so many lines at once. */
export const echoRows = async (counts: readonly number[], clock: Clock): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  for (const calls of counts) {
    const floor = await run(FLOOR, calls, clock);
    const engine = await run(ENGINE, calls, clock);
    rows.push(...rowsOf(calls, engine, floor));
  }
  return rows;
};

const rowsOf = (calls: number, engine: EchoRun, floor: EchoRun): readonly Row[] => {
  const ownTick = Math.max(engine.ownTickP99, floor.ownTickP99);
  const nothing = ownTick > MOST_OWN_TICK_MS ? `the callers' own frames were ${ownTick.toFixed(0)} ms late` : undefined;
  const definition = "media written → the same sound read again, each frame of each line, every 20 ms";
  const row = (id: string, unit: string, what: string, of: (one: EchoRun) => number, most?: number): Row => ({
    id: `${id}@${calls}`,
    definition: what,
    unit,
    engine: of(engine),
    floor: of(floor),
    ratio: ratioOf(of(engine), of(floor)),
    ...(most === undefined ? {} : { target: `≤ ${most} ${unit}`, met: of(engine) <= most }),
    void: nothing,
  });
  return [
    row("echo.p50", "ms", definition, ({ trips }) => trips.p50),
    row("echo.p99", "ms", definition, ({ trips }) => trips.p99, calls === 500 ? 5 : undefined),
    row("echo.cpu", "ms", "processor time of the process and all that it started, a call-second", ({ cpuMs }) => cpuMs),
    row("echo.lost", "", "frames that never came back, and sockets that closed", ({ lost }) => lost, 0),
  ];
};

const run = async (program: EngineProgram, calls: number, clock: Clock): Promise<EchoRun> => {
  const engine = await startEngine(program, clock);
  const phones: EchoPhone[] = [];
  const lateness: number[] = [];
  const stop = beat(clock, phones, (ms) => lateness.push(ms));
  try {
    const url = engine.mediaUrl.replace(/\/media$/, "/echo");
    for (let count = 0; count < calls; count += 1) {
      phones.push(await EchoPhone.open(url, `E${count}`));
      await sleep(clock, OPENING_MS);
    }
    await sleep(clock, WARM_UP_MS);
    for (const phone of phones) phone.roundTrips();
    lateness.length = 0;
    const used = -cpuMsOf(engine.pid);
    const fromMs = clock.monotonic();
    await sleep(clock, MEASURED_MS);
    const cpuMs = (used + cpuMsOf(engine.pid)) / (calls * ((clock.monotonic() - fromMs) / 1000));
    stop();
    await sleep(clock, SETTLE_MS);
    return {
      trips: quantilesOf(phones.flatMap((phone) => phone.roundTrips())),
      cpuMs,
      lost: phones.reduce((lost, phone) => lost + phone.owed + Number(phone.closed), 0),
      ownTickP99: quantilesOf(lateness).p99,
    };
  } finally {
    stop();
    for (const phone of phones) phone.hangUp();
    await engine.stop();
  }
};
