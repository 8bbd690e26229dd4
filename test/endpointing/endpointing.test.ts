import fc from "fast-check";
import { expect, test } from "vitest";
import { callerIntent, isGreeting } from "../../src/endpointing/caller-intent.ts";
import { completeness } from "../../src/endpointing/completeness.ts";
import { endpointWaitMs, hardTimeoutMs } from "../../src/endpointing/endpoint-policy.ts";
import { closedGate, DEFAULT_THRESHOLDS, observe, type SpeechChange } from "../../src/endpointing/speech-gate.ts";

test.for([
  ["SIMPLE", "CONSERVATIVE", 1000],
  ["SIMPLE", "DEFAULT", 700],
  ["SIMPLE", "AGGRESSIVE", 400],
] as const)("%s %s waits %i ms whatever was said", ([type, mode, ms]) => {
  expect(endpointWaitMs({ type, mode }, "I would like to")).toBe(ms);
  expect(endpointWaitMs({ type, mode }, "Yes.")).toBe(ms);
});

test.for([
  ["CONSERVATIVE", 500, 3500],
  ["DEFAULT", 300, 2500],
  ["AGGRESSIVE", 200, 1500],
] as const)("SEMANTIC %s stays between %i and %i ms", ([mode, min, max]) => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const wait = endpointWaitMs({ type: "SEMANTIC", mode }, text);
      expect(wait).toBeGreaterThanOrEqual(min);
      expect(wait).toBeLessThanOrEqual(max);
      expect(hardTimeoutMs({ type: "SEMANTIC", mode })).toBeGreaterThan(wait);
    }),
  );
});

test.for([
  ["I would like to", "I would like to book a table."],
  ["My number is 555", "My number is 555-234-6789."],
  ["Um", "No."],
  ["I need it for", "I need it for Thursday."],
])("%j looks less finished than %j", ([open, closed]) => {
  expect(completeness(open ?? "")).toBeLessThan(completeness(closed ?? ""));
});

test.for([
  ["mm-hm", "backchannel"],
  ["Yeah, okay.", "backchannel"],
  ["I see.", "backchannel"],
  ["Stop!", "stop"],
  ["no wait", "stop"],
  ["what about Tuesday", "turn"],
  ["I", "turn"],
  ["", "nothing"],
  ["…", "nothing"],
] as const)("%j over the agent is a %s", ([text, intent]) => {
  expect(callerIntent(text)).toBe(intent);
});

test("greetings are told from longer words", () => {
  expect(isGreeting("Hello?")).toBe(true);
  expect(isGreeting("Hi, good morning")).toBe(true);
  expect(isGreeting("Hello, who is this")).toBe(false);
  expect(isGreeting("")).toBe(false);
});

test("the gate opens after 60 ms of voice or 32 ms of certain one, closes after 160 ms of quiet, and changes alternate", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 300 }), (probabilities) => {
      let gate = closedGate;
      const changes: SpeechChange[] = [];
      for (const [index, probability] of probabilities.entries()) {
        const observed = observe(gate, probability, (index + 1) * 32, DEFAULT_THRESHOLDS);
        gate = observed.gate;
        if (observed.change !== undefined && observed.change.type !== "suspected") changes.push(observed.change);
      }
      for (const [index, change] of changes.entries()) {
        expect(change.type).toBe(index % 2 === 0 ? "started" : "ended");
        const before = changes[index - 1];
        if (change.type === "ended" && before?.type === "started")
          expect(change.lastVoicedMs).toBeGreaterThan(before.onsetMs);
      }
    }),
  );
  const seenIn = (voice: number) => {
    const speech = [...Array<number>(10).fill(0), ...Array<number>(20).fill(voice), ...Array<number>(20).fill(0)];
    let gate = closedGate;
    return speech.flatMap((probability, index) => {
      const observed = observe(gate, probability, (index + 1) * 32, DEFAULT_THRESHOLDS);
      gate = observed.gate;
      return observed.change === undefined ? [] : [[(index + 1) * 32, observed.change]];
    });
  };
  const ended = [1120, { type: "ended", lastVoicedMs: 960 }];
  expect(seenIn(0.7)).toEqual([[384, { type: "started", onsetMs: 320 }], ended]);
  expect(seenIn(0.9)).toEqual([[352, { type: "started", onsetMs: 320 }], ended]);
  expect(seenIn(0.4)).toEqual([]);
});

test("speech is suspected once a hiss, when it has lasted 60 ms and the detector finds anything in it", () => {
  const seenIn = (windows: readonly (readonly [probability: number, hissingMs: number])[]) => {
    let gate = closedGate;
    return windows.flatMap(([probability, hissingMs], index) => {
      const observed = observe(gate, probability, (index + 1) * 32, DEFAULT_THRESHOLDS, hissingMs);
      gate = observed.gate;
      return observed.change === undefined ? [] : [observed.change];
    });
  };
  expect(
    seenIn([
      [0.05, 40],
      [0.05, 60],
      [0.05, 100],
      [0.02, 0],
      [0.05, 60],
    ]),
  ).toEqual([
    { type: "suspected", onsetMs: 32 },
    { type: "suspected", onsetMs: 128 },
  ]);
  expect(
    seenIn([
      [0.05, 80],
      [0.9, 0],
    ]).map(({ type }) => type),
  ).toEqual(["suspected", "started"]);
  expect(
    seenIn([
      [0.01, 100],
      [0.02, 200],
    ]),
  ).toEqual([]);
});
