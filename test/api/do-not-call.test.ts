import { expect, test } from "vitest";
import { OTHER_KEY, PHONE_DIAL } from "../kit/api-rig.ts";
import { openApiRigs } from "../kit/api-rigs.ts";

const start = openApiRigs();
const LIST = "/api/do_not_call";
const NUMBER = "+12025550123";

test("a number is listed, found, answered again as it stands, and taken off", async () => {
  const rig = start();
  const added = await rig.request("POST", LIST, { body: { number: " +1 (202) 555-0123", reason: "by letter" } });
  expect(added.statusCode).toBe(201);
  const entry = added.json<{ id: string; createdAt: string }>();
  expect(entry).toEqual({ id: entry.id, number: NUMBER, reason: "by letter", createdAt: entry.createdAt });
  const again = await rig.request("POST", LIST, { body: { number: NUMBER } });
  expect(again.statusCode).toBe(200);
  expect(again.json()).toEqual(entry);
  expect((await rig.request("GET", LIST)).json()).toEqual({ data: [entry], cursor: null });
  expect((await rig.request("GET", `${LIST}?number=%2B1-202-555-0123`)).json()).toEqual({
    data: [entry],
    cursor: null,
  });
  expect((await rig.request("GET", `${LIST}?number=%2B12025550124`)).json()).toEqual({ data: [], cursor: null });
  expect((await rig.request("DELETE", `${LIST}/${entry.id}`)).json()).toEqual(entry);
  const gone = await rig.request("DELETE", `${LIST}/${entry.id}`);
  expect(gone.statusCode).toBe(404);
  expect(gone.json()).toMatchObject({ code: "do_not_call_entry_not_found" });
});

test("asking for what is no number is refused, and not answered as if the number were not listed", async () => {
  const rig = start();
  await rig.request("POST", LIST, { body: { number: NUMBER } });
  // A plus sign that is not encoded arrives as a space.
  for (const number of [NUMBER, "12025550123", "nobody", ""]) {
    const answer = await rig.request("GET", `${LIST}?number=${number}`);
    expect(answer.statusCode, number).toBe(422);
    expect(answer.json()).toMatchObject({ code: "invalid_number", errors: [{ path: "/number" }] });
  }
});

test("dials to a number that is listed are refused, those of other workspaces are not", async () => {
  const rig = start();
  await rig.request("POST", LIST, { key: OTHER_KEY, body: { number: NUMBER } });
  expect((await rig.dial({ toNumber: NUMBER })).dialId).not.toBe("");
  await rig.request("POST", LIST, { body: { number: NUMBER } });
  const refused = await rig.request("POST", "/api/dials", { body: { ...PHONE_DIAL, toNumber: NUMBER } });
  expect(refused.statusCode).toBe(422);
  expect(refused.json()).toMatchObject({ code: "do_not_call", errors: [{ path: "/toNumber" }] });
});

test.each(["0123", "+49", "+1202555012x", "+１２０２５５５０１２３", "", "+1202555012345678"])(
  "%j is no number to list",
  async (number) => {
    const response = await start().request("POST", LIST, { body: { number } });
    expect(response.statusCode).toBe(422);
    expect(response.json()).toMatchObject({ errors: [{ path: "/number" }] });
  },
);
