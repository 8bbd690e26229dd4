import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { AudioFormat, AudioFrame } from "../../src/model/audio.ts";
import type { LineEnd, LineListener, Transport } from "../../src/ports/transport.ts";
import { RESUME_MS, ResumableLine } from "../../src/worker/resumable-line.ts";
import { runs } from "../kit/runs.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

/** A socket's line that notes what it was sent. */
class Socket implements Transport {
  readonly queue = "far-end";
  readonly carrierCallId = "call";
  readonly bufferedAmount = 0;
  readonly format: AudioFormat;
  readonly sent: string[] = [];
  closed = false;
  #listener: LineListener | undefined;

  constructor(sampleRate = 8000) {
    this.format = { encoding: "mulaw", sampleRate };
  }

  listen(listener: LineListener): void {
    this.#listener = listener;
  }
  send(payload: Uint8Array): void {
    this.sent.push(`${payload[0]}`);
  }
  mark(name: string): void {
    this.sent.push(`mark ${name}`);
  }
  clear(): void {
    this.sent.push("clear");
  }
  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.#listener?.gone("closed-by-us");
  }
  frame(atMs: number): void {
    this.#listener?.frame({ payload: new Uint8Array(160), atMs });
  }
  played(name: string): void {
    this.#listener?.mark(name);
  }
  digit(digit: string): void {
    this.#listener?.digit(digit);
  }
  drop(why: LineEnd): void {
    this.#listener?.gone(why);
  }
}

const rig = (mayReturn = false) => {
  const clock = new VirtualClock();
  const first = new Socket();
  const heard: (string | number)[] = [];
  const state = { mayReturn };
  const line = new ResumableLine({ clock, first, mayReturn: () => state.mayReturn });
  line.listen({
    frame: ({ atMs }: AudioFrame) => heard.push(atMs),
    digit: (digit) => heard.push(`digit ${digit}`),
    mark: (name) => heard.push(`mark ${name}`),
    gone: (why) => heard.push(`gone ${why}`),
  });
  return { clock, first, heard, line, state };
};
const sound = (name: number) => new Uint8Array(160).fill(name);

test("what is said while the socket is away is heard once it is back, after the marks that were under way", async () => {
  const { clock, first, heard, line } = rig();
  line.send(sound(1));
  line.mark("a");
  line.mark("b");
  first.played("a");
  first.drop("lost");
  line.send(sound(2));
  line.mark("c");
  await clock.advance(4000);
  const second = new Socket();
  expect(line.resume(second)).toBe(true);
  expect(first.closed).toBe(true);
  expect(second.sent).toEqual(["mark b", "2", "mark c"]);
  second.played("b");
  second.played("c");
  second.digit("5");
  expect(heard).toEqual(["mark a", "mark b", "mark c", "digit 5"]);
});

test("frames keep one timeline, in which the time without a socket has passed", async () => {
  const { clock, first, heard, line } = rig();
  first.frame(0);
  await clock.advance(20);
  first.frame(20);
  first.drop("lost");
  await clock.advance(3000);
  const second = new Socket();
  line.resume(second);
  second.frame(0);
  second.frame(20);
  expect(heard).toEqual([0, 20, 3020, 3040]);
});

test("a socket that does not come back within ten seconds leaves the line lost, once", async () => {
  const { clock, first, heard, line } = rig();
  first.drop("lost");
  await clock.advance(RESUME_MS - 1);
  expect(heard).toEqual([]);
  await clock.advance(1);
  expect(heard).toEqual(["gone lost"]);
  expect(line.resume(new Socket())).toBe(false);
  line.close();
  expect(heard).toEqual(["gone lost"]);
});

test("a person who hangs up is gone at once, and one who is being transferred may come back", async () => {
  const plain = rig();
  plain.first.drop("hung-up");
  expect(plain.heard).toEqual(["gone hung-up"]);

  const { clock, first, heard, line, state } = rig(true);
  first.drop("hung-up");
  await clock.advance(3 * RESUME_MS);
  expect(heard).toEqual([]);
  const second = new Socket();
  expect(line.resume(second)).toBe(true);
  state.mayReturn = false;
  second.drop("hung-up");
  expect(heard).toEqual(["gone hung-up"]);
});

test("a new socket replaces one that seems to live, whose last words count no more", () => {
  const { first, heard, line } = rig();
  const second = new Socket();
  expect(line.resume(second)).toBe(true);
  first.digit("1");
  first.drop("lost");
  second.digit("2");
  expect(heard).toEqual(["digit 2"]);
});

test("a socket of another format is not taken", () => {
  const { first, line } = rig();
  first.drop("lost");
  expect(line.resume(new Socket(16_000))).toBe(false);
});

test("clearing while the socket is away leaves nothing to be heard", () => {
  const { first, line } = rig();
  line.mark("a");
  first.drop("lost");
  line.send(sound(1));
  line.clear();
  const second = new Socket();
  line.resume(second);
  expect(second.sent).toEqual([]);
});

test("closing ends the line, wherever its socket is", () => {
  const there = rig();
  there.line.close();
  expect(there.first.closed).toBe(true);
  expect(there.heard).toEqual(["gone closed-by-us"]);
  const away = rig();
  away.first.drop("lost");
  away.line.close();
  expect(away.heard).toEqual(["gone closed-by-us"]);
});

test("whatever happens, no mark comes twice, none after the end, and what waits is bounded", () => {
  const step = fc.constantFrom("send", "mark", "clear", "drop", "resume", "play", "close");
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { heard, first, line } = rig();
      const sockets = [first];
      const marked: string[] = [];
      for (const [index, one] of steps.entries()) {
        const socket = sockets.at(-1) ?? first;
        if (one === "send") for (let n = 0; n < 200; n++) line.send(sound(1));
        if (one === "mark") {
          marked.push(`m${index}`);
          line.mark(`m${index}`);
        }
        if (one === "clear") line.clear();
        if (one === "drop") socket.drop("lost");
        if (one === "play") for (const name of marked) socket.played(name);
        if (one === "close") line.close();
        if (one === "resume") {
          const next = new Socket();
          if (line.resume(next)) sockets.push(next);
          expect(next.sent.length).toBeLessThan(600);
        }
      }
      const marks = heard.filter((one) => String(one).startsWith("mark"));
      expect(new Set(marks).size).toBe(marks.length);
      const gone = heard.findIndex((one) => String(one).startsWith("gone"));
      if (gone !== -1) expect(gone).toBe(heard.length - 1);
    }),
    { numRuns: runs(100, 1000) },
  );
}, 120_000);
