import { parentPort } from "node:worker_threads";
import type { FromThread, ToThread } from "../../../../src/adapters/language-model/scripted/embedding-protocol.ts";

// A thread that answers like the real one, and dies of the text "die".
const send = (message: FromThread): void => parentPort?.postMessage(message);

parentPort?.on("message", (message: ToThread) => {
  if (message.texts.includes("die")) throw new Error("died as asked");
  send({ id: message.id, meanings: message.texts.map(() => Float32Array.of(1)) });
});

send({ ready: true });
