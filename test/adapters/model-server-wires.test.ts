import { afterEach, describe, expect, test } from "vitest";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import languageModel from "../../src/adapters/language-model/model-server/model-server.ts";
import synthesizer from "../../src/adapters/synthesizer/model-server/model-server.ts";
import turnDetector from "../../src/adapters/turn-detector/model-server/model-server.ts";
import { wireCases } from "../contract/wire-cases.ts";
import { adapterDeps } from "../kit/adapter-deps.ts";
import { KEY } from "../kit/vendors/deepgram-vendors.ts";
import { serveModelVendor } from "../kit/vendors/model-vendor.ts";
import type { Fault, ScriptedVendor } from "../kit/vendors/scripted-vendor.ts";

const LINE = { encoding: "mulaw", sampleRate: 8000 } as const;
const MANY_SCRIPTS = "Grüße, Żółć! 👍🏽 日本語";

/** One port's adapter, asked for one thing; what comes back is what was asked, piece by piece. */
type Subject = Readonly<{
  port: string;
  make(env: Readonly<Record<string, string>>): Promise<Asked>;
  texts: readonly [string, string];
  /** What stands behind the last piece of a whole answer; nothing where an answer is one piece. */
  ending?: unknown;
  /** Whether an answer has a beginning before its end. */
  streams: boolean;
}>;

type Asked = Readonly<{ ask(text: string, signal: AbortSignal): AsyncIterable<unknown>; close(): Promise<void> }>;

const deps = adapterDeps({ clock: new SystemClock() });
const forever = new AbortController().signal;

const SUBJECTS: readonly Subject[] = [
  {
    port: "synthesizer",
    make: async (env) => {
      const made = await synthesizer.create(env, deps);
      const pieces = async function* (text: string) {
        yield await Promise.resolve(text);
      };
      return {
        async *ask(text, signal) {
          const voice = { voiceId: "v", language: "en", options: {} };
          for await (const { audio, endOfPiece } of made.synthesize(pieces(text), voice, LINE, signal))
            yield endOfPiece === true ? "end" : Buffer.from(audio).toString();
        },
        close: () => made.close(),
      };
    },
    texts: ["Good morning.", MANY_SCRIPTS],
    ending: "end",
    streams: true,
  },
  {
    port: "language-model",
    make: async (env) => {
      const made = await languageModel.create(env, deps);
      return {
        async *ask(text, signal) {
          const request = { model: "m", messages: [{ role: "user", text } as const], tools: [], options: {} };
          for await (const event of made.generate(request, signal)) yield event.type === "text" ? event.text : event;
        },
        close: () => made.close(),
      };
    },
    texts: ["morning", MANY_SCRIPTS.replaceAll(" ", "_")],
    ending: { type: "done", inputTokens: 7, outputTokens: 3 },
    streams: true,
  },
  {
    port: "turn-detector",
    make: async (env) => {
      const made = await turnDetector.create(env, deps);
      return {
        async *ask(text) {
          yield (await made.judge(Int16Array.of(Number(text)))).toFixed(2);
        },
        close: () => made.close(),
      };
    },
    texts: ["25", "75"],
    streams: false,
  },
];

describe.each(SUBJECTS)("a model server as a $port", ({ port, make, texts, ending, streams }) => {
  const { covers, complete } = wireCases();
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });

  const start = async (script: readonly Fault[] = [], key = KEY): Promise<[Asked, ScriptedVendor]> => {
    const vendor = await serveModelVendor(script);
    closing.push(() => vendor.close());
    const made = await make({ MODEL_SERVER_URL: vendor.url, MODEL_SERVER_TOKEN: key });
    closing.push(() => made.close());
    return [made, vendor];
  };
  const answerTo = async ({ ask }: Asked, text: string): Promise<unknown[]> => {
    const answers: unknown[] = [];
    for await (const answer of ask(text, forever)) answers.push(answer);
    return answers;
  };
  const whole = (text: string): unknown[] => [
    port === "turn-detector" ? (Number(text) / 100).toFixed(2) : text,
    ...(ending === undefined ? [] : [ending]),
  ];
  const failure = (made: Asked): Promise<unknown> => answerTo(made, texts[0]).catch((error: unknown) => error);

  covers(
    "connect",
    "stream",
    "finalize",
    "unicode",
  )("asks, and gives the answer whole in any script", async () => {
    const [made, { record }] = await start();
    for (const text of texts) expect(await answerTo(made, text)).toEqual(whole(text));
    await record.until(() => record.live === 0);
    record.check();
  });

  covers("interleave")("keeps two that are asked at a time apart", async () => {
    const [made] = await start([
      { type: "slow", byMs: 20 },
      { type: "slow", byMs: 1 },
    ]);
    const answers = await Promise.all(texts.map((text) => answerTo(made, text)));
    expect(answers).toEqual(texts.map(whole));
  });

  covers("slow")("waits for a slow server", async () => {
    const [made] = await start([{ type: "slow", byMs: 150 }]);
    expect(await answerTo(made, texts[0])).toEqual(whole(texts[0]));
  });

  covers("stall", "cancel")("lets go of a server that stalls, and the server is told so", async () => {
    const [made, { record }] = await start([{ type: "stalls" }]);
    const controller = new AbortController();
    const answers = made.ask(texts[0], controller.signal)[Symbol.asyncIterator]();
    const next = answers.next().catch((error: unknown) => error);
    await record.until(() => record.live === 1);
    controller.abort();
    // A judgement that is too late is none; whoever waits for it needs no signal.
    expect(await next).toMatchObject(streams ? { done: true } : { name: "ProviderError", kind: "timeout" });
    await record.until(() => record.live === 0);
    record.check();
  });

  covers("reconnect")(
    "fails where a stream breaks, and asks over the same connection or another one next time",
    async () => {
      const [made] = await start([{ type: "drops", afterMs: 0 }]);
      expect(await failure(made)).toMatchObject({ name: "ProviderError", kind: "unavailable", retryable: true });
      expect(await answerTo(made, texts[0])).toEqual(whole(texts[0]));
    },
  );

  covers("401", "429", "5xx").each([
    [401, "auth"],
    [429, "rate-limited"],
    [500, "unavailable"],
    [503, "unavailable"],
  ] as const)("tells what a refusal (%i) means", async (refused, kind) => {
    const [made, { record }] = await start([{ type: "refused", status: refused }]);
    const error = await failure(made);
    expect(error).toMatchObject({ name: "ProviderError", provider: "model-server", kind });
    expect(String(error)).not.toContain(texts[0]);
    expect(record.connections).toBe(1);
  });

  test("tells of a token that is not taken, and names its variable", async () => {
    const [made] = await start([], "another");
    expect(String(await failure(made))).toMatch(/MODEL_SERVER_TOKEN/u);
  });

  covers("half-closed", "garbage")("takes neither half an answer nor what is none for one", async () => {
    const [made] = await start([
      { type: "garbage" },
      ...(streams ? [{ type: "half-closes", afterMs: 0 } as const] : []),
    ]);
    expect(await failure(made)).toMatchObject({ name: "ProviderError", kind: "unavailable" });
    // An answer of one piece has no half.
    if (streams) expect(await failure(made)).toMatchObject({ name: "ProviderError", kind: "unavailable" });
    expect(await answerTo(made, texts[0])).toEqual(whole(texts[0]));
  });

  complete();
});
