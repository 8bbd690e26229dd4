import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import { toError } from "../../src/kit/errors.ts";
import { millisecondsOf, type AudioFormat } from "../../src/model/audio.ts";
import type { AdapterDeps, Descriptor } from "../../src/ports/descriptor.ts";
import type { SpeechSynthesizer, SpokenChunk } from "../../src/ports/synthesizer.ts";
import { adapterDeps } from "../kit/adapter-deps.ts";
import { answerSpeech, openAi } from "../kit/speech-servers/dialects.ts";
import { KEY, LETTER_MS, SpeechServer, type Dialect } from "../kit/speech-servers/speech-server.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";
import { wireCases } from "./wire-cases.ts";

/** What the battery needs to know of a vendor. */
export type VendorUnderTest = Readonly<{
  descriptor: Descriptor<SpeechSynthesizer>;
  dialect: Dialect;
  /** What its variables begin with. */
  prefix: string;
  /** Behind the server's origin, in the base URL. */
  path?: string;
  /** A voice that its server has, with our prefix. */
  voiceId: string;
  /** Whether the carrier's own sound can be asked for. */
  telephone: boolean;
  /** It has one request for each piece, on connections that HTTP keeps. */
  http?: boolean;
}>;

const TELEPHONE: AudioFormat = { encoding: "mulaw", sampleRate: 8000 };

const forever = new AbortController().signal;

