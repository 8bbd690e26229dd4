import { expect, test } from "vitest";
import flux from "../../../../src/adapters/transcriber/deepgram/flux.ts";
import { SystemClock } from "../../../../src/adapters/clock/system.ts";
import type { TranscriptEvent } from "../../../../src/ports/transcriber.ts";
import { adapterDeps } from "../../../kit/adapter-deps.ts";
import { KEY, serveFlux } from "../../../kit/vendors/deepgram-vendors.ts";
import { quietBytes, sayBytes } from "../../../kit/vendors/spoken-bytes.ts";

const FORMAT = { encoding: "mulaw", sampleRate: 8000 } as const;

test("what Flux says of a turn's end is told with its confidence, and the end of a turn that the call has taken is told to it", async () => {
  const server = await serveFlux();
  const env = { DEEPGRAM_API_KEY: KEY, DEEPGRAM_BASE_URL: server.url };
  const transcriber = await flux.create(env, adapterDeps({ clock: new SystemClock() }));
  const told: (number | TranscriptEvent)[] = [];
  let news = Promise.withResolvers<void>();
  const note = (what: number | TranscriptEvent) => {
    told.push(what);
    news.resolve();
    news = Promise.withResolvers();
  };
  const until = async (condition: () => boolean) => {
    while (!condition()) await news.promise;
  };
  const stream = transcriber.open(
    { language: "en", keywords: [], lineFormat: FORMAT },
    { transcript: note, turnJudged: note, flushed: () => undefined, failed: () => undefined },
  );
  const judged = () => told.filter((one) => typeof one === "number");
  stream.push(sayBytes("one", "two"));
  stream.push(quietBytes(480));
  await until(() => judged().length === 1);
  stream.push(sayBytes("three"));
  await until(() => judged().length === 2);
  stream.push(quietBytes(1600));
  await until(() => judged().length === 4);
  expect(judged()).toEqual([0.6, 0.2, 0.6, 0.9]);
  const texts = () => told.flatMap((one) => (typeof one === "number" ? [] : [[one.utterance, one.text, one.final]]));
  expect(texts().at(-1)).toEqual([1, "one two three", true]);

  stream.push(sayBytes("four"));
  stream.push(quietBytes(160));
  await until(() => texts().at(-1)?.[1] === "four");
  stream.endTurn();
  await until(() => texts().at(-1)?.[2] === true);
  stream.push(sayBytes("five"));
  stream.push(quietBytes(160));
  await until(() => texts().at(-1)?.[1] === "five");
  expect(texts().at(-1)?.[0]).toBe(3);
  expect(server.record.opened[0]).toMatchObject({ language: "" });
  await transcriber.close();
  await server.record.until(() => server.record.live === 0);
  server.record.check();
  await server.close();
});
