import { expect, test } from "vitest";
import { KNOWN_TRANSCRIBERS, transcriberLookUp } from "../../src/app/transcriber-look-up.ts";
import { FallbackTranscriber } from "../../src/call/fallback-transcriber.ts";
import { chooseTranscriber } from "../../src/dials/choose-engines.ts";
import { Breakers } from "../../src/kit/breakers.ts";
import type { Agent } from "../../src/model/agent.ts";
import type { Takeover } from "../../src/model/takeover.ts";
import type { Transcriber, TranscriberListener } from "../../src/ports/transcriber.ts";
import { discover } from "../../src/registry.ts";
import { adapterDeps } from "../kit/adapter-deps.ts";

const LINE = { encoding: "mulaw", sampleRate: 8000 } as const;
const nothing = () => undefined;

/** Fails as soon as it is opened, if it is told to, and notes that it was asked. */
const transcriber = (name: string, languages: readonly string[], asked: string[], fails = false): Transcriber => ({
  name,
  supports: (language) => languages.includes(language),
  open: (_hints, { failed }: TranscriberListener) => {
    asked.push(name);
    if (fails) queueMicrotask(() => failed(new Error("scripted")));
    return { format: LINE, push: nothing, speech: nothing, finalize: nothing, endTurn: nothing, close: nothing };
  },
  close: () => Promise.resolve(),
});

const rig = (transcriberFallbacks: readonly string[] = []) => {
  const asked: string[] = [];
  const running = [
    transcriber("local", ["en"], asked),
    transcriber("deepgram", ["en", "de"], asked, true),
    transcriber("assemblyai", ["en", "de"], asked),
  ];
  const deps = adapterDeps();
  const look = transcriberLookUp(
    { defaults: { transcriberFallbacks } },
    running,
    deps,
    new Breakers({ clock: deps.clock, logger: deps.logger }),
  );
  const listen = async (one: Transcriber, language: string) => {
    one.open(
      { language, keywords: [], lineFormat: LINE },
      { transcript: nothing, flushed: nothing, failed: () => asked.push("nobody") },
    );
    await new Promise((resolve) => setImmediate(resolve));
    return asked.splice(0);
  };
  return { look, listen, running };
};

test("an agent's transcribers stand behind its own, else those of the deployment, else those of this machine", async () => {
  const { look, listen } = rig(["assemblyai"]);
  expect(await listen(look("deepgram", { language: "en", fallbacks: ["local"] }), "en")).toEqual(["deepgram", "local"]);
  expect(await listen(look("deepgram", { language: "en" }), "en")).toEqual(["deepgram", "assemblyai"]);
  const own = rig();
  expect(await own.listen(own.look("deepgram", { language: "en" }), "en")).toEqual(["deepgram", "local"]);
});

test("those that are not here or do not hear the language are passed over", async () => {
  const { look, listen } = rig();
  const chosen = look("deepgram", { language: "de", fallbacks: ["google", "local", "assemblyai"] });
  expect(await listen(chosen, "de")).toEqual(["deepgram", "assemblyai"]);
  expect(look("deepgram", { language: "de" })).not.toBeInstanceOf(FallbackTranscriber);
});

test("who takes over from whom is told", async () => {
  const notes: Takeover[] = [];
  const { look, listen } = rig();
  await listen(look("deepgram", { language: "en", tookOver: (takeover) => notes.push(takeover) }), "en");
  expect(notes).toEqual([{ part: "transcriber", from: "deepgram", to: "local", why: "failed" }]);
});

test("a fallback that does not run here is told at the start", () => {
  expect(() => rig(["openai"])).toThrow("TRANSCRIBER_FALLBACKS names openai");
});

test("every vendor that there is may be named by agents, and without its key another hears, with a warning", async () => {
  const descriptors = await discover<Transcriber>("transcriber");
  const vendors = descriptors.map(({ name }) => name).filter((name) => name !== "model-server");
  expect([...KNOWN_TRANSCRIBERS].toSorted()).toEqual(vendors.toSorted());
  const { running } = rig();
  const engines = { transcribers: running, knownTranscribers: KNOWN_TRANSCRIBERS, synthesizers: [], models: [] };
  const agent = (type: string, language: string) => ({ language, transcriberParams: { type } }) as unknown as Agent;
  expect(chooseTranscriber(engines, agent("google", "en"))).toMatchObject({
    value: "local",
    warnings: [expect.stringContaining('"google" is not configured here')],
  });
  expect(chooseTranscriber(engines, agent("deepgram", "de"))).toEqual({ value: "deepgram", warnings: [] });
  expect(() => chooseTranscriber(engines, agent("deepgram", "sw"))).toThrow("Nothing that is configured here hears sw");
});
