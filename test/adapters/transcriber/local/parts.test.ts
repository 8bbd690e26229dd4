import fc from "fast-check";
import { expect, test } from "vitest";
import { DecodeQueue } from "../../../../src/adapters/transcriber/local/decode-queue.ts";
import type { Urgency } from "../../../../src/adapters/transcriber/local/decode-queue.ts";
import { isImplausible, stablePrefix, tidy } from "../../../../src/adapters/transcriber/local/hypothesis.ts";
import { SoundRing } from "../../../../src/audio/sound-ring.ts";
import { tokenTable } from "../../../../src/adapters/transcriber/local/token-table.ts";

test("the ring gives back what was pushed, as far as it still has it", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 12 }),
      fc.nat(200),
      fc.nat(60),
      (lengths, from, length) => {
        const ring = new SoundRing(32);
        const all: number[] = [];
        for (const size of lengths) {
          const piece = Int16Array.from({ length: size }, (_, index) => all.length + index);
          ring.push(piece);
          all.push(...piece);
        }
        const target = new Int16Array(length);
        const copied = ring.read(from, from + length, target, 0);
        const kept = all.slice(Math.max(from, all.length - 32, 0), from + length);
        expect(ring.end).toBe(all.length);
        expect([...target.subarray(0, copied)]).toEqual(from + length > Math.max(0, all.length - 32) ? kept : []);
      },
    ),
  );
});

test("the quietest stretch is found", () => {
  const ring = new SoundRing(1000);
  ring.push(Int16Array.from({ length: 1000 }, (_, index) => (index >= 600 && index < 700 ? 1 : 500)));
  const found = ring.quietest(100, 900, 80);
  expect(found).toBeGreaterThan(630);
  expect(found).toBeLessThan(670);
});

test("the decode queue runs finals first, keeps a slot free of interims, and never more than its slots at once", async () => {
  const queue = new DecodeQueue(2, 100);
  const order: string[] = [];
  const ends: (() => void)[] = [];
  const submit = (urgency: Urgency, name: string) =>
    queue.submit(urgency, () => {
      order.push(name);
      return new Promise<string>((resolve) => {
        ends.push(() => {
          resolve(name);
        });
      });
    });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  submit("interim", "i1");
  const withdrawn = submit("interim", "i2");
  submit("interim", "i3");
  expect(order).toEqual(["i1"]);
  submit("speculative", "s1");
  submit("final", "f1");
  const last = submit("final", "f2");
  withdrawn.withdraw();
  expect(await withdrawn.result).toBeUndefined();
  expect(order).toEqual(["i1", "s1"]);
  ends[1]?.();
  await settle();
  expect(order).toEqual(["i1", "s1", "f1"]);
  ends[0]?.();
  await settle();
  expect(order).toEqual(["i1", "s1", "f1", "f2"]);
  ends[3]?.();
  expect(await last.result).toBe("f2");
  await settle();
  expect(order).toEqual(["i1", "s1", "f1", "f2", "i3"]);
});

test("the decode queue refuses what it could never do", () => {
  const queue = new DecodeQueue(1, 2);
  const never = () => new Promise<string>(() => undefined);
  for (let count = 0; count < 3; count++) queue.submit("final", never);
  expect(() => queue.submit("final", never)).toThrow("more than 2 decodes wait");
});

test("words count as stable when two looks agree on them, whatever their case and marks", () => {
  expect(stablePrefix("", "I want")).toBe("");
  expect(stablePrefix("I want.", "I want to")).toBe("I want");
  expect(stablePrefix("i want, two", "I want to")).toBe("I want");
  expect(stablePrefix("It's 3:30 p.m. now.", "It's 3:30 p.m. now, right?")).toBe("It's 3:30 p.m. now");
  expect(stablePrefix("No", "Yes")).toBe("");
});

test("white space is tidied and nothing else", () => {
  expect(tidy("  One,\n two  THREE! ")).toBe("One, two THREE!");
});

test("a text that nobody could say in that time is implausible, and what people do say is not", () => {
  expect(isImplausible("thank you ".repeat(12).trim(), 2)).toBe(true);
  expect(isImplausible("the ".repeat(20).trim(), 6)).toBe(true);
  expect(isImplausible("no no no no", 1)).toBe(false);
  expect(isImplausible("five five five two three four six seven eight nine", 4)).toBe(false);
  expect(isImplausible("yes", 0.2)).toBe(false);
});

test("the token table names bytes as bytes and everything else in base64, with Moonshine's marks at the end", () => {
  const vocabulary = Array.from({ length: 32_000 }, (_, index) => `t${index}`);
  vocabulary[13] = "<0x0A>";
  vocabulary[14] = "▁the";
  const lines = tokenTable(vocabulary).split("\n");
  expect(lines[13]).toBe("Cg== 13");
  expect(lines[14]).toBe(`${Buffer.from("▁the").toString("base64")} 14`);
  expect(lines[32_767]).toBe(`${Buffer.from("<<ST_767>>").toString("base64")} 32767`);
  expect(lines).toHaveLength(32_769);
  expect(() => tokenTable(["too", "short"])).toThrow(RangeError);
});
