import { expect, test } from "vitest";
import { tellFromTheStart, tellOfStores } from "../../src/app/told-from-the-start.ts";

const told = () => {
  const failures: string[] = [];
  const takeovers: string[] = [];
  const asked: string[] = [];
  const metrics = {
    mayFail: (port: string, provider: string) => failures.push(`${port} ${provider}`),
    mayTakeOver: (port: string, from: string, to: string) => takeovers.push(`${port} ${from} to ${to}`),
  };
  const breaker = { admit: () => true, succeeded: () => undefined, failed: () => undefined };
  const of = (port: string, provider: string) => {
    asked.push(`${port} ${provider}`);
    return breaker;
  };
  return { failures, takeovers, asked, metrics, breakers: { of } };
};

test("whoever may fail, rest or be taken over from is told before it does", () => {
  const { failures, takeovers, asked, metrics, breakers } = told();
  const models = [
    { name: "openai", models: [{ id: "large" }, { id: "small" }, { id: "old" }] },
    { name: "other", models: [{ id: "small" }] },
  ];
  const running = {
    vad: { name: "silero" },
    transcribers: [{ name: "deepgram" }, { name: "local" }],
    synthesizers: [{ name: "flite" }],
    models,
  };
  tellFromTheStart(running, ["small"], breakers, metrics);
  expect(failures.toSorted()).toEqual([
    "model dialogue",
    "model openai",
    "model other",
    "synthesizer flite",
    "transcriber deepgram",
    "transcriber local",
    "vad silero",
  ]);
  expect(takeovers.toSorted()).toEqual([
    "model openai/large to openai/small",
    "model openai/small to openai/large",
    "transcriber deepgram to local",
    "transcriber local to deepgram",
  ]);
  expect(asked).toContain("model openai/old");
  expect(asked).toContain("synthesizer flite");
});

test("stores tell of themselves: the queue by what it lies in, the others where Redis is shared", () => {
  const alone = told();
  tellOfStores(false, alone.metrics);
  expect(alone.failures).toEqual(["queue postgres"]);
  const shared = told();
  tellOfStores(true, shared.metrics);
  expect(shared.failures).toContain("queue redis");
  expect(shared.failures).toContain("phrases redis");
  expect(shared.failures).not.toContain("queue postgres");
});
