import { expect, test } from "vitest";
import { SystemClock } from "../../../../src/adapters/clock/system.ts";
import deepgram from "../../../../src/adapters/synthesizer/deepgram/deepgram.ts";
import { adapterDeps } from "../../../kit/adapter-deps.ts";
import { deepgram as deepgramWire } from "../../../kit/speech-servers/dialects.ts";
import { KEY, SpeechServer } from "../../../kit/speech-servers/speech-server.ts";

const LINE = { encoding: "mulaw", sampleRate: 8000 } as const;
const VOICE = { voiceId: "deepgram-aura-2-thalia-en", language: "en", options: {} };

test("a connection that has had its flushes of a minute is replaced before another one is needed", async () => {
  const server = await SpeechServer.start(deepgramWire);
  const env = { DEEPGRAM_API_KEY: KEY, DEEPGRAM_BASE_URL: server.url };
  const made = await deepgram.create(env, adapterDeps({ clock: new SystemClock() }));
  const speak = async (count: number) => {
    const pieces = async function* () {
      for (let at = 0; at < count; at += 1) yield await Promise.resolve("Yes.");
    };
    let ends = 0;
    for await (const chunk of made.synthesize(pieces(), VOICE, LINE, new AbortController().signal))
      if (chunk.endOfPiece === true) ends += 1;
    return ends;
  };
  expect(await speak(17)).toBe(17);
  expect(server.connections).toBe(1);
  expect(await speak(1)).toBe(1);
  // Nobody has asked for more yet.
  await server.until(() => server.connections === 2);
  expect(await speak(22)).toBe(22);
  expect(server.connections).toBe(3);
  // The server counts the flushes of each connection.
  expect(Math.max(...server.asked.map(({ id }) => Number(id)))).toBe(18);
  await made.close();
  await server.close();
});
