import { beforeEach, expect, test } from "vitest";
import { BrokenHandshake, acceptMediaStream } from "../../../../src/adapters/carrier/twilio/media-stream.ts";
import type { MediaSocket } from "../../../../src/ports/media-socket.ts";
import type { Transport } from "../../../../src/ports/transport.ts";
import { silentLogger } from "../../../kit/silent-logger.ts";
import { VirtualClock } from "../../../kit/virtual-clock.ts";
import { LineLog, noMetrics } from "./network-rig.ts";

class FakeSocket implements MediaSocket {
  bufferedAmount = 0;
  readonly sent: Record<string, unknown>[] = [];
  readonly texts: string[] = [];
  closedWith: number | undefined;
  handlers: Parameters<MediaSocket["listen"]>[0] | undefined;

  listen(handlers: Parameters<MediaSocket["listen"]>[0]): void {
    this.handlers = handlers;
  }

  send(data: string | Uint8Array): void {
    this.texts.push(String(data));
    this.sent.push(JSON.parse(String(data)) as Record<string, unknown>);
  }

  close(code: number): void {
    this.closedWith ??= code;
  }

  say(message: unknown): void {
    this.handlers?.message(
      typeof message === "string" || message instanceof Uint8Array ? message : JSON.stringify(message),
    );
  }
}

const START = {
  event: "start",
  streamSid: "MZ1",
  start: {
    callSid: "CA1",
    streamSid: "MZ1",
    mediaFormat: { encoding: "audio/x-mulaw", sampleRate: 8000, channels: 1 },
  },
};
const media = (atMs: number | string, payload = "AAAA", track = "inbound") => ({
  event: "media",
  streamSid: "MZ1",
  media: { track, timestamp: atMs, payload },
});
const mark = (name: string) => ({ event: "mark", streamSid: "MZ1", mark: { name } });

let clock: VirtualClock;
let socket: FakeSocket;
let patience: AbortController;
let log: LineLog;

beforeEach(() => {
  clock = new VirtualClock();
  socket = new FakeSocket();
  patience = new AbortController();
  log = new LineLog();
});

const accept = (): Promise<Transport> =>
  acceptMediaStream(socket, { clock, logger: silentLogger(), metrics: noMetrics }, patience.signal);

const opened = async (): Promise<Transport> => {
  const accepting = accept();
  socket.say({ event: "connected", protocol: "Call", version: "1.0.0" });
  socket.say(START);
  const line = await accepting;
  line.listen(log);
  return line;
};

test("the start message makes a line of it", async () => {
  const line = await opened();
  expect(line.carrierCallId).toBe("CA1");
  expect(line.format).toEqual({ encoding: "mulaw", sampleRate: 8000 });
  line.close();
  expect(socket.closedWith).toBe(1000);
  expect(log.gone_).toBe("closed-by-us");
});

test("what happens before somebody listens is told when somebody does", async () => {
  const accepting = accept();
  socket.say(START);
  socket.say(media(0));
  socket.say({ event: "dtmf", dtmf: { digit: "5" } });
  socket.say({ event: "stop" });
  (await accepting).listen(log);
  expect([log.frames.length, log.digits, log.gone_]).toEqual([1, ["5"], "hung-up"]);
});

test.each<[string, () => void]>([
  ["a stop", () => socket.say({ event: "stop" })],
  ["the end of the socket", () => socket.handlers?.closed()],
  ["the end of patience", () => patience.abort()],
  [
    "another codec",
    () =>
      socket.say({ ...START, start: { ...START.start, mediaFormat: { encoding: "audio/x-l16", sampleRate: 16_000 } } }),
  ],
  ["fifty-one malformed messages", () => Array.from({ length: 51 }, () => socket.say("{"))],
])("%s before the start is a refused handshake", async (_, act) => {
  const accepting = accept();
  act();
  await expect(accepting).rejects.toThrow(BrokenHandshake);
  expect(socket.closedWith).toBe(1008);
  expect(clock.pending).toBe(0);
});

