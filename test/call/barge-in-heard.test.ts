import { afterAll, beforeAll, expect, test } from "vitest";
import { HearingEngines } from "../bench/barge-in/engines.ts";
import { heardCall } from "../bench/barge-in/heard-call.ts";
import { FLITE_PEOPLE, type Talk } from "../bench/barge-in/people.ts";
import { anySpeech, SENSITIVITIES, situations } from "../bench/barge-in/situations.ts";
import { PULL_TIMEOUT_MS } from "../kit/pulled-models.ts";
import { makeSpeaker } from "../kit/spoken.ts";

/** A few of what `npm run bench -- barge-in` measures; the engines are real, and time is not. */
let engines: HearingEngines;
let talk: Talk;

beforeAll(async () => {
  const [hearing, flite] = await Promise.all([HearingEngines.start(), makeSpeaker()]);
  engines = hearing;
  talk = (text, voice) => flite(text, voice === "rms" || voice === "slt" || voice === "kal16" ? voice : "rms");
}, PULL_TIMEOUT_MS);

afterAll(() => engines.close());

test("any speech silences the agent within 250 ms at the caller's ear, however sensitive it is", async () => {
  for (const sensitivity of SENSITIVITIES) {
    const delays = await anySpeech(() => engines.forCall(false), talk, FLITE_PEOPLE, sensitivity, 6);
    expect(delays).toHaveLength(6);
    const sorted = delays.toSorted((a, b) => a - b);
    expect(sorted[4], sensitivity).toBeLessThanOrEqual(250);
    expect(sorted[5], sensitivity).toBeLessThanOrEqual(350);
  }
});

test.for(situations(FLITE_PEOPLE.slice(0, 1)))("$name: the agent $wanted", async ({ cases, right, name, scene }) => {
  const [first = expect.fail(`nothing is done for ${name}`)] = cases(talk);
  const call = await heardCall(engines.forCall(true), first, scene);
  expect(right(call), JSON.stringify({ ...call, turns: undefined })).toBe(true);
});
