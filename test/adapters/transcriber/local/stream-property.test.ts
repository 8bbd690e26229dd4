import fc from "fast-check";
import { expect, test } from "vitest";
import type { Lexicon } from "../../../../src/adapters/transcriber/local/lexicon.ts";
import type { Recognizer } from "../../../../src/adapters/transcriber/local/recognizer.ts";
import { LocalTranscriber } from "../../../../src/adapters/transcriber/local/transcriber.ts";
import { encodeLinear16 } from "../../../../src/audio/linear16.ts";
import type { TranscriptEvent } from "../../../../src/ports/transcriber.ts";

/** Of no use without keywords. */
const PLAIN: Lexicon = { knows: () => true, isCommon: () => true, sounds: () => [new Uint8Array(0)] };

type Step =
  | Readonly<{ do: "push"; frames: number }>
  | Readonly<{ do: "speak" | "pause" | "finalize" | "endTurn" | "rest" }>;

const FRAME_SAMPLES = 320;
const FRAME_MS = 20;

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant("push" as const),
        frames: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 250 })),
      }),
    },
    { weight: 5, arbitrary: fc.record({ do: fc.constantFrom("speak" as const, "pause" as const) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("finalize" as const, "endTurn" as const) }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant("rest" as const) }) },
  ),
  { minLength: 10, maxLength: 60, size: "max" },
);

const rest = () => new Promise((resolve) => setImmediate(resolve));

/** Runs the steps on a stream whose recognizer answers the numbers of the frames that it was given. */
const run = async (plan: readonly Step[]) => {
  const said: (TranscriptEvent | "flushed")[] = [];
  let underWay = 0;
  let mostUnderWay = 0;
  let longestMs = 0;
  const decode = async (sound: Int16Array) => {
    underWay += 1;
    mostUnderWay = Math.max(mostUnderWay, underWay);
    longestMs = Math.max(longestMs, sound.length / 16);
    const frames = [...new Set(sound)].join(" ");
    await rest();
    underWay -= 1;
    return frames;
  };
  const recognizer: Recognizer = { glance: decode, decode };
  const transcriber = new LocalTranscriber(recognizer, PLAIN, 3);
  const stream = transcriber.open(
    { language: "en", keywords: [], lineFormat: { encoding: "mulaw", sampleRate: 8000 } },
    {
      transcript: (event) => said.push(event),
      flushed: () => said.push("flushed"),
      failed: (error) => {
        throw error;
      },
    },
  );
  let frame = 0;
  let finalizes = 0;
  for (const step of plan) {
    if (step.do === "push")
      for (let count = 0; count < step.frames; count++) {
        frame += 1;
        stream.push(encodeLinear16(new Int16Array(FRAME_SAMPLES).fill(frame)));
      }
    else if (step.do === "speak") stream.speech("started", Math.max(0, frame * FRAME_MS - 100));
    else if (step.do === "pause") stream.speech("ended", Math.max(0, frame * FRAME_MS - 200));
    else if (step.do === "finalize") {
      finalizes += 1;
      stream.finalize();
    } else if (step.do === "endTurn") stream.endTurn();
    else await rest();
  }
  finalizes += 1;
  stream.finalize();
  for (let turn = 0; turn < 500 && said.filter((each) => each === "flushed").length < finalizes; turn++) await rest();
  const before = said.length;
  stream.close();
  for (let turn = 0; turn < 5; turn++) await rest();
  return { said, finalizes, pushedMs: frame * FRAME_MS, mostUnderWay, longestMs, afterClose: said.length - before };
};

test("whatever happens in whatever order, the promises of a stream hold", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (plan) => {
      const { said, finalizes, pushedMs, mostUnderWay, longestMs, afterClose } = await run(plan);
      const events = said.flatMap((each) => (each === "flushed" ? [] : [each]));
      // Every request for the final text is answered once, and nothing comes after close.
      expect(said.filter((each) => each === "flushed")).toHaveLength(finalizes);
      expect(afterClose).toBe(0);
      // One decode at a time, of a bounded length.
      expect(mostUnderWay).toBeLessThanOrEqual(1);
      expect(longestMs).toBeLessThanOrEqual(30_000);
      // Utterances come in order, times lie within what was pushed.
      const numbers = [...new Set(events.map(({ utterance }) => utterance))];
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
      for (const { startMs, endMs } of events) {
        expect(startMs).toBeLessThanOrEqual(endMs);
        expect(endMs).toBeLessThanOrEqual(pushedMs);
      }
      // No sound is part of two utterances' texts.
      const finals = new Map(events.filter(({ final }) => final).map(({ utterance, text }) => [utterance, text]));
      const frames = [...finals.values()].flatMap((text) => text.split(" "));
      expect(new Set(frames).size).toBe(frames.length);
    }),
    { numRuns: 150 },
  );
});
