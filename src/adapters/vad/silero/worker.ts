import { parentPort, workerData } from "node:worker_threads";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { WINDOW_SAMPLES } from "./protocol.ts";
import type { Answer, Order, WorkerData } from "./protocol.ts";

/** Silero v6 wants the last 64 samples of the window before in front of each window. */
const CONTEXT_SAMPLES = 64;
const INPUT_SAMPLES = CONTEXT_SAMPLES + WINDOW_SAMPLES;
/** The recurrent state is [2, batch, 128]. */
const LAYERS = 2;
const WIDTH = 128;

type Memory = { readonly context: Float32Array; readonly state: Float32Array };

const port = parentPort;
if (port === null) throw new Error("this file is the body of a worker thread");

const { modelPath } = workerData as WorkerData;
const session = await InferenceSession.create(modelPath, {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: "sequential",
  // Errors only; warnings about the graph are of no use to an operator.
  logSeverityLevel: 3,
});
const sampleRate = new Tensor("int64", BigInt64Array.of(16_000n), []);
const memories = new Map<number, Memory>();

const memoryOf = (stream: number): Memory => {
  const known = memories.get(stream);
  if (known !== undefined) return known;
  const fresh = { context: new Float32Array(CONTEXT_SAMPLES), state: new Float32Array(LAYERS * WIDTH) };
  memories.set(stream, fresh);
  return fresh;
};

const floats = (tensor: Tensor | undefined, name: string): Float32Array => {
  if (!(tensor?.data instanceof Float32Array))
    throw new TypeError(`the network gave no "${name}"; its file is not Silero v6`);
  return tensor.data;
};

const run = async (streams: readonly number[], windows: Int16Array): Promise<Float32Array> => {
  const batch = streams.length;
  const input = new Float32Array(batch * INPUT_SAMPLES);
  const state = new Float32Array(LAYERS * batch * WIDTH);
  for (const [row, stream] of streams.entries()) {
    const memory = memoryOf(stream);
    const start = row * INPUT_SAMPLES;
    input.set(memory.context, start);
    for (let index = 0; index < WINDOW_SAMPLES; index++)
      input[start + CONTEXT_SAMPLES + index] = (windows[row * WINDOW_SAMPLES + index] ?? 0) / 32_768;
    memory.context.set(input.subarray(start + WINDOW_SAMPLES, start + INPUT_SAMPLES));
    for (let layer = 0; layer < LAYERS; layer++)
      state.set(memory.state.subarray(layer * WIDTH, (layer + 1) * WIDTH), (layer * batch + row) * WIDTH);
  }
  const outputs = await session.run({
    input: new Tensor("float32", input, [batch, INPUT_SAMPLES]),
    state: new Tensor("float32", state, [LAYERS, batch, WIDTH]),
    sr: sampleRate,
  });
  const next = floats(outputs["stateN"], "stateN");
  for (const [row, stream] of streams.entries()) {
    const memory = memoryOf(stream);
    for (let layer = 0; layer < LAYERS; layer++)
      memory.state.set(next.subarray((layer * batch + row) * WIDTH, (layer * batch + row + 1) * WIDTH), layer * WIDTH);
  }
  return Float32Array.from(floats(outputs["output"], "output"));
};

const answer = (message: Answer, transfer: ArrayBuffer[] = []) => {
  port.postMessage(message, transfer);
};

const obey = async (order: Order): Promise<void> => {
  switch (order.type) {
    case "batch": {
      const probabilities = await run(order.streams, order.windows);
      answer({ type: "probabilities", probabilities }, [probabilities.buffer as ArrayBuffer]);
      return;
    }
    case "forget":
      memories.delete(order.stream);
      return;
    case "close":
      await session.release();
      port.close();
  }
};

// One after another: a stream's next window needs the state that its last one left.
let obeyed = Promise.resolve();
port.on("message", (order: Order) => {
  obeyed = obeyed.then(() => obey(order));
});
answer({ type: "ready" });
