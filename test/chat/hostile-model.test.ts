import fc from "fast-check";
import { expect, test } from "vitest";
import { planOf } from "../../src/chat/agent-definition.ts";
import { openCall } from "../../src/chat/play.ts";
import type { LanguageModel, ModelEvent } from "../../src/ports/language-model.ts";
import { silentLogger } from "../kit/silent-logger.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

/** What a model may do in one answer; a broken one fails in the middle. */
const event: fc.Arbitrary<ModelEvent> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.string({ unit: "binary", maxLength: 30 }).map((text) => ({ type: "text", text }) as const),
  },
  { weight: 3, arbitrary: fc.string({ maxLength: 1 }).map((text) => ({ type: "text", text }) as const) },
  fc.constant({ type: "text", text: "word ".repeat(3000) } as const),
  fc
    .record({
      id: fc.constantFrom("a", "b", ""),
      name: fc.constantFrom(
        "book",
        "connect",
        "erase",
        "end_call",
        "press_digits",
        "collect_digits",
        "switch_language",
        "mark_do_not_call",
        "__proto__",
        "",
      ),
      args: fc.oneof(
        fc.constantFrom(
          '{"size":2}',
          '{"size":"two"}',
          "{",
          "null",
          "",
          '{"destination":"+12025550199"}',
          '{"digits":"1"}',
          '{"maxDigits":2}',
          '{"language":"es"}',
        ),
        fc.json(),
        fc.string({ unit: "binary" }),
      ),
    })
    .map((call) => ({ type: "call", call }) as const),
);

/** Words for half an hour, ahead of something that must not be interrupted. */
const ENDLESS_BEFORE_TRANSFER = {
  events: [
    { type: "text", text: "word ".repeat(3000) } as const,
    { type: "text", text: "word ".repeat(3000) } as const,
    { type: "call", call: { id: "a", name: "connect", args: '{"destination":"+12025550199"}' } } as const,
  ],
  fails: false,
};

const answers = fc.array(fc.record({ events: fc.array(event, { maxLength: 8 }), fails: fc.boolean() }), {
  maxLength: 12,
});

const DEFINITION = {
  agent: { name: "A", language: "en", additionalLanguages: ["es"], openingLine: "Hello." },
  prompt: { prompt: "You book tables." },
  functions: [
    {
      name: "book",
      description: "Books.",
      type: "api" as const,
      apiPath: "https://example.com/book",
      inputJsonSchema: '{"type":"object","properties":{"size":{"type":"number"}},"required":["size"]}',
    },
    {
      name: "connect",
      description: "Connects.",
      type: "transfer" as const,
      allowedNumbers: [{ number: "+12025550199" }],
    },
  ],
};

test(
  "whatever a model streams, each turn is answered or the call ends, and no wish is carried out twice",
  { timeout: 60_000 },
  async () => {
    const plan = planOf(DEFINITION, { models: [], scripted: false }, { inputs: {}, direction: "outbound" });
    await fc.assert(
      fc.asyncProperty(answers, async (given) => {
        const left = [...given];
        const model: LanguageModel = {
          name: "hostile",
          scripted: false,
          models: [],
          async *generate() {
            const next = left.shift() ?? { events: [{ type: "text", text: "Well." } as const], fails: false };
            yield* next.events;
            if (next.fails) throw new Error("broke off");
            yield { type: "done" };
          },
          close: async () => undefined,
        };
        const deps = { clock: new VirtualClock(), logger: silentLogger(), modelFor: () => ({ model, modelId: "m" }) };
        const { call, functions } = openCall(deps, plan, {
          functions: { book: { result: { ok: true }, afterMs: 3000 } },
          transfers: "failed",
        });
        const over = () => call.end !== undefined;
        await call.answer();
        for (let turn = 0; turn < 3 && !over(); turn++) {
          const before = call.transcript.length;
          if (turn === 1) await call.presses("12#");
          if (over()) break;
          await call.says(`What about number ${turn}?`);
          const since = call.transcript.slice(before);
          expect(over() || since.some(({ speaker }) => speaker === "AI")).toBe(true);
        }
        expect(new Set(functions.called.map(({ callId }) => callId)).size).toBe(functions.called.length);
        for (const { text } of call.transcript) expect(typeof text).toBe("string");
        await call.close();
      }),
      { numRuns: 150, examples: [[[ENDLESS_BEFORE_TRANSFER]]] },
    );
  },
);
