import { afterAll, beforeAll, expect, test } from "vitest";
import { writeWav } from "../../src/audio/wav.ts";
import { hashOf } from "../../src/catalogue/api-key.ts";
import type { Audio, AudioSound } from "../../src/model/uploaded-audio.ts";
import { NotConverted } from "../../src/ports/sound-converter.ts";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import { SystemRandom } from "../../src/adapters/random/system.ts";
import { openPostgresStore } from "../../src/adapters/store/postgres/store.ts";
import type { Store } from "../../src/ports/store.ts";
import { ApiRig, KEY, OTHER_KEY } from "../kit/api-rig.ts";
import { createTestDatabase } from "../kit/postgres.ts";

const releasers: (() => Promise<void>)[] = [];
let store: Store;
let rig: ApiRig;

beforeAll(async () => {
  const database = await createTestDatabase();
  releasers.push(() => database.close());
  const random = new SystemRandom();
  store = await openPostgresStore({ url: database.url, clock: new SystemClock(), random });
  releasers.push(() => store.close());
  for (const [workspaceId, key] of [
    ["w1", KEY],
    ["w2", OTHER_KEY],
  ] as const)
    await store.catalogue.putApiKey({ workspaceId, sha256: hashOf(key), kind: "secret", label: "test" });
  rig = new ApiRig({ store, random });
  releasers.push(() => rig.close());
}, 60_000);

afterAll(async () => {
  for (const release of releasers.toReversed()) await release();
});

const tone = (ms: number, sampleRate = 8000): Int16Array =>
  Int16Array.from({ length: (ms * sampleRate) / 1000 }, (_, at) => Math.round(8000 * Math.sin(at / 3)));

const upload = (
  body: Uint8Array,
  { type = "audio/wav", query = "?name=Office", key = KEY, coding = "identity" } = {},
) =>
  rig.app.inject({
    method: "POST",
    url: `/api/audio${query}`,
    headers: {
      authorization: `Bearer ${key}`,
      ...(type === "" ? {} : { "content-type": type }),
      "content-encoding": coding,
    },
    payload: Buffer.from(body),
  });

test("a sound that was uploaded is listed, read as it was, and deleted, by its own workspace alone", async () => {
  const samples = tone(1500);
  const created = await upload(writeWav({ samples, sampleRate: 8000 }));
  expect(created.statusCode, created.body).toBe(201);
  const audio = created.json<Audio>();
  expect(audio).toEqual({
    id: expect.any(String) as string,
    name: "Office",
    durationMs: 1500,
    sampleRate: 8000,
    createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) as string,
  });
  expect(await store.catalogue.readAudio("w1", audio.id)).toEqual({ samples, sampleRate: 8000 });
  expect(await store.catalogue.readAudio("w2", audio.id)).toBeUndefined();
  for (const id of ["", "a\0b", "unknown"]) expect(await store.catalogue.readAudio("w1", id)).toBeUndefined();
  expect((await rig.request("GET", "/api/audio")).json()).toEqual({ data: [audio], cursor: null });
  expect((await rig.request("GET", "/api/audio", { key: OTHER_KEY })).json()).toEqual({ data: [], cursor: null });
  expect((await rig.request("DELETE", `/api/audio/${audio.id}`, { key: OTHER_KEY })).statusCode).toBe(404);
  expect((await rig.request("DELETE", `/api/audio/${audio.id}`)).json()).toEqual(audio);
  expect((await rig.request("DELETE", `/api/audio/${audio.id}`)).json()).toMatchObject({ code: "audio_not_found" });
  expect((await rig.request("GET", "/api/audio")).json()).toEqual({ data: [], cursor: null });
});

