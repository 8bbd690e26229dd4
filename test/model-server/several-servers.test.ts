import { afterEach, expect, test } from "vitest";
import model from "../../src/adapters/language-model/model-server/model-server.ts";
import synthesizer from "../../src/adapters/synthesizer/model-server/model-server.ts";
import transcriber from "../../src/adapters/transcriber/model-server/model-server.ts";
import turnDetector from "../../src/adapters/turn-detector/model-server/model-server.ts";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import type { ServedEngines } from "../../src/model-server/engines.ts";
import { serveModels } from "../../src/model-server/serve-models.ts";
import { sleep, type Clock } from "../../src/ports/clock.ts";
import type { LanguageModel, ModelEvent } from "../../src/ports/language-model.ts";
import { ProviderError } from "../../src/ports/provider-error.ts";
import type { SpeechSynthesizer } from "../../src/ports/synthesizer.ts";
import type { Transcriber } from "../../src/ports/transcriber.ts";
import { adapterDeps } from "../kit/adapter-deps.ts";
import { silentLogger } from "../kit/silent-logger.ts";
import { TcpProxy } from "../kit/tcp-proxy.ts";

const LINE = { encoding: "mulaw", sampleRate: 8000 } as const;
const clock = new SystemClock();
const forever = new AbortController().signal;

/** Timers that ring twenty times sooner, so that a test need not wait until it is time to ask for health. */
const hastyClock: Clock = {
  now: () => clock.now(),
  monotonic: () => clock.monotonic(),
  setTimer: (ms, callback) => clock.setTimer(ms / 20, callback),
};

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** Says its name; fails, or waits for ever, as long as it is told to. */
class NamedModel implements LanguageModel {
  readonly name: string;
  readonly scripted = false;
  readonly models = [{ id: "m", name: "M", modelOptions: [] }];
  asked = 0;
  failure: Error | undefined;
  hold: Promise<void> | undefined;
  constructor(name: string) {
    this.name = name;
  }
  async *generate(): AsyncGenerator<ModelEvent> {
    this.asked += 1;
    if (this.failure !== undefined) throw this.failure;
    await this.hold;
    yield { type: "text", text: this.name };
    yield { type: "done" };
  }
  close = () => Promise.resolve();
}

/** Takes the pieces and sounds as long as it is told to. */
const voice = (name: string, said: string[], mute: () => boolean): SpeechSynthesizer => ({
  name,
  voices: [{ id: "v", name: "V", voiceType: name, voiceTier: "STANDARD", description: "" }],
  firstAudioDeadlineMs: 800,
  supports: () => true,
  formatFor: (line) => line,
  async *synthesize(pieces, _settings, _line, signal) {
    for await (const piece of pieces) {
      said.push(piece);
      if (mute())
        await new Promise<void>((resolve) => {
          signal.addEventListener("abort", () => resolve(), { once: true });
        });
      yield { audio: new Uint8Array(80), endOfPiece: true };
    }
  },
  close: () => Promise.resolve(),
});

const serve = async (engines: Partial<ServedEngines>, port = 0) => {
  const listening = await serveModels(
    { synthesizers: [], models: [], ...engines },
    { clock, logger: silentLogger(), address: `127.0.0.1:${port}` },
  );
  closing.push(() => listening.close());
  const proxy = await TcpProxy.start(listening.port);
  closing.push(() => proxy.close());
  return { proxy, listening };
};

const envOf = (...servers: readonly Readonly<{ proxy: TcpProxy }>[]) => ({
  MODEL_SERVER_URL: servers.map(({ proxy }) => `grpc://127.0.0.1:${proxy.port}`).join(", "),
});

const keep = <T extends Readonly<{ close(): Promise<void> }>>(made: T): T => {
  closing.push(() => made.close());
  return made;
};

const ask = async (made: LanguageModel): Promise<string> => {
  const request = { model: "m", messages: [], tools: [], options: {} };
  let text = "";
  for await (const event of made.generate(request, forever)) if (event.type === "text") text += event.text;
  return text;
};

const two = async () => {
  const [one, other] = [new NamedModel("one"), new NamedModel("other")];
  const servers = [await serve({ models: [one] }), await serve({ models: [other] })] as const;
  return { one, other, servers };
};

