import { expect, test } from "vitest";
import { ThreadedSynthesizer } from "../../../../src/adapters/synthesizer/threaded/threaded-synthesizer.ts";
import { utterancesSoon } from "../../../../src/adapters/synthesizer/threaded/utterances.ts";
import type { AudioFormat } from "../../../../src/model/audio.ts";

const LINE: AudioFormat = { encoding: "mulaw", sampleRate: 8000 };
const VOICE = { id: "x-one", name: "One", voiceType: "x", voiceTier: "STANDARD", description: "" } as const;
const LONG = "Could you tell me a little more about what you are looking for today?";

/** What a thread of a certain pace is asked to say. */
const askedOf = async (msPerLetter: number | undefined, pieces: readonly string[]): Promise<readonly string[]> => {
  const asked: string[] = [];
  const thread = {
    msPerLetter,
    lane: () => ({ dueAt: 0 }),
    speak: (_lane: unknown, { text }: Readonly<{ text: string }>) => {
      asked.push(text);
      return Promise.resolve({ audio: new Uint8Array(800), words: [] });
    },
    close: () => Promise.resolve(),
  };
  const options = { name: "x", voices: [VOICE], firstAudioDeadlineMs: 800, maxUtteranceLength: 120 };
  const synthesizer = new ThreadedSynthesizer(options, thread);
  const given = async function* () {
    for (const piece of pieces) yield await Promise.resolve(piece);
  };
  const settings = { voiceId: "x-one", language: "en", options: {} };
  let ends = 0;
  for await (const chunk of synthesizer.synthesize(given(), settings, LINE, new AbortController().signal))
    if (chunk.endOfPiece === true) ends += 1;
  expect(ends).toBe(pieces.length);
  return asked;
};

test("an engine that is slow makes the first words of a reply first, and no other ones", async () => {
  const [soon = "", ...rest] = await askedOf(35, [LONG, LONG]);
  expect(soon.length).toBeGreaterThan(10);
  expect(soon.length).toBeLessThanOrEqual(1000 / 35 + 8);
  expect([soon, rest[0]].join(" ")).toBe(LONG);
  expect(rest.slice(1)).toEqual([LONG]);
});

test("an engine that is quick enough, or whose pace is not known, says a sentence as a whole", async () => {
  expect(await askedOf(10, [LONG])).toEqual([LONG]);
  expect(await askedOf(undefined, [LONG])).toEqual([LONG]);
});

test("no word is lost or moved, however short the first part shall be", () => {
  for (const length of [1, 5, 20, 40, 500]) {
    for (const text of [LONG, "", "One.", "... !", `${LONG} ${LONG} And then, after all that, we went home, slowly.`])
      expect(utterancesSoon(text, 120, length).join(" ").split(/\s+/u)).toEqual(text.trim().split(/\s+/u));
  }
});
