import { expect, test } from "vitest";
import { PlivoDialect } from "../../../../src/adapters/carrier/plivo/stream-dialect.ts";
import { BrokenHandshake } from "../../../../src/adapters/carrier/streaming/media-line.ts";
import { lineRig } from "./socket-double.ts";

const START = {
  event: "start",
  start: { callId: "c1", streamId: "s1", mediaFormat: { encoding: "audio/x-mulaw", sampleRate: 8000 } },
};
const media = (chunk: number) => ({
  event: "media",
  media: { track: "inbound", timestamp: 1000 + chunk * 20, chunk, payload: "AAAA" },
});
const rigOf = () => lineRig(new PlivoDialect());

test.each<[string, (rig: ReturnType<typeof rigOf>) => void]>([
  ["a stop", ({ socket }) => socket.say({ event: "stop" })],
  ["the end of the socket", ({ socket }) => socket.hangUp()],
  ["the end of patience", ({ patience }) => patience.abort()],
  ["fifty-one malformed messages", ({ socket }) => Array.from({ length: 51 }, () => socket.say("{"))],
])("%s before the start is a refused handshake", async (_, act) => {
  const rig = rigOf();
  const accepting = rig.accept();
  act(rig);
  await expect(accepting).rejects.toThrow(BrokenHandshake);
  expect(rig.socket.closedWith).toBe(1008);
  expect(rig.clock.pending).toBe(0);
});

test("patience that ended before is refused at once", async () => {
  const rig = rigOf();
  rig.patience.abort();
  await expect(rig.accept()).rejects.toThrow(BrokenHandshake);
});

test("what happens before somebody listens is told when somebody does, at most a second of it", async () => {
  const rig = rigOf();
  const accepting = rig.accept();
  rig.socket.say(START);
  for (let chunk = 1; chunk <= 60; chunk++) rig.socket.say(media(chunk));
  rig.socket.say({ event: "stop" });
  (await accepting).listen(rig.reported);
  expect(rig.reported.frames.length).toBe(49);
  expect(rig.reported.ended).toBe("hung-up");
});

test("frames that overtook one another are told in their order", async () => {
  const { socket, open, reported } = rigOf();
  const line = await open(START);
  for (const chunk of [1, 3, 2, 4]) socket.say(media(chunk));
  expect(reported.frames.map(({ atMs }) => atMs)).toEqual([1020, 1040, 1060, 1080]);
  line.close();
});

test("a mark that has been played proves those before it, and one that a clear overtook is never told", async () => {
  const { socket, open, reported } = rigOf();
  const line = await open(START);
  for (const name of ["a", "b", "c"]) line.mark(name);
  socket.say({ event: "playedStream", name: "2" });
  expect(reported.marks).toEqual(["a", "b"]);
  line.clear();
  line.mark("c");
  socket.say({ event: "playedStream", name: "3" });
  socket.say({ event: "playedStream", name: "999" });
  expect(reported.marks).toEqual(["a", "b"]);
  socket.say({ event: "playedStream", name: "4" });
  expect(reported.marks).toEqual(["a", "b", "c"]);
  line.close();
});

test.each([
  ["closed in order", 1000, "hung-up"],
  ["broken", 1006, "lost"],
])(
  "a socket that is %s ends the line accordingly, where nothing else says that the call is over",
  async (_, code, why) => {
    const { socket, open, reported } = rigOf();
    await open(START);
    socket.hangUp(code);
    expect(reported.ended).toBe(why);
  },
);

test("a line without media for three seconds is lost", async () => {
  const { clock, socket, open, reported } = rigOf();
  await open(START);
  await clock.advance(2900);
  socket.say(media(1));
  await clock.advance(2900);
  expect(reported.ended).toBeUndefined();
  await clock.advance(200);
  expect(reported.ended).toBe("lost");
  expect([socket.closedWith, clock.pending]).toEqual([1008, 0]);
});

test("a carrier that does not read is let go before memory fills", async () => {
  const { socket, open, reported } = rigOf();
  const line = await open(START);
  socket.bufferedAmount = 65_537;
  line.send(new Uint8Array(160));
  expect([reported.ended, socket.closedWith, socket.sent.length]).toEqual(["lost", 1013, 0]);
});

test("a carrier that never answers a mark is let go", async () => {
  const { open, reported } = rigOf();
  const line = await open(START);
  for (let mark = 0; mark <= 1000; mark++) line.mark("x");
  expect(reported.ended).toBe("lost");
});

test("closing tells so once, and nothing is sent after", async () => {
  const { socket, open, reported } = rigOf();
  const line = await open(START);
  line.close();
  line.close();
  line.send(new Uint8Array(160));
  line.mark("x");
  line.clear();
  socket.say(media(1));
  expect([reported.ended, socket.sent.length, reported.frames.length]).toEqual(["closed-by-us", 0, 0]);
});
