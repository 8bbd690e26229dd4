import fc from "fast-check";
import { expect, test } from "vitest";
import { CallRig } from "../kit/call-rig.ts";
import { CarelessLine, type MarkFate } from "../kit/careless-line.ts";
import { says } from "../kit/scripted-dialogue.ts";
import { LETTER_MS } from "../kit/scripted-engines.ts";

const PIECES = [
  "Good morning, this is the front desk. ",
  "We have two rooms left for tonight, one of them with a view of the lake. ",
  "Would you like to hear about the prices?",
] as const;
const SAID = PIECES.join("");

const fate: fc.Arbitrary<MarkFate> = fc.oneof(
  fc.constantFrom<MarkFate>("comes", "lost", "twice"),
  fc.integer({ min: 1, max: 900 }),
);

const situation = fc.record({
  cutMs: fc.integer({ min: 200, max: SAID.length * LETTER_MS - 400 }),
  chunkMs: fc.constantFrom(10, 37, 120, 500, 5000),
  leadMs: fc.constantFrom(60, 400, 2000),
  delayMs: fc.integer({ min: 0, max: 150 }),
  queue: fc.constantFrom("far-end" as const, "none" as const),
  words: fc.boolean(),
  fates: fc.array(fate, { minLength: 1, maxLength: 6 }),
  returnsOnClear: fc.boolean(),
});

/** Words that began to sound, and of which the last one counts when more than half of it did; 20 ms of a frame either way. */
const wordsWithin = (playedMs: number): number =>
  [...SAID.matchAll(/\S+/gu)].filter((word) => (word.index + word[0].length / 2) * LETTER_MS <= playedMs).length;

test("the history holds what was heard, to one word, whatever the line does to its marks", async () => {
  let longest = 0;
  await fc.assert(
    fc.asyncProperty(situation, async ({ cutMs, chunkMs, leadMs, delayMs, queue, words, fates, returnsOnClear }) => {
      const rig = new CallRig({
        opening: PIECES.map(says),
        caller: [{ text: "No, please tell me something else.", fromMs: cutMs, untilMs: cutMs + 1500 }],
        answers: [[100, says("Fine.")]],
        line: { delayMs, queue },
        leadMs,
        chunkMs,
        words,
        through: (line, clock) => new CarelessLine(line, clock, fates, returnsOnClear),
      });
      await rig.answer();
      await rig.clock.until(() => rig.dialogue.asked.length > 0, 20_000);
      const playedMs = rig.line.playedMs;
      const told = rig.dialogue.asked[0] ?? [];
      const agent = told.find((exchange) => exchange.speaker === "agent");
      const heard = agent?.speaker === "agent" ? agent.text : "";
      expect(SAID.startsWith(heard)).toBe(true);
      const count = heard.match(/\S+/gu)?.length ?? 0;
      longest = Math.max(longest, count);
      expect(Math.abs(count - wordsWithin(playedMs))).toBeLessThanOrEqual(1);
      expect(rig.transcript.find(({ speaker }) => speaker === "AI")?.text ?? "").toBe(heard);
      await rig.at(cutMs + 8000);
      await rig.close();
    }),
    { numRuns: 80 },
  );
  expect(longest).toBeGreaterThan(15);
}, 60_000);
