import { expect, test } from "vitest";
import { deferred } from "../../src/kit/deferred.ts";

test("the first settling counts", async () => {
  const kept = deferred<number>();
  kept.resolve(1);
  kept.resolve(2);
  kept.reject(new Error("too late"));
  expect(await kept.promise).toBe(1);
  const failed = deferred<number>();
  failed.reject(new Error("first"));
  failed.resolve(1);
  await expect(failed.promise).rejects.toThrow("first");
});