test("work goes to the server that has the least of it", async () => {
  const { one, other, servers } = await two();
  const held = Promise.withResolvers<void>();
  for (const each of [one, other]) each.hold = held.promise;
  const made = keep(await model.create(envOf(...servers), adapterDeps({ clock })));
  const answers = Promise.all(Array.from({ length: 6 }, () => ask(made)));
  while (one.asked + other.asked < 6) await sleep(clock, 2);
  held.resolve();
  expect((await answers).toSorted()).toEqual(["one", "one", "one", "other", "other", "other"]);
});

test("what a server that is gone or busy cannot begin is answered by another", async () => {
  const { one, servers } = await two();
  // For a while that is never over.
  const still: Clock = { ...hastyClock, monotonic: () => 0 };
  const made = keep(await model.create(envOf(...servers), adapterDeps({ clock: still })));
  one.failure = new ProviderError("one", "rate-limited", "too many");
  for (let time = 0; time < 4; time += 1) expect(await ask(made)).toBe("other");
  // One that said that it is busy is spared for a while.
  expect(one.asked).toBe(1);
  one.failure = undefined;
  await servers[1].proxy.close();
  for (let time = 0; time < 4; time += 1) expect(await ask(made)).toBe("one");
  // What a request is refused for is refused by the next one too.
  one.failure = new ProviderError("one", "rejected", "no");
  await expect(ask(made)).rejects.toMatchObject({ kind: "rejected" });
  one.failure = new ProviderError("one", "unavailable", "broken");
  await expect(ask(made)).rejects.toMatchObject({ kind: "unavailable" });
});

test("what a server has begun is not begun anew by another", async () => {
  const breaking: LanguageModel = {
    name: "breaking",
    scripted: false,
    models: [{ id: "m", name: "M", modelOptions: [] }],
    async *generate() {
      yield { type: "text", text: "Well" };
      throw new ProviderError("breaking", "unavailable", "broken");
    },
    close: () => Promise.resolve(),
  };
  const servers = [await serve({ models: [breaking] }), await serve({ models: [breaking] })] as const;
  const made = keep(await model.create(envOf(...servers), adapterDeps({ clock })));
  const texts: string[] = [];
  const request = { model: "m", messages: [], tools: [], options: {} };
  const asking = (async () => {
    for await (const event of made.generate(request, forever)) if (event.type === "text") texts.push(event.text);
  })();
  await expect(asking).rejects.toMatchObject({ kind: "unavailable" });
  expect(texts).toEqual(["Well"]);
});

test("every piece that a voice was given is spoken by the next server, when the first is gone before it sounded", async () => {
  const [first, second]: [string[], string[]] = [[], []];
  const servers = [
    await serve({ synthesizers: [voice("a", first, () => true)] }),
    await serve({ synthesizers: [voice("b", second, () => false)] }),
  ] as const;
  const made = keep(await synthesizer.create(envOf(...servers), adapterDeps({ clock })));
  expect(made.voices.map(({ id }) => id)).toEqual(["server-v"]);
  const settings = { voiceId: "server-v", language: "en", options: {} };
  const more = Promise.withResolvers<string>();
  const pieces = async function* () {
    yield "One.";
    yield await more.promise;
  };
  // Whose turn it is to begin is the list's affair: until the mute one was asked, the other one says it.
  let ends = 0;
  let wasMute = false;
  while (!wasMute) {
    second.length = 0;
    ends = 0;
    const spoken = made.synthesize(pieces(), settings, LINE, forever);
    const speaking = (async () => {
      for await (const { endOfPiece } of spoken) if (endOfPiece === true) ends += 1;
    })();
    while ([...first, ...second].length === 0) await sleep(clock, 2);
    wasMute = first.includes("One.");
    if (wasMute) await servers[0].proxy.close();
    more.resolve("Two.");
    await speaking;
  }
  expect(second).toEqual(["One.", "Two."]);
  expect(ends).toBe(2);
});

