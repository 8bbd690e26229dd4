import { expect, test } from "vitest";
import transcriber from "../../src/adapters/transcriber/model-server/model-server.ts";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import { serveModels } from "../../src/model-server/serve-models.ts";
import type { Transcriber } from "../../src/ports/transcriber.ts";
import { adapterDeps } from "../kit/adapter-deps.ts";
import { watchForLeaks } from "../kit/leaks.ts";
import { silentLogger } from "../kit/silent-logger.ts";

const clock = new SystemClock();
const deps = adapterDeps({ clock });

/** Tells, as its text, how much it has heard; `heard` is called with each piece of sound. */
const counting = (heard: (ms: number) => void): Transcriber => ({
  name: "counting",
  supports: () => true,
  open: (_, listener) => {
    let ms = 0;
    return {
      format: { encoding: "linear16", sampleRate: 16_000 },
      push: (payload) => {
        ms += payload.length / 32;
        heard(ms);
      },
      speech: () => undefined,
      finalize: () => {
        listener.transcript({ utterance: 1, text: `${ms} ms`, final: true, startMs: 0, endMs: ms });
        listener.flushed();
      },
      endTurn: () => undefined,
      close: () => undefined,
    };
  },
  close: async () => undefined,
});

test("after a break the next stream hears the unfinished turn from its beginning, and its times are those of the call", async () => {
  const leaks = watchForLeaks();
  let reached = Promise.withResolvers<void>();
  let wanted = 500;
  const engine = counting((ms) => {
    if (ms >= wanted) reached.resolve();
  });
  const serve = (port: number) =>
    serveModels(
      { transcriber: engine, synthesizers: [], models: [] },
      { clock, logger: silentLogger(), address: `127.0.0.1:${port}` },
    );
  const first = await serve(0);
  const made = await transcriber.create({ MODEL_SERVER_URL: `grpc://127.0.0.1:${first.port}` }, deps);
  const said: unknown[] = [];
  let flushed = Promise.withResolvers<void>();
  const stream = made.open(
    { language: "en", keywords: [], lineFormat: { encoding: "mulaw", sampleRate: 8000 } },
    {
      transcript: ({ text, startMs, endMs }) => said.push({ text, startMs, endMs }),
      flushed: () => flushed.resolve(),
      failed: (error) => flushed.reject(error),
    },
  );
  stream.push(new Uint8Array(32 * 500));
  await reached.promise;
  stream.finalize();
  await flushed.promise;
  expect(said).toEqual([{ text: "500 ms", startMs: 0, endMs: 500 }]);

  [reached, wanted] = [Promise.withResolvers(), 700];
  stream.push(new Uint8Array(32 * 200));
  await reached.promise;
  await first.close();
  const second = await serve(first.port);
  [flushed, wanted] = [Promise.withResolvers(), Infinity];
  stream.push(new Uint8Array(32 * 100));
  stream.finalize();
  await flushed.promise;
  // What was final before the break is not heard again; what was not, is.
  expect(said.at(-1)).toEqual({ text: "300 ms", startMs: 500, endMs: 800 });
  stream.close();
  await made.close();
  await second.close();
  await leaks();
});
