import { expect, test } from "vitest";
import { measureAdapter, percentile } from "../bench/vendors/transcriber-delay.ts";

test("a vendor's adapter adds less than a millisecond to nearly every frame and every text", async () => {
  const { there, back } = await measureAdapter(4, 60);
  expect(there).toHaveLength(240);
  expect(back.length).toBeGreaterThan(200);
  // The 99th percentile is some 0.1 ms; a test that runs beside others leaves it to the bench.
  for (const figures of [there, back]) expect(percentile(figures, 0.9)).toBeLessThan(1);
});
