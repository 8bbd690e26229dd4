import { afterAll, beforeAll, expect, test } from "vitest";
import { operationsOf, readDocument, type Located } from "../kit/api-document.ts";
import { ApiRig } from "../kit/api-rig.ts";
import { fillWorkspaces, idIn } from "../kit/full-workspace.ts";
import { kindsIn, pathWith } from "../kit/valid-requests.ts";

let rig: ApiRig;
let reads: readonly Located[];

beforeAll(async () => {
  rig = new ApiRig();
  await fillWorkspaces(rig.memory.store);
  rig.sounds.set(`${idIn("w1", "dials")}/${idIn("w1", "recordings")}`, Buffer.from("RIFF0123456789"));
  // What carriers ask by GET does something, and has no HEAD.
  reads = operationsOf(await readDocument(rig)).filter(
    ({ method, path }) => method === "GET" && !path.startsWith("/carriers/"),
  );
});
afterAll(() => rig.close());

test("HEAD answers wherever GET does: the same status and type, and no body", async () => {
  expect(reads.length).toBeGreaterThan(20);
  for (const { path, operation } of reads) {
    const url = path.startsWith("/api/")
      ? pathWith(
          path,
          kindsIn(path).map((kind) => idIn("w1", kind)),
        )
      : path;
    const head = await rig.request("HEAD", url);
    expect(head.body, path).toBe("");
    // The stream of a dial that goes on has no end to wait for.
    if (operation.operationId === "followDial") {
      expect([head.statusCode, head.headers["content-type"]]).toEqual([200, "text/event-stream"]);
      continue;
    }
    const got = await rig.request("GET", url);
    expect([head.statusCode, head.headers["content-type"]], path).toEqual([
      got.statusCode,
      got.headers["content-type"],
    ]);
    expect((await rig.request("HEAD", url, { key: "sk_nobody" })).statusCode, path).toBe(
      path.startsWith("/api/") ? 401 : got.statusCode,
    );
  }
});

test("what does something when a carrier asks for it by GET is not done by HEAD", async () => {
  expect((await rig.request("HEAD", "/carriers/loopback/inbound", { key: null })).statusCode).toBe(405);
  expect((await rig.request("HEAD", "/carriers/loopback/answer/x/y", { key: null })).statusCode).toBe(405);
});

test("HEAD of a dial that is not there opens no stream", async () => {
  expect((await rig.request("HEAD", "/api/dials/unknown/events")).statusCode).toBe(404);
});
