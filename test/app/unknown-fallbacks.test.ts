import { expect, test } from "vitest";
import { tellUnknownFallbacks } from "../../src/app/unknown-fallbacks.ts";
import type { CallPlan } from "../../src/model/call-plan.ts";
import { ENGINES } from "../kit/api-rig.ts";
import { testAgent } from "../kit/dial-plans.ts";
import { silentLogger } from "../kit/silent-logger.ts";

const told = (fallbacks: CallPlan["agent"]["fallbacks"]) => {
  const lines: unknown[] = [];
  const logger = { ...silentLogger(), warn: (_message: string, fields?: unknown) => lines.push(fields) };
  tellUnknownFallbacks(
    fallbacks === undefined ? testAgent() : { ...testAgent(), fallbacks },
    { ...ENGINES, catalogue: ENGINES },
    logger,
  );
  return lines;
};

test("fallbacks that nobody has are told by their field and number, never by what the customer wrote", () => {
  const [model, transcriber] = [ENGINES.models[0]?.id ?? "", ENGINES.transcribers[0]?.name ?? ""];
  const voice = ENGINES.synthesizers[0]?.voices[0]?.id ?? "";
  expect(told({ models: [model, "Anna Smith", "x"], transcribers: ["y"], voices: [voice, "z"] })).toEqual([
    { what: "fallbacks.models", count: 2 },
    { what: "fallbacks.transcribers", count: 1 },
    { what: "fallbacks.voices", count: 1 },
  ]);
  expect(told({ models: [model], transcribers: [transcriber], voices: [voice] })).toEqual([]);
  expect(told({})).toEqual([]);
  expect(told(undefined)).toEqual([]);
});
