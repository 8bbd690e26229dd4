import { expect, test } from "vitest";
import { heapInUse } from "../../../kit/garbage.ts";
import { GOLDEN_FRAMES } from "./golden-frames.ts";
import { flood } from "./mutated-frames.ts";

const FRAMES = 20_000;

test.each(GOLDEN_FRAMES)("$name: 20,000 mutated frames crash nothing and leave nothing behind", async (golden) => {
  // The first lines load what all of them share.
  flood(golden, 500, 1);
  const before = await heapInUse();
  // Fifty malformed messages end a line, and a whole `stop` may.
  expect(flood(golden, FRAMES, 2)).toBeGreaterThan(1);
  expect((await heapInUse()) - before).toBeLessThan(4 * 1024 * 1024);
});
