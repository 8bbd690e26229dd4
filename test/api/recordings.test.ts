import * as fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseRange } from "../../src/api/range.ts";
import { ApiRig, OTHER_KEY } from "../kit/api-rig.ts";

const SOUND = Buffer.from("RIFF0123456789");
let rig: ApiRig;
let url: string;
beforeEach(async () => {
  rig = new ApiRig();
  const { dialId } = await rig.dial();
  url = `/api/dials/${dialId}/recordings/r1`;
  rig.sounds.set(`${dialId}/r1`, SOUND);
  await rig.memory.store.dials.saveRecording(dialId, {
    id: "r1",
    channels: 2,
    durationMs: 1000,
    startedAt: "2026-01-05T09:00:00.000Z",
  });
});
afterEach(() => rig.close());

test("a recording is given whole, with its length and type", async () => {
  const response = await rig.request("GET", url);
  expect(response.statusCode).toBe(200);
  expect(response.rawPayload).toEqual(SOUND);
  expect(response.headers).toMatchObject({
    "content-type": "audio/wav",
    "content-length": "14",
    "accept-ranges": "bytes",
    "cache-control": "no-store",
  });
});

test.each([
  ["bytes=0-3", "RIFF", "bytes 0-3/14"],
  ["bytes=4-", "0123456789", "bytes 4-13/14"],
  ["bytes=-3", "789", "bytes 11-13/14"],
  ["bytes=10-999", "6789", "bytes 10-13/14"],
  ["bytes=-999", "RIFF0123456789", "bytes 0-13/14"],
])("%s gives that part", async (range, part, contentRange) => {
  const response = await rig.request("GET", url, { headers: { range } });
  expect([response.statusCode, response.body, response.headers["content-range"]]).toEqual([206, part, contentRange]);
  expect(response.headers["content-length"]).toBe(String(part.length));
});

test("a range beyond the end is a problem that tells the length", async () => {
  const response = await rig.request("GET", url, { headers: { range: "bytes=14-" } });
  expect(response.headers["content-range"]).toBe("bytes */14");
  expect(response.headers["content-type"]).toBe("application/problem+json");
  expect(response.json()).toMatchObject({ status: 416, code: "range_not_satisfiable" });
});

test("ranges that are not understood mean the whole file", async () => {
  for (const range of ["bytes=0-1,3-4", "lines=0-1", "bytes=5-2", "bytes=-", "nonsense"])
    expect((await rig.request("GET", url, { headers: { range } })).statusCode).toBe(200);
});

test("an unknown recording, a foreign one, and one without a file are not there", async () => {
  const code = async (path: string, key?: string) =>
    (await rig.request("GET", path, key === undefined ? {} : { key })).json<{ code: string }>().code;
  expect(await code(`${url}x`)).toBe("recording_not_found");
  expect(await code(url, OTHER_KEY)).toBe("dial_not_found");
  rig.sounds.clear();
  expect(await code(url)).toBe("recording_not_found");
});

test("every range lies inside its file", () => {
  const number = fc.oneof(fc.constant(""), fc.nat(30).map(String), fc.nat().map(String));
  fc.assert(
    fc.property(fc.nat(20), number, number, (bytes, first, last) => {
      const range = parseRange(`bytes=${first}-${last}`, bytes);
      if (range === undefined || range === "unsatisfiable") return;
      expect(range.start).toBeGreaterThanOrEqual(0);
      expect(range.end).toBeGreaterThanOrEqual(range.start);
      expect(range.end).toBeLessThan(bytes);
    }),
    { numRuns: 1000 },
  );
});
