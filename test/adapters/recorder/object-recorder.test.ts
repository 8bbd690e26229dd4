import { mkdtemp, readdir, rm, writeFile, mkdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import { SystemRandom } from "../../../src/adapters/random/system.ts";
import { DiskRecorder } from "../../../src/adapters/recorder/disk-recorder.ts";
import { ObjectRecorder } from "../../../src/adapters/recorder/object-recorder.ts";
import { ObjectStore } from "../../../src/adapters/recorder/object-store.ts";
import { SecretString } from "../../../src/kit/secret-string.ts";
import type { Clock } from "../../../src/ports/clock.ts";
import { recorderContract } from "../../contract/recorder.contract.ts";
import { ObjectStoreServer, signatureOf, STORE_KEYS } from "../../kit/object-store-server.ts";
import { silentLogger } from "../../kit/silent-logger.ts";
import { tone } from "../../kit/tones.ts";

let root: string;
let server: ObjectStoreServer;
const recorders: ObjectRecorder[] = [];
/** What the dials of a test are. */
let standing: { over: boolean; erased: boolean } | undefined;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "objects-"));
});
afterAll(async () => {
  await rm(root, { recursive: true });
});
beforeEach(async () => {
  server = await ObjectStoreServer.start();
  standing = { over: true, erased: false };
});
afterEach(async () => {
  await Promise.all(recorders.splice(0).map((recorder) => recorder.close()));
  await server.close();
});

/** Real time, but that no pause before another attempt is longer than a few milliseconds. */
const hasty = (): Clock => {
  const clock = new SystemClock();
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    setTimer: (ms, callback) => clock.setTimer(ms > 10_000 ? ms : Math.min(ms, 5), callback),
  };
};

const storeOf = (changes: Partial<ObjectStoreServer["settings"]> = {}) => {
  const settings = { ...server.settings, ...changes };
  const secretAccessKey = new SecretString(settings.secretAccessKey);
  return new ObjectStore({ ...settings, secretAccessKey }, { clock: hasty(), random: new SystemRandom() });
};

const recorderIn = (folder: string, more: Partial<{ store: ObjectStore; redirects: boolean }> = {}): ObjectRecorder => {
  const logger = silentLogger();
  const recorder = new ObjectRecorder({
    spool: new DiskRecorder({ folder, logger }),
    store: more.store ?? storeOf(),
    redirects: more.redirects ?? false,
    standingOf: async () => standing,
    logger,
  });
  recorders.push(recorder);
  return recorder;
};

const newFolder = () => mkdtemp(join(root, "spool-"));

/** The same suite as for the disk. What is read lies there, in the store, or goes from one to the other meanwhile. */
recorderContract(async () => recorderIn(await newFolder()));

const KEY = "recordings/dial/r.wav";

const record = async (recorder: ObjectRecorder, ms = 500) => {
  const stream = await recorder.open({ dialId: "dial", recordingId: "r", sampleRate: 8000 });
  stream.write("caller", tone(500, ms, 8000), 0);
  await stream.close();
};

const bytesOf = async (recorder: ObjectRecorder, range?: Readonly<{ start: number; end: number }>) => {
  const sound = await recorder.read("dial", "r");
  const chunks: Buffer[] = [];
  for await (const chunk of (await sound?.stream(range)) ?? []) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
};

/** A file that a process left behind, of so many bytes. */
const leave = async (folder: string, bytes: number): Promise<Buffer> => {
  const file = Buffer.alloc(bytes, "sound of a call ");
  await mkdir(join(folder, "dial"), { recursive: true });
  await writeFile(join(folder, "dial", "r.wav"), file);
  return file;
};