test("patience that ended before is refused at once", async () => {
  patience.abort();
  await expect(accept()).rejects.toThrow(BrokenHandshake);
});

test("the place of a frame is what the carrier says, and other tracks are left out", async () => {
  const line = await opened();
  socket.say(media("40"));
  socket.say(media(480));
  socket.say(media(500, "AAAA", "outbound"));
  socket.say(media(500, ""));
  expect(log.frames.map(({ atMs }) => atMs)).toEqual([40, 480]);
  expect(log.frames[0]!.payload).toEqual(Buffer.from("AAAA", "base64"));
  line.close();
});

test("sound, marks and clearing are written as the protocol has them", async () => {
  const line = await opened();
  line.send(Uint8Array.of(1, 2, 3));
  line.send(new Uint8Array(0));
  line.mark('odd "name"');
  line.clear();
  line.close();
  line.send(Uint8Array.of(4));
  line.mark("late");
  line.clear();
  expect(socket.sent).toEqual([
    { event: "media", streamSid: "MZ1", media: { payload: "AQID" } },
    { event: "mark", streamSid: "MZ1", mark: { name: 'odd "name"' } },
    { event: "clear", streamSid: "MZ1" },
  ]);
});

test("marks that a clear overtook are swallowed when they come back, also under a name that is used again", async () => {
  const line = await opened();
  line.mark("a");
  line.mark("b");
  socket.say(mark("a"));
  line.clear();
  line.mark("b");
  socket.say(mark("b"));
  expect(log.marks.map(({ name }) => name)).toEqual(["a"]);
  socket.say(mark("b"));
  expect(log.marks.map(({ name }) => name)).toEqual(["a", "b"]);
  socket.say(mark("b"));
  socket.say(mark("never sent"));
  expect(log.marks).toHaveLength(2);
  line.close();
});

test("a mark that comes back proves the ones before it", async () => {
  const line = await opened();
  for (const name of ["a", "b", "c"]) line.mark(name);
  socket.say(mark("c"));
  expect(log.marks.map(({ name }) => name)).toEqual(["a", "b", "c"]);
  line.close();
});

test("a line without sound for three seconds is lost, one with gaps is not", async () => {
  await opened();
  for (let frame = 0; frame < 5; frame++) {
    await clock.advance(2900);
    socket.say(media(frame * 2900));
  }
  expect(log.gone_).toBeUndefined();
  await clock.advance(2990);
  expect(log.gone_).toBeUndefined();
  await clock.advance(20);
  expect(log.gone_).toBe("lost");
  expect(socket.closedWith).toBe(1008);
  expect(clock.pending).toBe(0);
});

test("a socket that ends without a stop is a lost line", async () => {
  await opened();
  socket.handlers?.closed();
  expect(log.gone_).toBe("lost");
  socket.handlers?.closed();
  expect(clock.pending).toBe(0);
});

test("fifty malformed messages are forgiven, one more is not", async () => {
  await opened();
  for (let count = 0; count < 49; count++) socket.say("{");
  socket.say(Uint8Array.of(1));
  socket.say({ event: "weather" });
  socket.say(START);
  expect(log.gone_).toBeUndefined();
  socket.say("{");
  expect([log.gone_, socket.closedWith]).toEqual(["lost", 1008]);
  socket.say(media(0));
  expect(log.frames).toHaveLength(0);
});

test("a peer that does not read is cut off instead of buffered for", async () => {
  const line = await opened();
  socket.bufferedAmount = 64 * 1024;
  line.send(new Uint8Array(160));
  expect(line.bufferedAmount).toBe(64 * 1024);
  expect(log.gone_).toBeUndefined();
  socket.bufferedAmount += 1;
  line.send(new Uint8Array(160));
  expect([log.gone_, socket.closedWith]).toEqual(["lost", 1013]);
  expect(socket.sent).toHaveLength(1);
});

test("a carrier that never answers a mark is cut off", async () => {
  const line = await opened();
  for (let count = 0; count < 1001; count++) line.mark(String(count));
  expect(log.gone_).toBe("lost");
});
