import { InferenceSession, Tensor } from "onnxruntime-node";
import { modelFolders } from "../../../src/adapters/model-files/folders.ts";
import { ModelFolder } from "../../../src/adapters/model-files/model-folder.ts";
import { SileroDetector } from "../../../src/adapters/vad/silero/detector.ts";
import { forbidOnnxTelemetry } from "../../../src/kit/onnx-telemetry.ts";
import { withDeadline, type Clock } from "../../../src/ports/clock.ts";
import { ratioOf, type Row } from "./row.ts";

const WINDOW = 512;
const CONTEXT = 64;
const STATE = 2 * 128;
const ROUNDS = 100;

/** Silero as the engine runs it, against its network asked directly for one window at a time. Empty where there is no network. */
export const vadRows = async (clock: Clock): Promise<readonly Row[]> => {
  forbidOnnxTelemetry();
  const modelPath = await new ModelFolder(modelFolders(process.env)).find("silero-v6.onnx");
  if (modelPath === undefined) return [];
  const floor = await direct(modelPath);
  const rows: Row[] = [];
  for (const streams of [1, 16, 64]) {
    const engine = await through(modelPath, streams, clock);
    const target = streams === 1 ? undefined : "≤ 40 µs";
    rows.push({
      id: `vad.silero.${streams}`,
      definition: `a window of 32 ms in which something sounds, of ${streams} streams at once; floor: the network alone, one window at a time`,
      unit: "µs/window",
      engine,
      floor,
      ratio: ratioOf(engine, floor),
      target,
      met: target === undefined ? undefined : engine <= 40,
    });
  }
  return rows;
};

const NOISE = Int16Array.from({ length: WINDOW }, (_, at) => 2000 * Math.sin(at * at));

/** Microseconds of processor time, all threads. */
const through = async (modelPath: string, count: number, clock: Clock): Promise<number> => {
  const detector = new SileroDetector(modelPath, clock);
  await detector.start();
  let missing = 0;
  let round = Promise.withResolvers<void>();
  const streams = Array.from({ length: count }, () =>
    detector.open({
      probability: () => {
        missing -= 1;
        if (missing === 0) round.resolve();
      },
      failed: (error) => round.reject(error),
    }),
  );
  const push = async () => {
    missing = count;
    round = Promise.withResolvers<void>();
    for (const stream of streams) stream.push(NOISE);
    await withDeadline(clock, 10_000, "a round of windows", round.promise);
  };
  for (let warm = 0; warm < 20; warm += 1) await push();
  const before = process.cpuUsage();
  for (let done = 0; done < ROUNDS; done += 1) await push();
  const used = process.cpuUsage(before);
  await detector.close();
  return (used.user + used.system) / (ROUNDS * count);
};

const direct = async (modelPath: string): Promise<number> => {
  const session = await InferenceSession.create(modelPath, { intraOpNumThreads: 1, interOpNumThreads: 1 });
  const input = new Tensor("float32", new Float32Array(CONTEXT + WINDOW).fill(0.05), [1, CONTEXT + WINDOW]);
  const sr = new Tensor("int64", BigInt64Array.of(16_000n), []);
  let state = new Tensor("float32", new Float32Array(STATE), [2, 1, 128]);
  const ask = async () => {
    const { stateN } = await session.run({ input, state, sr });
    if (stateN !== undefined) state = stateN as Tensor & typeof state;
  };
  for (let warm = 0; warm < 20; warm += 1) await ask();
  const before = process.cpuUsage();
  for (let done = 0; done < ROUNDS; done += 1) await ask();
  const used = process.cpuUsage(before);
  await session.release();
  return (used.user + used.system) / ROUNDS;
};