test("signatures are checked as Amazon documents them", () => {
  // The examples of the S3 documentation: a range of an object, and an address that is signed for a day.
  const secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
  const scope = "20130524/us-east-1/s3/aws4_request";
  const time = "20130524T000000Z";
  const host = "examplebucket.s3.amazonaws.com";
  const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  const headers = { host, range: "bytes=0-9", "x-amz-content-sha256": empty, "x-amz-date": time };
  const names = ["host", "range", "x-amz-content-sha256", "x-amz-date"];
  expect(
    signatureOf({ method: "GET", target: "/test.txt", headers }, { secret, scope, time, names, payload: empty }),
  ).toBe("f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
  const target =
    "/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request" +
    `&X-Amz-Date=${time}&X-Amz-Expires=86400&X-Amz-SignedHeaders=host`;
  expect(
    signatureOf(
      { method: "GET", target, headers: { host } },
      { secret, scope, time, names: ["host"], payload: "UNSIGNED-PAYLOAD" },
    ),
  ).toBe("aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404");
});

test("a recording goes up when it is whole, leaves the disk, and is read from there, whole and in parts", async () => {
  const folder = await newFolder();
  const recorder = recorderIn(folder);
  const stream = await recorder.open({ dialId: "dial", recordingId: "r", sampleRate: 8000 });
  for (let second = 0; second < 4; second++) stream.write("caller", tone(500, 1000, 8000), second * 1000);
  // While the call goes on the sound is here, and grows.
  await expect.poll(async () => (await recorder.read("dial", "r"))?.bytes).toBeGreaterThan(44);
  expect((await recorder.read("dial", "r"))?.address).toBeUndefined();
  await stream.close();
  await expect.poll(() => readdir(folder)).toEqual([]);
  const whole = server.objects.get(KEY) ?? Buffer.alloc(0);
  expect(whole).toHaveLength(44 + 4 * 32_000);
  expect(await bytesOf(recorder)).toEqual(whole);
  expect(await bytesOf(recorder, { start: 40, end: 59 })).toEqual(whole.subarray(40, 60));
});

test("an address leads to the sound without a key, for five minutes, and no other address does", async () => {
  const recorder = recorderIn(await newFolder(), { redirects: true });
  await record(recorder);
  await expect.poll(() => server.objects.size).toBe(1);
  await recorder.tend();
  const { address = "" } = (await recorder.read("dial", "r")) ?? {};
  expect(new URL(address).searchParams.get("X-Amz-Expires")).toBe("300");
  const response = await fetch(address);
  expect(Buffer.from(await response.arrayBuffer())).toEqual(server.objects.get(KEY));
  for (const wrong of [
    address.slice(0, -1),
    address.replace("Expires=300", "Expires=301"),
    address.replace("r.wav", "s.wav"),
  ])
    expect((await fetch(wrong)).status).toBe(403);
  expect((await fetch(address.split("?")[0] ?? "")).status).toBe(403);
});

test("a store that fails, or breaks connections, gets the recording all the same", async () => {
  server.failing = 2;
  server.breaking = 1;
  await record(recorderIn(await newFolder()));
  await expect.poll(() => server.objects.has(KEY)).toBe(true);
});

test("a store that is away keeps recordings on the disk, where they are read, until it is back", async () => {
  const folder = await newFolder();
  const recorder = recorderIn(folder);
  server.lastBeforeOutage = 0;
  await record(recorder);
  await recorder.tend();
  expect(await readdir(join(folder, "dial"))).toEqual(["r.wav"]);
  expect(await bytesOf(recorder)).toHaveLength(44 + 16_000);
  server.lastBeforeOutage = Number.POSITIVE_INFINITY;
  await recorder.tend();
  expect(await readdir(folder)).toEqual([]);
  expect(server.objects.get(KEY)).toHaveLength(44 + 16_000);
});

test("a large file goes up in parts, and another process goes on where one has died", async () => {
  const folder = await newFolder();
  const file = await leave(folder, 20_000_000);
  // The beginning and one part, and then nothing more.
  server.lastBeforeOutage = 2;
  await recorderIn(folder).tend();
  expect(server.objects.size).toBe(0);
  expect(JSON.parse(await readFile(join(folder, "dial", "r.wav.upload"), "utf8"))).toMatchObject({
    uploadId: "upload-1",
  });
  server.lastBeforeOutage = Number.POSITIVE_INFINITY;
  await recorderIn(folder).tend();
  expect(server.objects.get(KEY)?.equals(file)).toBe(true);
  expect(server.requests).toEqual([
    "POST uploads",
    "PUT partNumber uploadId",
    "PUT partNumber uploadId",
    "PUT partNumber uploadId",
    "POST uploadId",
    "HEAD",
  ]);
  expect(await readdir(folder)).toEqual([]);
});

test("an upload that the store has forgotten begins anew", async () => {
  const folder = await newFolder();
  const file = await leave(folder, 9_000_000);
  server.lastBeforeOutage = 2;
  await recorderIn(folder).tend();
  server.lastBeforeOutage = Number.POSITIVE_INFINITY;
  server.uploads.clear();
  const recorder = recorderIn(folder);
  await recorder.tend();
  await recorder.tend();
  expect(server.objects.get(KEY)?.equals(file)).toBe(true);
});

test("calls that go on are left alone, and what belongs to an erased dial goes nowhere", async () => {
  const folder = await newFolder();
  await leave(folder, 1000);
  const recorder = recorderIn(folder);
  standing = { over: false, erased: false };
  await recorder.tend();
  standing = undefined;
  await recorder.tend();
  expect([server.objects.size, await readdir(folder)]).toEqual([0, ["dial"]]);
  standing = { over: true, erased: true };
  await recorder.tend();
  expect([server.objects.size, await readdir(folder)]).toEqual([0, []]);
});

test("what goes up while its dial is erased does not stay", async () => {
  const folder = await newFolder();
  standing = { over: true, erased: true };
  await record(recorderIn(folder));
  await expect.poll(() => readdir(folder)).toEqual([]);
  expect(server.requests).toContain("DELETE");
  expect(server.objects.size).toBe(0);
});

test("a dial is erased here and in the store, and no other dial with it", async () => {
  const folder = await newFolder();
  await leave(folder, 1000);
  for (const key of ["dial/a.wav", "dial/b.ogg", "dial2/a.wav"])
    server.objects.set(`recordings/${key}`, Buffer.from("x"));
  const recorder = recorderIn(folder);
  await recorder.remove("dial");
  await recorder.remove("../dial2");
  expect([...server.objects.keys()]).toEqual(["recordings/dial2/a.wav"]);
  expect(await readdir(folder)).toEqual([]);
});

test("wrong keys are refused at once, and the error names neither them nor the place", async () => {
  const folder = await newFolder();
  const error = await storeOf({ secretAccessKey: "another" })
    .put("recordings/x/y.wav", new Uint8Array(1), "audio/wav")
    .catch((thrown: unknown) => thrown);
  expect(String(error)).toContain("answered 403");
  expect(String(error)).not.toContain(STORE_KEYS.accessKeyId);
  expect(server.objects.size).toBe(0);
  expect(await recorderIn(folder).read("..", "x")).toBeUndefined();
});

test("what goes up between the question and the reading is read all the same", async () => {
  const folder = await newFolder();
  const file = await leave(folder, 1000);
  const recorder = recorderIn(folder);
  const sound = await recorder.read("dial", "r");
  await recorder.tend();
  expect(await readdir(folder)).toEqual([]);
  const chunks: Buffer[] = [];
  for await (const chunk of (await sound?.stream({ start: 10, end: 99 })) ?? [])
    chunks.push(Buffer.from(chunk as Uint8Array));
  expect(Buffer.concat(chunks)).toEqual(file.subarray(10, 100));
});
