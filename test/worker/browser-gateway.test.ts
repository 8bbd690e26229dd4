import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import type { WebSocket } from "ws";
import { afterEach, beforeEach, expect, test } from "vitest";
import { BrowserRig, DIAL, Visitor } from "../kit/browser-rig.ts";

let rig: BrowserRig;
beforeEach(async () => {
  rig = new BrowserRig();
  await rig.start();
});
afterEach(() => rig.close());

const refusal = async (socket: WebSocket): Promise<number | undefined> => {
  const [, response] = (await once(socket, "unexpected-response")) as [unknown, IncomingMessage];
  socket.on("error", () => undefined);
  socket.terminate();
  return response.statusCode;
};

/** What a page that brings this token is told, and how its socket closes. */
const turnedAway = async (token: string, path?: string) => {
  const visitor = new Visitor(rig.open(path));
  await once(visitor.socket, "open");
  visitor.say({ type: "auth", token });
  const { code } = await visitor.heard("error");
  return [code, await visitor.closed];
};

test("a token lets its holder in as the first message or as a subprotocol, once", async () => {
  const first = rig.mint();
  const visitor = await rig.visit(first);
  expect(await visitor.heard("ready")).toEqual({ type: "ready", dialId: DIAL, resumed: false });
  visitor.socket.close(1000);
  await visitor.closed;
  await expect(turnedAway(first)).resolves.toEqual(["token_used", 4403]);

  const second = new Visitor(rig.open(undefined, ["call-engine.v1", rig.mint()]));
  await second.heard("ready");
  expect(second.socket.protocol).toBe("call-engine.v1");
});

test("a token of another dial, a forged one and none are told apart from a good one, before and after the handshake", async () => {
  await rig.addDial({ dialId: "dial-2" });
  const other = rig.mint("dial-2");
  expect(await turnedAway(other)).toEqual(["forbidden", 4403]);
  expect(await turnedAway(`${other.slice(0, -2)}AA`)).toEqual(["unauthorized", 4401]);
  expect(await refusal(rig.open(undefined, ["call-engine.v1", other]))).toBe(403);
  for (const bad of ["eyJ.eyJ.x", "pk_123"])
    expect(await refusal(rig.open(undefined, ["call-engine.v1", bad]))).toBe(401);
  const silent = new Visitor(rig.open());
  await once(silent.socket, "open");
  silent.say({ type: "start", token: 1 });
  expect(await silent.heard("error")).toMatchObject({ code: "unauthorized" });
  expect(await silent.closed).toBe(4401);
});

test("a token opens media for 15 minutes; a phone's dial has none to open, a dial that is over neither", async () => {
  const old = rig.mint();
  await rig.clock.advance(15 * 60_000 + 1);
  expect(await turnedAway(old)).toEqual(["token_too_old", 4403]);
  await rig.addDial({ dialId: "phone", direction: "outbound", carrier: "loopback" });
  expect(await turnedAway(rig.mint("phone"), "/browser/phone")).toEqual(["forbidden", 4403]);
  await rig.memory.store.dials.endClientless(120_000);
  expect(await turnedAway(rig.mint())).toEqual(["dial_over", 4410]);
});

test("pages connect from our own origin and from listed ones, programs from anywhere", async () => {
  const { host } = new URL(rig.base);
  expect(await refusal(rig.open(undefined, [], "https://evil.example.com"))).toBe(403);
  expect(await refusal(rig.open(undefined, [], "null"))).toBe(403);
  for (const origin of [`http://${host}`, "https://shop.example.com"]) {
    const socket = rig.open(undefined, [], origin);
    await once(socket, "open");
    socket.terminate();
  }
  expect(await refusal(rig.open("/browser/"))).toBe(404);
  expect(await refusal(rig.open("/browser/a/b"))).toBe(404);
});

test("nobody else is let in while somebody is connected", async () => {
  await rig.visit(rig.mint());
  expect(await turnedAway(rig.mint())).toEqual(["busy", 4409]);
});

test("a first message that does not come is not waited for", async () => {
  const visitor = new Visitor(rig.open());
  await once(visitor.socket, "open");
  await rig.clock.advance(5001);
  expect(await visitor.closed).toBe(4401);
});
