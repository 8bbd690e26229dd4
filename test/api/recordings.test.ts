import * as fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseRange } from "../../src/api/range.ts";
import { runs } from "../kit/runs.ts";
import { ApiRig, OTHER_KEY } from "../kit/api-rig.ts";
import { SeededRandom } from "../kit/seeded-random.ts";

const GUESSES = runs(2000, 10_000);

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

test("HEAD tells what GET would, without reading the sound, and knows no ranges", async () => {
  const head = await rig.request("HEAD", url, { headers: { range: "bytes=99-" } });
  expect([head.statusCode, head.body]).toEqual([200, ""]);
  expect(head.headers).toMatchObject({ "content-type": "audio/wav", "content-length": "14", "accept-ranges": "bytes" });
  expect((await rig.request("HEAD", `${url}x`)).statusCode).toBe(404);
  expect((await rig.request("HEAD", url, { key: OTHER_KEY })).statusCode).toBe(404);
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

test("a recording that lies elsewhere is answered by where it lies, to those who may hear it only", async () => {
  rig.soundAddress = "https://s3.example.com/calls/r1.wav?X-Amz-Signature=abc";
  const response = await rig.request("GET", url);
  expect([response.statusCode, response.headers.location]).toEqual([302, rig.soundAddress]);
  expect(response.headers["cache-control"]).toBe("no-store");
  expect((await rig.request("GET", url, { key: OTHER_KEY })).statusCode).toBe(404);
  expect(rig.log.join()).not.toContain("X-Amz-Signature");
});

test("a recording of a call that goes on grows from one request to the next", async () => {
  const { dialId } = await rig.dial({ toNumber: "+12025550124" });
  const row = { id: "r1", channels: 2, durationMs: 0, startedAt: "2026-01-05T09:00:00.000Z", incomplete: true };
  await rig.memory.store.dials.saveRecording(dialId, row);
  const own = `/api/dials/${dialId}/recordings/r1`;
  rig.sounds.set(`${dialId}/r1`, SOUND.subarray(0, 6));
  expect((await rig.request("GET", own)).rawPayload).toEqual(SOUND.subarray(0, 6));
  const range = { range: "bytes=6-" };
  expect((await rig.request("GET", own, { headers: range })).statusCode).toBe(416);
  rig.sounds.set(`${dialId}/r1`, SOUND);
  const more = await rig.request("GET", own, { headers: range });
  expect([more.statusCode, more.body, more.headers["content-range"]]).toEqual([206, "23456789", "bytes 6-13/14"]);
});

test("a call that goes on is told to pause its recording; others are not", async () => {
  const { dialId } = await rig.dial();
  const ask = (action: string, key?: string) =>
    rig.request("POST", `/api/dials/${dialId}/recording`, { body: { action }, ...(key === undefined ? {} : { key }) });
  expect((await ask("pause")).json()).toMatchObject({ status: 409, code: "call_not_live" });
  await rig.memory.store.dials.claim(dialId, "worker");
  await rig.memory.store.dials.advance(dialId, "IN_PROGRESS");
  expect((await ask("pause", OTHER_KEY)).statusCode).toBe(404);
  expect((await ask("stop")).statusCode).toBe(422);
  expect(rig.live.commands).toEqual([]);
  const response = await ask("pause");
  expect([response.statusCode, response.json<{ id: string }>().id]).toEqual([202, dialId]);
  expect(rig.live.commands).toEqual([{ dialId, command: { type: "recording", action: "pause" } }]);
  rig.live.listening = false;
  expect((await ask("resume")).json()).toMatchObject({ status: 409, code: "call_not_live" });
});

test(`${GUESSES} guesses at keys and tokens open nothing`, async () => {
  const { dialId, dialToken } = await rig.dial();
  const own = `/api/dials/${dialId}/recordings/r1`;
  rig.sounds.set(`${dialId}/r1`, SOUND);
  const startedAt = "2026-01-05T09:00:00.000Z";
  await rig.memory.store.dials.saveRecording(dialId, { id: "r1", channels: 2, durationMs: 1000, startedAt });
  expect((await rig.request("GET", own, { key: dialToken })).statusCode).toBe(200);
  // Of another dial, of another workspace, cut short, and with one character changed.
  expect((await rig.request("GET", url, { key: dialToken })).statusCode).toBe(403);
  expect((await rig.request("GET", own, { key: OTHER_KEY })).statusCode).toBe(404);
  const random = new SeededRandom(3);
  const refused = new Set<number>();
  for (let count = 0; count < GUESSES; count++) {
    const at = Math.floor(random.fraction() * dialToken.length);
    const changed = dialToken.slice(0, at) + (dialToken[at] === "A" ? "B" : "A") + dialToken.slice(at + 1);
    const guess = [random.secret(32), dialToken.slice(0, at), changed, `sk_live_${random.secret(32)}`][count % 4];
    // The last character of a signature has bits that mean nothing.
    if (guess === undefined || (guess === changed && at === dialToken.length - 1)) continue;
    const response = await rig.request("GET", own, { key: guess });
    refused.add(response.statusCode);
    expect(response.rawPayload.includes("RIFF")).toBe(false);
  }
  expect([...refused]).toEqual([401]);
}, 300_000);

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
