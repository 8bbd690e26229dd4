import { afterEach, describe, expect, test } from "vitest";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { AdapterDeps } from "../../src/ports/descriptor.ts";
import { adapterDeps } from "../kit/adapter-deps.ts";
import { wireCases } from "./wire-cases.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";
import type { Fault, VendorUnderTest } from "../kit/vendors/scripted-vendor.ts";
import { quietBytes, sayBytes } from "../kit/vendors/spoken-bytes.ts";
import { until, VendorListener } from "../kit/vendors/vendor-listener.ts";

const KEY = "key-of-tests";
const LINE = { encoding: "mulaw", sampleRate: 8000 } as const;

/** What a vendor's adapter does with a vendor that speaks its wire format, well or badly. */
export const vendorTranscriberContract = (vendor: VendorUnderTest): void => {
  const { descriptor, serve, env } = vendor;
  const { covers, complete } = wireCases();
  describe(`${descriptor.name} at its vendor`, () => {
    const open: (() => Promise<void>)[] = [];
    afterEach(async () => {
      for (const close of open.splice(0).toReversed()) await close();
    });

    const start = async (script: readonly Fault[] = [], clock: Clock = new SystemClock(), key = KEY) => {
      const server = await serve(script);
      open.push(() => server.close());
      const deps: AdapterDeps = adapterDeps({ clock });
      const transcriber = await descriptor.create(env(server.url, key), deps);
      open.push(() => transcriber.close());
      const listen = (keywords: readonly string[] = []) => new VendorListener(transcriber, keywords);
      const finish = async () => {
        await transcriber.close();
        await server.record.until(() => server.record.live === 0);
        server.record.check();
      };
      return { server, record: server.record, transcriber, listen, finish };
    };

    test("is there only where it is configured, and says which variable to set", async () => {
      const deps = adapterDeps({ clock: new SystemClock() });
      const there = vendor.described === true ? (await start()).server.url : "http://127.0.0.1:1";
      expect(await descriptor.available({}, deps)).toMatch(/_API_KEY|_PROJECT|_URL/u);
      expect(await descriptor.available(env(there, KEY), deps)).toBe(true);
      expect(await descriptor.available(env("ftp://somewhere", KEY), deps)).toMatch(/_URL/u);
    });

    covers("connect", "stream")("streams the line's own encoding, and hears every word at its time", async () => {
      const { record, listen, finish } = await start();
      const ear = listen(["Zürich", "Lindqvist"]);
      expect(ear.stream.format).toEqual(LINE);
      ear.say(quietBytes(400), "book", "a", "table");
      await ear.finalize();
      expect(ear.text).toBe("book a table");
      expect(ear.events.at(-1)).toMatchObject({ final: true });
      const { startMs, endMs, words } = ear.last;
      expect(startMs).toBeGreaterThanOrEqual(0);
      expect(endMs).toBeLessThanOrEqual(ear.pushedMs);
      for (const [index, word] of (words ?? []).entries()) {
        expect(word.text).toBe(["book", "a", "table"][index]);
        expect(word.startMs).toBeCloseTo(400 + 300 * index, -1);
        expect(word.endMs).toBeCloseTo(640 + 300 * index, -1);
      }
      expect(record.opened[0]).toEqual({
        keywords: ["Zürich", "Lindqvist"],
        language: vendor.english,
        ...LINE,
      });
      ear.stream.close();
      await finish();
    });

    test("tells interim texts before the final one, of the same utterance", async () => {
      const { listen, finish } = await start();
      const ear = listen();
      ear.begin(quietBytes(200), "one", "two");
      await ear.until(() => ear.text.includes("one"));
      expect(ear.events.every(({ final }) => !final)).toBe(true);
      ear.go("three");
      ear.end();
      await ear.finalize();
      expect(ear.text).toBe("one two three");
      expect(new Set(ear.events.map(({ utterance }) => utterance))).toEqual(new Set([1]));
      await finish();
    });

    covers("finalize")("answers a question for the final text of silence, and says no words", async () => {
      const { listen, finish } = await start();
      const ear = listen();
      await ear.finalize();
      ear.push(quietBytes(600));
      const answered = ear.finalize();
      ear.push(quietBytes(2000));
      await answered;
      expect(ear.events).toEqual([]);
      await finish();
    });

    test("hears without a detector's word", async () => {
      const { listen, finish } = await start();
      const ear = listen();
      for (const sound of [quietBytes(300), sayBytes("call", "me", "back"), quietBytes(300)]) ear.push(sound);
      await ear.finalize();
      expect(ear.text).toBe("call me back");
      await finish();
    });

    test("starts a new utterance when the turn was taken, and hears turn after turn", async () => {
      const { listen, finish } = await start();
      const ear = listen();
      for (const words of [["one", "two"], ["three"], ["four", "five"]] as const) {
        const before = ear.events.length;
        ear.say(quietBytes(700), ...words);
        await ear.finalize();
        const numbers = new Set(ear.events.slice(0, before).map(({ utterance }) => utterance));
        expect(ear.events.slice(before).some(({ utterance }) => numbers.has(utterance))).toBe(false);
        ear.stream.endTurn();
      }
      expect(ear.text).toBe("one two three four five");
      await finish();
    });

    covers("unicode")("gives every writing as it came", async () => {
      const { listen, finish } = await start();
      const ear = listen();
      ear.say(quietBytes(200), "naïve", "Zürich", "東京", "привет", "😀");
      await ear.finalize();
      expect(ear.text).toBe("naïve Zürich 東京 привет 😀");
      await finish();
    });

    covers("interleave")("keeps two calls apart", async () => {
      const { listen, finish } = await start();
      const [one, other] = [listen(), listen()];
      one.begin(quietBytes(100), "book", "a");
      other.begin(quietBytes(100), "call", "me");
      one.go("table");
      other.go("back");
      one.end();
      other.end();
      await Promise.all([one.finalize(), other.finalize()]);
      expect([one.text, other.text]).toEqual(["book a table", "call me back"]);
      await finish();
    });

    covers("cancel")("says nothing after close, and ends its connection in good order", async () => {
      const { record, listen, finish } = await start();
      const ear = listen();
      ear.begin(quietBytes(200), "one", "two");
      await ear.until(() => ear.text.includes("one"));
      ear.stream.close();
      ear.stream.close();
      const told = ear.events.length;
      ear.go("three");
      ear.stream.finalize();
      ear.stream.endTurn();
      await record.until(() => record.live === 0);
      expect([ear.events.length, ear.failures.length]).toEqual([told, 0]);
      await finish();
    });

    covers("reconnect", "half-closed", "garbage", "429", "5xx").each([
      ["breaks off", { type: "drops", afterMs: 700 }],
      ["ends its side", { type: "half-closes", afterMs: 700 }],
      ["says goodbye while sound still comes", { type: "closes", afterMs: 700 }],
      ["sends what is not of the protocol", { type: "garbage" }],
      ["answers 503", { type: "refused", status: 503 }],
      ["answers 500", { type: "refused", status: 500 }],
      ["answers 429", { type: "refused", status: 429 }],
    ] as const)("goes on where a vendor %s, without losing a word or saying one twice", async (_, fault) => {
      const { record, listen, finish } = await start([fault]);
      const ear = listen();
      ear.say(quietBytes(300), "book", "a", "table", "for", "four", "people");
      await ear.finalize();
      expect(ear.text).toBe("book a table for four people");
      expect(record.connections).toBeGreaterThanOrEqual(2);
      expect(ear.failures).toEqual([]);
      await finish();
    });

    test("does not say again what was final before the break", async () => {
      const { record, listen, finish } = await start(
        vendor.perStretch === true
          ? [
              { type: "slow", byMs: 1 },
              { type: "drops", afterMs: 300 },
            ]
          : [{ type: "drops", afterMs: 1900 }],
      );
      const ear = listen();
      ear.say(quietBytes(300), "one", "two");
      await ear.finalize();
      ear.stream.endTurn();
      ear.say(quietBytes(300), "three", "four");
      await ear.finalize();
      await record.until(() => record.connections >= 2);
      expect(ear.text).toBe("one two three four");
      await finish();
    });

    covers("slow")("waits for a slow vendor", async () => {
      const { listen, finish } = await start([{ type: "slow", byMs: 120 }]);
      const ear = listen();
      ear.say(quietBytes(200), "one", "two");
      await ear.finalize();
      expect(ear.text).toBe("one two");
      await finish();
    });

    covers("stall")("asks again, over another connection, where a vendor takes sound and says nothing", async () => {
      const clock = new VirtualClock(new SystemClock().now());
      const { record, listen, finish } = await start([{ type: "stalls" }], clock);
      const ear = listen();
      ear.say(quietBytes(200), "one", "two");
      const answered = ear.finalize();
      await record.until(() => record.opened.length === 1);
      await until(clock, () => record.connections === 2);
      await answered;
      expect(ear.text).toBe("one two");
      await finish();
    });

    test("fails with a deadline when every connection stalls", async () => {
      const clock = new VirtualClock(new SystemClock().now());
      const { listen, finish } = await start(
        Array.from({ length: 4 }, () => ({ type: "stalls" })),
        clock,
      );
      const ear = listen();
      ear.say(quietBytes(200), "one");
      ear.stream.finalize();
      await until(clock, () => ear.failures.length > 0);
      expect(ear.failure).toMatchObject({ kind: "timeout", provider: descriptor.name });
      await finish();
    });

    covers("401")("fails at once where the key is not taken, and names the variable", async () => {
      const { record, listen, finish } = await start([], new SystemClock(), "another-key");
      const ear = listen();
      ear.say(quietBytes(200), "one");
      ear.stream.finalize();
      await ear.until(() => ear.failures.length > 0);
      expect(ear.failure).toMatchObject({ kind: "auth", provider: descriptor.name, retryable: false });
      expect(ear.failure.message).toMatch(/_API_KEY|_TOKEN/u);
      expect(ear.failure.message).not.toContain("another-key");
      expect(record.connections).toBe(1);
      await finish();
    });

    test.each([
      [429, "rate-limited"],
      [503, "unavailable"],
    ] as const)("gives up a vendor that answers %i again and again, as %s", async (status, kind) => {
      const no = { type: "refused", status } as const;
      const { listen, finish } = await start([no, no, no, no]);
      const ear = listen();
      ear.say(quietBytes(200), "one");
      ear.stream.finalize();
      await ear.until(() => ear.failures.length > 0);
      expect(ear.failure).toMatchObject({ kind, provider: descriptor.name, retryable: true });
      await finish();
    });

    const asks = descriptor.check !== undefined;
    if (asks)
      test("tells the doctor whether its key is taken", async () => {
        const { server, record } = await start();
        const { signal } = new AbortController();
        const deps = adapterDeps({ clock: new SystemClock() });
        await descriptor.check?.(env(server.url, KEY), deps, signal);
        await expect(descriptor.check?.(env(server.url, "another-key"), deps, signal)).rejects.toMatchObject({
          kind: "auth",
        });
        await record.until(() => record.live === 0);
        const stopped = new AbortController();
        stopped.abort(new Error("too late"));
        await expect(descriptor.check?.(env(server.url, KEY), deps, stopped.signal)).rejects.toThrow("too late");
        expect(record.mistakes).toEqual([]);
      });

    test("fails where nobody listens any more", async () => {
      const server = await serve();
      const make = () => descriptor.create(env(server.url, KEY), adapterDeps({ clock: new SystemClock() }));
      const described = vendor.described === true ? await make() : undefined;
      await server.close();
      const transcriber = described ?? (await make());
      open.push(() => transcriber.close());
      const ear = new VendorListener(transcriber, []);
      ear.say(quietBytes(100), "one");
      ear.stream.finalize();
      await ear.until(() => ear.failures.length > 0);
      expect(ear.failure).toMatchObject({ kind: "unavailable" });
    });

    complete();
  });
};
