import { performance } from "node:perf_hooks";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import nova from "../../../src/adapters/transcriber/deepgram/nova.ts";
import { sleep } from "../../../src/ports/clock.ts";
import { adapterDeps } from "../../kit/adapter-deps.ts";

/** What an adapter adds on both ways, in milliseconds: sorted, one figure a frame. */
export type Added = Readonly<{ there: readonly number[]; back: readonly number[] }>;

const LINE = { encoding: "mulaw", sampleRate: 8000 } as const;
const FRAME_BYTES = 160;

/**
 * Feeds `streams` of Deepgram's adapter beside one another with `frames` of 20 ms each, in real time, from a vendor that answers every frame
 * with a text. `there` is the time that `push` takes, in which a frame is brought to the socket; `back` goes from the socket's word of a
 * message until the call has its text.
 */
export const measureAdapter = async (streams: number, frames: number): Promise<Added> => {
  const clock = new SystemClock();
  const vendor = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await new Promise((resolve) => vendor.on("listening", resolve));
  const [there, back]: [number[], number[]] = [[], []];
  let arrivedAt = 0;
  const parse = JSON.parse;
  vendor.on("connection", (socket) => {
    let heard = 0;
    socket.on("message", (_data, binary) => {
      if (!binary) return;
      heard += 0.02;
      socket.send(resultOf(heard));
    });
  });
  // The adapter's first act on a message is to parse it.
  JSON.parse = ((text: string) => {
    arrivedAt = performance.now();
    return parse(text) as unknown;
  }) as typeof JSON.parse;
  const env = {
    DEEPGRAM_API_KEY: "key",
    DEEPGRAM_BASE_URL: `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`,
  };
  const transcriber = await nova.create(env, adapterDeps({ clock }));
  const nothing = () => undefined;
  const open = Array.from({ length: streams }, () =>
    transcriber.open(
      { language: "en", keywords: [], lineFormat: LINE },
      { transcript: () => back.push(performance.now() - arrivedAt), flushed: nothing, failed: nothing },
    ),
  );
  const frame = new Uint8Array(FRAME_BYTES).fill(0xff);
  try {
    await sleep(clock, 200);
    for (let count = 0; count < frames; count++) {
      for (const stream of open) {
        const from = performance.now();
        stream.push(frame);
        there.push(performance.now() - from);
      }
      await sleep(clock, 20);
    }
    await sleep(clock, 100);
  } finally {
    JSON.parse = parse;
    await transcriber.close();
    vendor.close();
  }
  return { there: there.toSorted((a, b) => a - b), back: back.toSorted((a, b) => a - b) };
};

/** The figure below which a share of the sorted ones lies. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

const resultOf = (end: number): string =>
  JSON.stringify({
    type: "Results",
    start: 0,
    duration: end,
    is_final: false,
    channel: {
      alternatives: [
        {
          transcript: "I would like to book a table for four people",
          words: "I would like to book a table for four people"
            .split(" ")
            .map((word, index) => ({ word, start: index / 10, end: (index + 1) / 10 })),
        },
      ],
    },
  });