/** Every vendor passes this against a server on loopback that speaks its wire format. */
export const vendorSynthesizerContract = (vendor: VendorUnderTest): void => {
  const { descriptor, dialect, prefix, path = "", voiceId, telephone, http = false } = vendor;
  const { name } = descriptor;
  const { covers, complete } = wireCases();
  const voice = { voiceId, language: "en-US", options: {} };

  describe(`${name} and what its wire may bring`, () => {
    let server: SpeechServer;
    let clock: VirtualClock;
    let made: SpeechSynthesizer;
    const envFor = (url: string, key = KEY) => ({
      [`${prefix}_API_KEY`]: key,
      [`${prefix}_BASE_URL`]: `${url}${path}`,
    });
    const make = (deps: Partial<AdapterDeps> = {}) =>
      descriptor.create(envFor(server.url), adapterDeps({ clock, ...deps }));

    beforeEach(async () => {
      server = await SpeechServer.start(dialect, dialect === openAi ? answerSpeech : undefined);
      clock = new VirtualClock();
      made = await make();
    });
    afterEach(async () => {
      await made.close();
      await server.until(() => server.open === 0);
      expect(clock.pending).toBe(0);
      await server.close();
    });

    const say = (pieces: readonly string[], signal = forever, options = {}) =>
      collect(made.synthesize(streamOf(pieces), { ...voice, options }, TELEPHONE, signal));
    const msOf = (chunks: readonly SpokenChunk[]) =>
      chunks.reduce((sum, { audio }) => sum + millisecondsOf(made.formatFor(TELEPHONE), audio.length), 0);
    const failure = (text = "Hello there.") => say([text]).then(() => undefined, toError);

    covers("finalize", "unicode")(
      "asks for what was said, word for word, in any script, and loses no sound",
      async () => {
        const texts = ["Grüße, Żółć! 👍🏽 日本語", "naïve e\u0301tude “quoted” — done."];
        const chunks = await say(texts);
        expect(server.asked.map(({ text }) => text)).toEqual(texts);
        expect(msOf(chunks)).toBeCloseTo(texts.join("").length * LETTER_MS, -1);
        expect(chunks.filter(({ endOfPiece }) => endOfPiece === true).length).toBe(2);
      },
    );

    if (telephone)
      test("asks for the carrier's own sound", async () => {
        for (const line of [TELEPHONE, { encoding: "alaw", sampleRate: 8000 }] as const) {
          expect(made.formatFor(line)).toEqual(line);
          await collect(made.synthesize(streamOf(["Hello."]), voice, line, forever));
          expect(server.asked.at(-1)?.format).toEqual(line);
        }
      });

    covers("connect", "stream")("passes sound on before the rest of it is made", async () => {
      server.fates.push("held");
      const spoken = made.synthesize(streamOf(["Hello there."]), voice, TELEPHONE, forever)[Symbol.asyncIterator]();
      const first = await spoken.next();
      expect(first.done === true ? 0 : first.value.audio.length).toBeGreaterThan(0);
      server.release();
      for (let next = await spoken.next(); next.done !== true; next = await spoken.next());
    });

    covers("interleave")("keeps two calls apart that speak at the same time", async () => {
      server.fates.push("held", "held");
      const both = Promise.all([say(["Short."]), say(["A considerably longer sentence."])]);
      await server.until(() => server.asked.length === 2);
      server.release();
      const [one, two] = await both;
      expect(msOf(one)).toBeCloseTo("Short.".length * LETTER_MS, -1);
      expect(msOf(two)).toBeCloseTo("A considerably longer sentence.".length * LETTER_MS, -1);
    });

    test("uses one connection for one reply after another, and has it ready when it was told to be", async () => {
      const lists = server.lists;
      made.warm?.(voice, TELEPHONE);
      if (http) await server.until(() => server.lists > lists);
      await say(["One.", "Two."]);
      await say(["Three."]);
      // HTTP's own pool does not wait for a connection that is still busy with the small question.
      if (http) expect(server.open).toBeLessThanOrEqual(2);
      else expect(server.connections).toBe(1);
    });

    covers("cancel")("stops at the vendor when it is stopped, and speaks again after it", async () => {
      server.fates.push("held");
      const controller = new AbortController();
      let chunks = 0;
      for await (const _chunk of made.synthesize(streamOf(["A long story."]), voice, TELEPHONE, controller.signal)) {
        chunks += 1;
        controller.abort();
      }
      expect(chunks).toBe(1);
      await server.until(() => server.cancelled === 1);
      expect(msOf(await say(["Again."]))).toBeCloseTo("Again.".length * LETTER_MS, -1);
    });

    test("knows which languages its voices speak", () => {
      expect(made.supports("en-GB", voiceId)).toBe(true);
      expect(made.supports("tlh")).toBe(false);
      expect(made.supports("en", `${name}-nobody`)).toBe(false);
    });

    test("is stopped while it waits for the first sound", async () => {
      server.fates.push("silent");
      const controller = new AbortController();
      const said = say(["Hello."], controller.signal);
      await server.until(() => server.asked.length === 1);
      controller.abort();
      expect(await said).toEqual([]);
      await server.until(() => server.cancelled === 1);
    });

    covers("reconnect")(
      "speaks over a new connection when the vendor gave up the old one, and says it once",
      async () => {
        await say(["One."]);
        server.drop();
        await server.until(() => server.open === 0);
        await clock.settle();
        expect(msOf(await say(["Two."]))).toBeCloseTo("Two.".length * LETTER_MS, -1);
        if (http) return;
        server.fates.push("lost");
        expect(msOf(await say(["Three."]))).toBeCloseTo("Three.".length * LETTER_MS, -1);
        expect(server.asked.map(({ text }) => text)).toEqual(["One.", "Two.", "Three.", "Three."]);
      },
    );

    test("fails when a connection breaks in the middle, and does not say it anew", async () => {
      await say(["One."]);
      server.fates.push("broken");
      expect(await failure()).toMatchObject({ name: "ProviderError", provider: name, kind: "unavailable" });
      expect(server.asked.length).toBe(2);
    });

    covers("slow", "stall")("waits for a slow vendor, and not for one that stands still", async () => {
      server.fates.push("held");
      const slow = say(["Hello there."]);
      await server.until(() => server.asked.length === 1);
      await clock.settle();
      await clock.advance(4000);
      server.release();
      expect(msOf(await slow)).toBeCloseTo("Hello there.".length * LETTER_MS, -1);
      server.fates.push("silent");
      const stuck = failure();
      await server.until(() => server.asked.length === 2);
      await clock.advance(6000);
      expect(await stuck).toMatchObject({ kind: "timeout", retryable: true });
    });

    covers("401", "429", "5xx").each([
      [400, "rejected", false],
      [401, "auth", false],
      [403, "auth", false],
      [402, "rate-limited", true],
      [429, "rate-limited", true],
      [500, "unavailable", true],
      [503, "unavailable", true],
      [504, "timeout", true],
    ] as const)("tells what status %i means", async (status, kind, retryable) => {
      server.statuses.push(status);
      const error = await failure("Something private.");
      expect(error).toMatchObject({ name: "ProviderError", provider: name, kind, retryable });
      expect(String(error)).not.toContain("private");
      expect(String(error)).not.toContain(KEY);
    });

    test("tells what the vendor's own refusal means", async () => {
      server.fates.push("refused");
      expect(await failure()).toMatchObject({ kind: "rate-limited", retryable: true });
    });

    covers("half-closed", "garbage")("fails when the vendor ends its side, or sends what nobody can read", async () => {
      server.fates.push("half-closed");
      expect(await failure()).toMatchObject({ kind: "unavailable" });
      server.fates.push("garbage");
      expect(await failure()).toMatchObject({ kind: "unavailable" });
      expect(msOf(await say(["Fine."]))).toBeCloseTo("Fine.".length * LETTER_MS, -1);
    });

    test("fails at once when nobody answers", async () => {
      const nobody = await SpeechServer.start(dialect);
      const env = envFor(nobody.url);
      const own = await descriptor.create(env, adapterDeps({ clock: new VirtualClock() }));
      await nobody.close();
      const spoken = collect(
        own.synthesize(streamOf(["Hello."]), { ...voice, voiceId: own.voices[0]?.id ?? "" }, TELEPHONE, forever),
      );
      expect(await spoken.then(() => undefined, toError)).toMatchObject({ kind: "unavailable" });
      await own.close();
    });

    test("says which variable is missing, and takes no key that the vendor does not", async () => {
      expect(await descriptor.available({}, adapterDeps())).toMatch(`${prefix}_API_KEY`);
      expect(await descriptor.available({ ...envFor("ftp://x") }, adapterDeps())).toMatch(`${prefix}_BASE_URL`);
      expect(await descriptor.available(envFor(server.url), adapterDeps())).toBe(true);
      if (http) return;
      const refused = descriptor
        .create(envFor(server.url, "another"), adapterDeps({ clock }))
        .then(() => undefined, toError);
      expect(await refused).toMatchObject({ kind: "auth" });
    });

    test("adds next to nothing to the vendor's own delay", async () => {
      const real = await make({ clock: new SystemClock() });
      const time = new SystemClock();
      const delays: number[] = [];
      for (let round = 0; round < 30; round += 1) {
        server.fates.push("held");
        const spoken = real.synthesize(streamOf(["Hello there."]), voice, TELEPHONE, forever)[Symbol.asyncIterator]();
        const startedAt = time.monotonic();
        await spoken.next();
        delays.push(time.monotonic() - startedAt);
        server.release();
        for (let next = await spoken.next(); next.done !== true; next = await spoken.next());
      }
      // Both sides, the sockets between them and the making of the tone included; the median, as the machine has other work.
      const median = delays.toSorted((a, b) => a - b)[15] ?? Infinity;
      expect(median).toBeLessThan(25);
      await real.close();
    });

    complete();
  });
};

const collect = async (spoken: AsyncIterable<SpokenChunk>): Promise<readonly SpokenChunk[]> => {
  const chunks: SpokenChunk[] = [];
  for await (const chunk of spoken) chunks.push(chunk);
  return chunks;
};

async function* streamOf(pieces: readonly string[]): AsyncGenerator<string, void, undefined> {
  for (const piece of pieces) yield await Promise.resolve(piece);
}
