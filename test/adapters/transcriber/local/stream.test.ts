import { expect, test } from "vitest";
import { encodeLinear16 } from "../../../../src/audio/linear16.ts";
import { LocalTranscriber } from "../../../../src/adapters/transcriber/local/transcriber.ts";
import type { Lexicon } from "../../../../src/adapters/transcriber/local/lexicon.ts";
import type { Recognizer } from "../../../../src/adapters/transcriber/local/recognizer.ts";
import type { TranscriptEvent } from "../../../../src/ports/transcriber.ts";

/** Of no use without keywords. */
const PLAIN: Lexicon = { knows: () => true, isCommon: () => true, sounds: () => [new Uint8Array(0)] };

type Asked = { kind: "glance" | "decode"; sound: Int16Array; answer(text: string): void; fail(error: Error): void };

/** A recognizer whose answers the test gives, and a stream that uses it. */
const rig = (slots = 1) => {
  const asked: Asked[] = [];
  const ask = (kind: "glance" | "decode") => (sound: Int16Array) =>
    new Promise<string>((resolve, reject) => {
      asked.push({ kind, sound, answer: resolve, fail: reject });
    });
  const recognizer: Recognizer = { glance: ask("glance"), decode: ask("decode") };
  const transcriber = new LocalTranscriber(recognizer, PLAIN, slots);
  const open = () => {
    const said: (TranscriptEvent | "flushed" | Error)[] = [];
    const stream = transcriber.open(
      { language: "en", keywords: [], lineFormat: { encoding: "mulaw", sampleRate: 8000 } },
      {
        transcript: (event) => said.push(event),
        flushed: () => said.push("flushed"),
        failed: (error) => said.push(error),
      },
    );
    /** Every sample of a push has the same value, so that a sound tells where it was cut out. */
    const push = (ms: number, value = 1) => {
      stream.push(encodeLinear16(new Int16Array(ms * 16).fill(value)));
    };
    return { stream, push, said, texts: () => said.flatMap((each) => (isText(each) ? [each.text] : [])) };
  };
  /** Answers what was asked last, or what a predicate picks, and lets it take effect. */
  const answer = async (text: string) => {
    const next = asked.shift();
    if (next === undefined) throw new Error("nothing was asked");
    next.answer(text);
    await settle();
    return next;
  };
  return { asked, open, answer, transcriber };
};

const isText = (said: TranscriptEvent | "flushed" | Error): said is TranscriptEvent =>
  said !== "flushed" && !(said instanceof Error);

const settle = async () => {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
};

const lengthMs = (sound: Int16Array | undefined) => (sound?.length ?? 0) / 16;

test("the growing utterance is looked at every 300 ms, one look at a time, and agreed words are published", async () => {
  const { asked, open, answer } = rig();
  const { stream, push, said } = open();
  push(1000);
  stream.speech("started", 900);
  expect(asked).toHaveLength(1);
  push(200);
  push(200);
  expect(asked).toHaveLength(1);
  await answer("I want two");
  expect(said).toEqual([]);
  expect(asked).toHaveLength(1);
  push(400);
  await answer("I want to book.");
  expect(said).toEqual([{ utterance: 1, text: "I want", final: false, startMs: 900, endMs: 1400 }]);
  const third = await answer("I want to book a");
  expect(lengthMs(third.sound)).toBe(1800 - 400);
  expect(said.at(-1)).toMatchObject({ text: "I want to book", final: false });
  expect(asked).toHaveLength(0);
});

test("half a second before the onset is part of the utterance, and nothing of the turn before", async () => {
  const { open, answer } = rig();
  const { stream, push } = open();
  push(2000, 1);
  stream.speech("started", 1900);
  push(100, 2);
  stream.speech("ended", 2050);
  await answer("");
  const first = await answer("yes");
  expect(lengthMs(first.sound)).toBe(700);
  stream.endTurn();
  push(300, 3);
  stream.speech("started", 2310);
  const { sound } = await answer("");
  expect(lengthMs(sound)).toBe(300);
  expect([...new Set(sound)]).toEqual([3]);
});

test("when speech ends the text is decoded at once, and finalize gives it without another decode", async () => {
  const { asked, open, answer } = rig();
  const { stream, push, said } = open();
  push(300);
  stream.speech("started", 100);
  await answer("");
  push(200);
  stream.speech("ended", 300);
  expect(asked.map(({ kind }) => kind)).toEqual(["decode"]);
  push(300);
  stream.finalize();
  await answer("Hello there.");
  expect(asked).toEqual([]);
  expect(said).toEqual([
    { utterance: 1, text: "Hello there.", final: false, startMs: 100, endMs: 300 },
    { utterance: 1, text: "Hello there.", final: true, startMs: 100, endMs: 300 },
    "flushed",
  ]);
});

