import { toError } from "../../../kit/errors.ts";
import { bytesOf, type AudioFormat } from "../../../model/audio.ts";
import type { OpenWire, Wire } from "./wire.ts";

const FORMAT: AudioFormat = { encoding: "mulaw", sampleRate: 8000 };
const SILENCE = 0xff;
const QUIET_MS = 200;

/**
 * Opens a connection as a call would and closes it when the vendor takes sound. Where that tells nothing yet of the key (`proven` by
 * an `answer` only), a moment of silence is sent and its final text, which is none, waited for.
 *
 * @throws {ProviderError} what the vendor says against it.
 */
export const checkWire = async (openWire: OpenWire, proven: "ready" | "answer", signal: AbortSignal): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const aborted = () => {
    reject(toError(signal.reason));
  };
  const nothing = () => undefined;
  const hints = { language: "en-US", keywords: [], lineFormat: FORMAT };
  const wire: Wire = openWire(hints, FORMAT, {
    ready: () => {
      if (proven === "ready") resolve(undefined);
      else {
        wire.send(new Uint8Array(bytesOf(FORMAT, QUIET_MS)).fill(SILENCE), 0);
        wire.finalize(QUIET_MS);
      }
    },
    flushed: () => {
      resolve(undefined);
    },
    lost: reject,
    heard: nothing,
    settled: nothing,
    turnJudged: nothing,
  });
  signal.addEventListener("abort", aborted, { once: true });
  try {
    if (signal.aborted) aborted();
    await promise;
  } finally {
    signal.removeEventListener("abort", aborted);
    wire.close();
  }
};
