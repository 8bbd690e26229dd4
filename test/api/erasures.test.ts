import { afterEach, beforeEach, expect, test } from "vitest";
import { callEnd } from "../../src/model/call-end.ts";
import { ApiRig, OTHER_KEY, PHONE_DIAL } from "../kit/api-rig.ts";

let rig: ApiRig;
beforeEach(() => {
  rig = new ApiRig();
});
afterEach(() => rig.close());

const finished = async () => {
  const { dialId, dialToken } = await rig.dial();
  rig.sounds.set(`${dialId}/r1`, Buffer.from("RIFF"));
  await rig.finish(dialId, callEnd("agent_hangup", "agent"));
  return { dialId, dialToken };
};

test("a dial that is over is erased with its sound and its live stream, and can still be read", async () => {
  const { dialId } = await finished();
  const response = await rig.request("DELETE", `/api/dials/${dialId}`);
  expect([response.statusCode, response.json()]).toMatchObject([200, { id: dialId, transcript: [] }]);
  expect(rig.sounds.size).toBe(0);
  expect(rig.live.forgotten).toEqual([dialId]);
  const dial = (await rig.request("GET", `/api/dials/${dialId}`)).json<Record<string, unknown>>();
  expect(dial).toMatchObject({ status: "completed", inputs: {} });
  expect(dial["erasedAt"]).toBeDefined();
  expect(dial["toNumber"]).toBeUndefined();
  expect((await rig.request("DELETE", `/api/dials/${dialId}`)).statusCode).toBe(200);
});

test("a dial whose call goes on, a foreign one, and one that is not there are not erased", async () => {
  const { dialId, dialToken } = await rig.dial();
  const ask = async (id: string, key?: string) => {
    const response = await rig.request("DELETE", `/api/dials/${id}`, key === undefined ? {} : { key });
    return [response.statusCode, response.json<{ code: string }>().code];
  };
  expect(await ask(dialId)).toEqual([409, "dial_not_over"]);
  await rig.finish(dialId, callEnd("agent_hangup", "agent"));
  expect(await ask(dialId, OTHER_KEY)).toEqual([404, "dial_not_found"]);
  expect(await ask("unknown")).toEqual([404, "dial_not_found"]);
  expect(await ask(dialId, dialToken)).toEqual([403, "forbidden"]);
  expect(rig.memory.row(dialId).erasedAt).toBeUndefined();
});

test("where a part does not answer, it is said that the erasure follows", async () => {
  const { dialId } = await finished();
  rig.recorderAway = true;
  expect((await rig.request("DELETE", `/api/dials/${dialId}`)).statusCode).toBe(202);
  expect(rig.memory.row(dialId)).toMatchObject({ eraseCause: "dial" });
  expect(rig.log.join("\n")).not.toContain(PHONE_DIAL.toNumber);
});

test("everything of a number is erased, however it is written, and the list of erasures names nobody", async () => {
  const { dialId } = await finished();
  const open = await rig.dial();
  const response = await rig.request("POST", "/api/erasures", { body: { number: "+1 202 555 0123" } });
  expect([response.statusCode, response.json()]).toMatchObject([201, { cause: "number", dials: 2 }]);
  expect(rig.memory.row(dialId).erasedAt).toBeDefined();
  expect(rig.memory.row(open.dialId)).toMatchObject({ eraseCause: "number" });
  const list = await rig.request("GET", "/api/erasures");
  expect(list.json<{ data: unknown[] }>().data).toHaveLength(2);
  expect(list.body).not.toContain("5550123");
  expect((await rig.request("GET", "/api/erasures", { key: OTHER_KEY })).body).not.toContain(dialId);
});