test("what is no sound is refused as what it is", async () => {
  const wav = writeWav({ samples: tone(100), sampleRate: 8000 });
  const code = async (answer: ReturnType<typeof upload>) => {
    const { statusCode, headers, body } = await answer;
    expect(headers["content-type"], body).toBe("application/problem+json");
    return `${statusCode} ${(JSON.parse(body) as { code: string }).code}`;
  };
  expect(await code(upload(wav, { type: "application/json" }))).toBe("415 unsupported_media_type");
  expect(await code(upload(wav, { type: "image/png" }))).toBe("415 unsupported_media_type");
  expect(await code(upload(wav, { type: "" }))).toBe("415 unsupported_media_type");
  expect(await code(upload(new Uint8Array(), { type: "" }))).toBe("422 invalid_audio");
  expect(await code(upload(wav, { coding: "gzip" }))).toBe("415 unsupported_media_type");
  expect(await code(upload(new Uint8Array(5 * 1024 * 1024 + 1)))).toBe("413 payload_too_large");
  expect(await code(upload(new Uint8Array()))).toBe("422 invalid_audio");
  expect(await code(upload(Buffer.from("this is no sound at all")))).toBe("422 invalid_audio");
  expect(await code(upload(writeWav({ samples: new Int16Array(), sampleRate: 8000 })))).toBe("422 invalid_audio");
  expect(await code(upload(writeWav({ samples: tone(121_000, 1000), sampleRate: 1000 })))).toBe("422 invalid_audio");
  expect(await code(upload(writeWav({ samples: tone(10), sampleRate: 96_000 })))).toBe("422 invalid_audio");
  expect(await code(upload(wav, { query: "" }))).toBe("422 validation_failed");
  expect(await code(upload(wav, { query: "?name=" }))).toBe("422 validation_failed");
  expect(await code(upload(wav, { query: `?name=${"x".repeat(201)}` }))).toBe("422 validation_failed");
  expect(await code(upload(wav, { query: "?name=%00" }))).toBe("422 validation_failed");
  expect(await code(upload(wav, { key: "sk_nobody" }))).toBe("401 unauthorized");
  expect((await rig.request("GET", "/api/audio")).json()).toEqual({ data: [], cursor: null });
});

test("other sounds than WAV are handed to the converter, whatever type they are sent as", async () => {
  const asked: unknown[] = [];
  let answer: () => AudioSound = () => ({ samples: tone(500), sampleRate: 8000 });
  const sounds = {
    convert: async (file: Uint8Array, format: string, mostSeconds: number) => {
      asked.push([file.length, format, mostSeconds]);
      return answer();
    },
  };
  const own = new ApiRig({ store, sounds });
  releasers.push(() => own.close());
  const send = async (type: string) => {
    const headers = { authorization: `Bearer ${KEY}`, "content-type": type };
    const payload = Buffer.from("ID3 and so on");
    return own.app.inject({ method: "POST", url: "/api/audio?name=Music", headers, payload });
  };
  const created = await send("audio/mpeg");
  expect([created.statusCode, created.json()]).toEqual([201, expect.objectContaining({ durationMs: 500 })]);
  expect((await send("audio/wav")).statusCode).toBe(201);
  expect(asked).toEqual([
    [13, "mp3", 120],
    [13, "mp3", 120],
  ]);
  answer = () => ({ samples: new Int16Array(121 * 8000), sampleRate: 8000 });
  expect((await send("audio/mpeg")).json()).toMatchObject({ code: "invalid_audio" });
  const refusals = { missing: 415, busy: 503, unreadable: 422 } as const;
  for (const why of ["missing", "busy", "unreadable"] as const) {
    answer = () => {
      throw new NotConverted(why, "for a reason");
    };
    const { statusCode, headers, body } = await send("audio/mpeg");
    expect([statusCode, headers["content-type"]], body).toEqual([refusals[why], "application/problem+json"]);
    expect(headers["retry-after"] !== undefined).toBe(why === "busy");
    expect(body.includes("apt-get install ffmpeg")).toBe(why === "missing");
  }
  for (const { id } of (await own.request("GET", "/api/audio")).json<{ data: Audio[] }>().data)
    await own.request("DELETE", `/api/audio/${id}`);
});

test("a workspace has fifty sounds at most, also when they come at once", async () => {
  const wav = writeWav({ samples: tone(10), sampleRate: 8000 });
  const answers: Awaited<ReturnType<typeof upload>>[] = [];
  // As many at once as the store has connections to spare.
  for (let round = 0; round < 7; round++)
    answers.push(...(await Promise.all(Array.from({ length: 8 }, () => upload(wav, { key: OTHER_KEY })))));
  const statuses = answers.map(({ statusCode }) => statusCode);
  expect(statuses.filter((status) => status === 201)).toHaveLength(50);
  expect(statuses.filter((status) => status === 409)).toHaveLength(6);
  expect(answers.find(({ statusCode }) => statusCode === 409)?.json()).toMatchObject({ code: "audio_limit_reached" });
  const { data, cursor } = (await rig.request("GET", "/api/audio?limit=20", { key: OTHER_KEY })).json<{
    data: readonly Audio[];
    cursor: string;
  }>();
  expect(data).toHaveLength(20);
  expect((await rig.request("GET", `/api/audio?limit=40&cursor=${cursor}`, { key: OTHER_KEY })).json()).toMatchObject({
    cursor: null,
  });
  expect((await upload(wav)).statusCode).toBe(201);
});