test("speech that resumes after finalize makes the same utterance grow, without the long pause", async () => {
  const { open, answer } = rig();
  const { stream, push, said } = open();
  push(1000, 1);
  stream.speech("started", 600);
  await answer("");
  stream.speech("ended", 900);
  await answer("I want");
  stream.finalize();
  await settle();
  push(3000, 0);
  push(200, 2);
  stream.speech("started", 4000);
  await answer("");
  push(100, 2);
  stream.speech("ended", 4250);
  const grown = await answer("I want a table.");
  // 900 ms of the first part; half a second before the onset and 300 ms of the second.
  expect(lengthMs(grown.sound)).toBe(900 + 500 + 300);
  stream.finalize();
  await settle();
  expect(said.at(-2)).toMatchObject({ utterance: 1, text: "I want a table.", final: true });
});

test("a look that waits is withdrawn when the final text is asked for; finals are decoded before looks", async () => {
  const { asked, open, answer } = rig();
  const [busy, other] = [open(), open()];
  busy.push(400);
  busy.stream.speech("started", 0);
  other.push(400);
  other.stream.speech("started", 0);
  expect(asked).toHaveLength(1);
  other.push(100);
  other.stream.finalize();
  await answer("");
  expect(asked.map(({ kind, sound }) => [kind, lengthMs(sound)])).toEqual([["decode", 500]]);
  await answer("Yes.");
  expect(other.texts()).toEqual(["Yes."]);
  expect(other.said).toContain("flushed");
});

test("speech that goes on over the end of the turn belongs to the next utterance from where the final text ended", async () => {
  const { asked, open, answer } = rig();
  const { stream, push, said } = open();
  push(1000, 1);
  stream.speech("started", 500);
  await answer("");
  stream.finalize();
  await answer("One.");
  push(200, 2);
  stream.endTurn();
  push(200, 2);
  const look = asked.at(-1);
  expect([...new Set(look?.sound)]).toEqual([2]);
  await answer("");
  stream.speech("ended", 1400);
  await answer("Two.");
  expect(said.at(-1)).toMatchObject({ utterance: 2, text: "Two.", startMs: 1000 });
});

test("an utterance of twelve seconds is cut where it is quietest, and both parts keep their text", async () => {
  const { asked, open, answer } = rig();
  const { stream, push, said } = open();
  stream.speech("started", 0);
  push(9000, 1000);
  push(300, 1);
  for (let pushed = 9300; pushed < 12_000; pushed += 100) push(100, 1000);
  await answer("");
  const cut = await answer("The first part.");
  expect(cut.kind).toBe("decode");
  expect(lengthMs(cut.sound)).toBeGreaterThan(9000);
  expect(lengthMs(cut.sound)).toBeLessThan(9300);
  expect(said.at(-1)).toMatchObject({ utterance: 1, text: "The first part.", final: true });
  expect(said).not.toContain("flushed");
  while (asked.length > 0) await answer("");
  push(100, 1000);
  stream.speech("ended", 12_100);
  const rest = await answer("The rest.");
  expect(lengthMs(rest.sound) + lengthMs(cut.sound)).toBe(12_100);
  expect(said.at(-1)).toMatchObject({ utterance: 2, text: "The rest." });
});

test("after six seconds a pause is taken for a cut, and the text that was ready is the first part's final one", async () => {
  const { asked, open, answer } = rig();
  const { stream, push, said } = open();
  stream.speech("started", 0);
  push(6500, 1);
  await answer("");
  stream.speech("ended", 6300);
  await answer("The first part.");
  push(400, 0);
  push(200, 2);
  stream.speech("started", 6900);
  await settle();
  expect(said.at(-1)).toMatchObject({ utterance: 1, text: "The first part.", final: true, endMs: 6300 });
  await answer("");
  push(100, 2);
  stream.speech("ended", 7100);
  const rest = await answer("The rest.");
  expect(lengthMs(rest.sound)).toBe(7200 - 6500);
  expect(said.at(-1)).toMatchObject({ utterance: 2, text: "The rest.", startMs: 6900 });
  expect(asked).toEqual([]);
});

test("a second of noise that gives no words is answered by flushed alone", async () => {
  const { open, answer } = rig();
  const { stream, push, said } = open();
  push(1000);
  stream.speech("started", 0);
  stream.finalize();
  await answer("");
  await answer("");
  expect(said).toEqual(["flushed"]);
});

test("a failing engine fails the stream once and for good", async () => {
  const { asked, open } = rig();
  const { stream, push, said } = open();
  push(1000);
  stream.speech("started", 0);
  stream.finalize();
  asked[0]?.fail(new Error("out of memory"));
  await settle();
  stream.finalize();
  push(1000);
  await settle();
  expect(said).toHaveLength(1);
  expect(said[0]).toMatchObject({ message: "out of memory" });
  expect(asked).toHaveLength(1);
});

test("too many unanswered requests fail the stream instead of piling up", async () => {
  const { open } = rig();
  const { stream, push, said } = open();
  push(100);
  for (let time = 0; time < 100; time++) stream.finalize();
  await settle();
  expect(said).toHaveLength(1);
  expect(said[0]).toBeInstanceOf(Error);
});

test("closing the transcriber closes its streams, and it opens no more", async () => {
  const { open, transcriber, asked } = rig();
  const { stream, push, said } = open();
  push(1000);
  stream.speech("started", 0);
  await transcriber.close();
  asked[0]?.answer("too late");
  await settle();
  expect(said).toEqual([]);
  expect(open).toThrow("closed");
});
