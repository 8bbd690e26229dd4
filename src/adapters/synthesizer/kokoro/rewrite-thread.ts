import { readFile } from "node:fs/promises";
import { parentPort, workerData } from "node:worker_threads";
import { toFloatNetwork } from "./float-network.ts";

/** Rewrites the network at `workerData` and posts the new one. */
const network = toFloatNetwork(await readFile(workerData as string));
parentPort?.postMessage(network, [network.buffer as ArrayBuffer]);
