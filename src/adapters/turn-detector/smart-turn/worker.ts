import { parentPort, workerData } from "node:worker_threads";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { toError } from "../../../kit/errors.ts";
import { featuresOf, SHAPE, WINDOW_SAMPLES } from "./features.ts";
import type { Answer, Order, WorkerData } from "./protocol.ts";

const port = parentPort;
if (port === null) throw new Error("this file is the body of a worker thread");

const { modelPath } = workerData as WorkerData;
const session = await InferenceSession.create(modelPath, {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: "sequential",
  logSeverityLevel: 3,
});
const [input] = session.inputNames;
const [output] = session.outputNames;

const judge = async (samples: Int16Array): Promise<number> => {
  if (input === undefined || output === undefined)
    throw new TypeError("the network has no input or output; its file is not Smart Turn v3");
  const outputs = await session.run({ [input]: new Tensor("float32", featuresOf(samples), SHAPE) });
  const data = outputs[output]?.data;
  const probability = data instanceof Float32Array && data.length === 1 ? data[0] : undefined;
  if (probability === undefined || !(probability >= 0 && probability <= 1))
    throw new TypeError(`the network gave no probability; its file is not Smart Turn v3`);
  return probability;
};

const answer = (said: Answer): void => {
  port.postMessage(said);
};

// A file of another kind is found out now and not in the middle of a call.
await judge(new Int16Array(WINDOW_SAMPLES));
answer({ type: "ready" });

let working = Promise.resolve();
port.on("message", (order: Order) => {
  if (order.type === "close") {
    port.close();
    return;
  }
  working = working.then(async () => {
    try {
      answer({ type: "judged", id: order.id, probability: await judge(order.samples) });
    } catch (error) {
      answer({ type: "failed", id: order.id, reason: toError(error).message });
    }
  });
});
