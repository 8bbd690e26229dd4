import { expect, test } from "vitest";
import { Embedder, EmbedderError } from "../../../../src/adapters/language-model/scripted/embedder.ts";
import { VirtualClock } from "../../../kit/virtual-clock.ts";

const dot = (a: Float32Array = new Float32Array(), b: Float32Array = new Float32Array()): number =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);

test("sentences that mean the same are nearer than others, and no words mean nothing", async () => {
  const embedder = await Embedder.start(new VirtualClock());
  const texts = ["i want to book an appointment", "could you schedule a visit for me", "what is the weather like", ""];
  const [book, schedule, weather, empty] = await embedder.embed(texts);
  expect(dot(book, schedule)).toBeGreaterThan(dot(book, weather) + 0.1);
  for (const meaning of [book, schedule, weather]) expect(dot(meaning, meaning)).toBeCloseTo(1, 3);
  expect(dot(empty, empty)).toBe(0);
  await embedder.close();
});

test("more than can be answered in time is refused, and closing fails what waits", async () => {
  const embedder = await Embedder.start(new VirtualClock());
  const waiting = Array.from({ length: 100 }, () => embedder.embed(["hello"]));
  const settled = Promise.allSettled(waiting);
  await expect(embedder.embed(["one too many"])).rejects.toBeInstanceOf(EmbedderError);
  await embedder.close();
  const last = (await settled).at(-1);
  expect(last).toMatchObject({ status: "rejected", reason: { name: "EmbedderError" } });
  await expect(embedder.embed(["too late"])).rejects.toBeInstanceOf(EmbedderError);
});

test("a thread that dies fails what waits, stays away for half a minute, and is then started again", async () => {
  const clock = new VirtualClock();
  const embedder = await Embedder.start(clock, new URL("mortal-thread.ts", import.meta.url));
  await clock.advance(40_000);
  const failures = await Promise.allSettled([embedder.embed(["die"]), embedder.embed(["after it"])]);
  for (const failure of failures)
    expect(failure).toMatchObject({ status: "rejected", reason: { name: "EmbedderError" } });
  expect(await embedder.embed(["hello"])).toEqual([Float32Array.of(1)]);
  await expect(embedder.embed(["die"])).rejects.toMatchObject({ cause: { message: "died as asked" } });
  await expect(embedder.embed(["too soon"])).rejects.toBeInstanceOf(EmbedderError);
  await clock.advance(40_000);
  expect(await embedder.embed(["hello again"])).toEqual([Float32Array.of(1)]);
  await embedder.close();
});

test("a thread that cannot load fails the start", async () => {
  const missing = new URL("no-such-thread.ts", import.meta.url);
  await expect(Embedder.start(new VirtualClock(), missing)).rejects.toMatchObject({ code: "MODULE_NOT_FOUND" });
});
