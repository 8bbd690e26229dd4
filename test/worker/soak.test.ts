import { expect, test } from "vitest";
import { soak } from "../bench/soak/soak.ts";

/** A call that is kept holds on to more than this. In ten thousand calls the slope is held to 512 bytes: `npm run bench -- soak`. */
const MOST_BYTES_A_CALL = 8000;

test("a worker that lives for hundreds of calls of every kind keeps nothing of them: no timer, no handle, no line, no memory", async () => {
  const soaked = await soak(240, 6, 160);
  expect(soaked.talked).toBe(120);
  expect(soaked).toMatchObject({ timersLeft: 0, heldLeft: 0 });
  expect(soaked.bytesPerCall).toBeLessThan(MOST_BYTES_A_CALL);
}, 120_000);