test("a judgement is given by another server when the first is gone", async () => {
  const detector = (name: string, probability: number) => ({
    name,
    windowMs: 2000,
    judge: () => Promise.resolve(probability),
    close: () => Promise.resolve(),
  });
  const servers = [
    await serve({ turnDetector: detector("a", 0.25) }),
    await serve({ turnDetector: detector("b", 0.75) }),
  ] as const;
  const made = keep(await turnDetector.create(envOf(...servers), adapterDeps({ clock })));
  const judged = new Set([await made.judge(new Int16Array(160)), await made.judge(new Int16Array(160))]);
  expect(judged).toEqual(new Set([0.25, 0.75]));
  await servers[0].proxy.close();
  for (let time = 0; time < 3; time += 1) expect(await made.judge(new Int16Array(160))).toBe(0.75);
  await servers[1].proxy.close();
  await expect(made.judge(new Int16Array(160))).rejects.toMatchObject({ name: "ProviderError", kind: "unavailable" });
});

test("a call that is heard by a server that goes down is heard on by the other, from the beginning of its unfinished turn", async () => {
  const heard: Record<string, number> = { a: 0, b: 0 };
  const counting = (name: string): Transcriber => ({
    name,
    supports: () => true,
    open: (_, listener) => {
      let ms = 0;
      return {
        format: { encoding: "linear16", sampleRate: 16_000 },
        push: (payload) => {
          ms += payload.length / 32;
          heard[name] = ms;
        },
        speech: () => undefined,
        finalize: () => {
          listener.transcript({ utterance: 1, text: `${name} ${ms}`, final: true, startMs: 0, endMs: ms });
          listener.flushed();
        },
        endTurn: () => undefined,
        close: () => undefined,
      };
    },
    close: () => Promise.resolve(),
  });
  const servers = { a: await serve({ transcriber: counting("a") }), b: await serve({ transcriber: counting("b") }) };
  const made = keep(await transcriber.create(envOf(servers.a, servers.b), adapterDeps({ clock })));
  const texts: string[] = [];
  const flushed = Promise.withResolvers<void>();
  const stream = made.open(
    { language: "en", keywords: [], lineFormat: LINE },
    { transcript: ({ text }) => texts.push(text), flushed: flushed.resolve, failed: flushed.reject },
  );
  stream.push(new Uint8Array(32 * 500));
  while ((heard["a"] ?? 0) + (heard["b"] ?? 0) < 500) await sleep(clock, 2);
  const [first, next] = heard["a"] === 0 ? (["b", "a"] as const) : (["a", "b"] as const);
  await servers[first].proxy.close();
  stream.push(new Uint8Array(32 * 100));
  stream.finalize();
  await flushed.promise;
  expect(texts).toEqual([`${next} 600`]);
  stream.close();
});

test("a server that was away at the start is used as soon as it is there, and a list of which none is there says why", async () => {
  const { one, other, servers } = await two();
  const env = envOf(...servers);
  const { port } = servers[1].proxy;
  await servers[1].proxy.close();
  const deps = adapterDeps({ clock: hastyClock });
  const made = keep(await model.create(env, deps));
  await expect(model.check(env, deps)).rejects.toThrow(`127.0.0.1:${port}: no server answers there`);
  expect(await ask(made)).toBe("one");
  const back = await TcpProxy.start(servers[1].listening.port, port);
  closing.push(() => back.close());
  while (other.asked === 0) {
    await ask(made);
    await sleep(clock, 20);
  }
  expect(one.asked).toBeGreaterThan(0);
  await back.close();
  await servers[0].proxy.close();
  expect(await model.available({ MODEL_SERVER_URL: env.MODEL_SERVER_URL.replaceAll("grpc:", "http:") }, deps)).toMatch(
    /MODEL_SERVER_URL: the address must be grpc:/u,
  );
});

test("a server that takes everything and never answers is given up by its health, and what waited for it goes to another", async () => {
  const { one, other, servers } = await two();
  const made = keep(await model.create(envOf(...servers), adapterDeps({ clock: hastyClock })));
  while (one.asked === 0 || other.asked === 0) await ask(made);
  servers[0].proxy.hang();
  const [asked, before] = [other.asked, one.asked];
  expect(await Promise.all([ask(made), ask(made)])).toEqual(["other", "other"]);
  expect(one.asked).toBe(before);
  expect(other.asked).toBe(asked + 2);
  // It is known now, and nothing waits for it any more.
  const from = clock.monotonic();
  for (let time = 0; time < 4; time += 1) expect(await ask(made)).toBe("other");
  expect(clock.monotonic() - from).toBeLessThan(2000);
});
