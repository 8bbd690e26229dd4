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
