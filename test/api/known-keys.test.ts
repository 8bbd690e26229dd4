import { expect, test } from "vitest";
import { KEY_KNOWN_MS, KnownKeys } from "../../src/api/known-keys.ts";
import { deferred, type Deferred } from "../../src/kit/deferred.ts";
import type { KnownKey } from "../../src/ports/store.ts";
import { ApiRig, OTHER_KEY } from "../kit/api-rig.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

const key: KnownKey = { id: "k1", workspaceId: "w1", kind: "secret" };

const rigOf = (answer: (sha256: string) => Promise<KnownKey | undefined>) => {
  const clock = new VirtualClock();
  const asked: string[] = [];
  const catalogue = {
    findApiKey: (sha256: string) => {
      asked.push(sha256);
      return answer(sha256);
    },
  };
  return { clock, asked, keys: new KnownKeys(catalogue, clock) };
};

test("a key is looked up once, and again when it has been known for five seconds", async () => {
  const { clock, asked, keys } = rigOf(async () => key);
  for (let count = 0; count < 3; count++) expect(await keys.find("h")).toBe(key);
  expect(asked).toHaveLength(1);
  await clock.advance(KEY_KNOWN_MS - 1);
  await keys.find("h");
  expect(asked).toHaveLength(1);
  await clock.advance(1);
  await keys.find("h");
  expect(asked).toHaveLength(2);
});

test("what is unknown is asked for every time, so that a new key works at once", async () => {
  const answers = [undefined, key];
  const { keys } = rigOf(async () => answers.shift());
  expect(await keys.find("h")).toBeUndefined();
  expect(await keys.find("h")).toBe(key);
});

test("a revoked key is unknown at once, also to a look-up that was under way", async () => {
  const answers: Deferred<KnownKey | undefined>[] = [];
  const { keys, asked } = rigOf(() => {
    const answer = deferred<KnownKey | undefined>();
    answers.push(answer);
    return answer.promise;
  });
  const first = keys.find("h");
  keys.forget("k1");
  answers[0]?.resolve(key);
  expect(await first).toBe(key);
  const second = keys.find("h");
  expect(asked).toHaveLength(2);
  answers[1]?.resolve(key);
  await second;
  keys.forget("k1");
  const third = keys.find("h");
  answers[2]?.resolve(undefined);
  expect(await third).toBeUndefined();
});

test("no more than a thousand keys are remembered", async () => {
  const { keys, asked } = rigOf(async (sha256) => ({ ...key, id: sha256 }));
  for (let count = 0; count <= 1000; count++) await keys.find(`h${count}`);
  await keys.find("h1000");
  await keys.find("h1");
  expect(asked).toHaveLength(1001);
  await keys.find("h0");
  expect(asked).toHaveLength(1002);
});

test("a key that was revoked over the API is refused by the next request", async () => {
  const rig = new ApiRig();
  const made = await rig.request("POST", "/api/api_keys", { body: { name: "new", type: "secret" } });
  const { id, key: secret } = made.json<{ id: string; key: string }>();
  expect((await rig.request("GET", "/api/agents", { key: secret })).statusCode).toBe(200);
  expect((await rig.request("DELETE", `/api/api_keys/${id}`, { key: OTHER_KEY })).statusCode).toBe(404);
  expect((await rig.request("GET", "/api/agents", { key: secret })).statusCode).toBe(200);
  expect((await rig.request("DELETE", `/api/api_keys/${id}`)).statusCode).toBe(200);
  expect((await rig.request("GET", "/api/agents", { key: secret })).statusCode).toBe(401);
  await rig.close();
});
