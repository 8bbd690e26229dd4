import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SystemClock } from "../../../../src/adapters/clock/system.ts";
import { SystemRandom } from "../../../../src/adapters/random/system.ts";
import {
  agentToRow,
  functionToRow,
  phoneNumberToRow,
  promptToRow,
  rowToAgent,
  rowToFunction,
  rowToPhoneNumber,
  rowToPrompt,
} from "../../../../src/adapters/store/postgres/rows.ts";
import { openPostgresStore } from "../../../../src/adapters/store/postgres/store.ts";
import type { Agent } from "../../../../src/model/agent.ts";
import type { CallPlan } from "../../../../src/model/call-plan.ts";
import type { Extractor } from "../../../../src/model/extractor.ts";
import type { FunctionDefinition } from "../../../../src/model/function-definition.ts";
import type { PhoneNumber } from "../../../../src/model/phone-number.ts";
import type { VersionedPrompt } from "../../../../src/model/versioned-prompt.ts";
import type { Store } from "../../../../src/ports/store.ts";
import { testAgent, testPhoneNumber, testPlan, testPrompt } from "../../../kit/dial-plans.ts";
import { createTestDatabase, type TestDatabase } from "../../../kit/postgres.ts";

let database: TestDatabase;
let store: Store;
let count = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  store = await openPostgresStore({ url: database.url, clock: new SystemClock(), random: new SystemRandom() });
  const seed = { agent: testAgent(), prompt: testPrompt(), phoneNumber: testPhoneNumber() };
  await store.catalogue.seed({ workspaceId: "workspace-1", ...seed });
}, 60_000);

afterAll(async () => {
  await store.close();
  await database.close();
});

const RUNS = { numRuns: 60 };
/** Any text that JSON can hold, U+0000 and lone surrogates included. */
const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("", "\0", "\u{D800}", "'", "\\", "{}"));
/** Text for a column: PostgreSQL keeps neither U+0000 nor lone surrogates there, and names come validated. */
const columnText = fc.string({ unit: "grapheme", minLength: 1 }).filter((value) => !value.includes("\0"));
const json = fc
  .jsonValue()
  .map((value) => JSON.stringify(value))
  .filter((written) => !written.includes("\\\\"))
  .map((written) => JSON.parse(written) as unknown);
/** No backslash in keys: after an object with the key "\\", V8 13.6 reads escaped keys of objects alike as that one. */
const key = text.filter((value) => value !== "__proto__" && !value.includes("\\"));
const record = fc.dictionary(key, json);
const optional = { requiredKeys: [] as [] };

const agents: fc.Arbitrary<Agent> = fc
  .tuple(
    columnText,
    fc.record(
      {
        metadata: record,
        maxDurationSeconds: fc.integer({ min: 1, max: 86_400 }),
        defaultExtractorId: fc.option(text),
        openingLine: text,
        fillEmptyStringVariables: fc.boolean(),
        transcriberParams: fc.record({ type: text, keywords: fc.array(text) }),
      },
      optional,
    ),
  )
  .map(([name, rest]) => ({ id: "", name, language: "en", ...rest }));

const prompts: fc.Arbitrary<VersionedPrompt> = fc
  .tuple(
    text,
    fc.option(text),
    fc.record({ aiModelId: text, flowDefinition: fc.record({ globalContext: text }) }, optional),
  )
  .map(([name, prompt, rest]) => ({ id: "", name, agentType: "STANDARD", prompt, ...rest }));

const numbers: fc.Arbitrary<PhoneNumber> = fc
  .tuple(columnText, fc.record({ agentId: columnText, carrier: text, carrierAccountId: text }, optional))
  .map(([number, rest]) => ({ id: "", number, type: "PSTN", ...rest }));

const functions: fc.Arbitrary<FunctionDefinition> = fc
  .tuple(text, fc.array(text), fc.record({ apiPath: text, inputJsonSchema: text }, optional))
  .map(([name, allowed, rest]) => ({
    id: "",
    name,
    description: name,
    type: "transfer",
    allowedNumbers: allowed.map((number) => ({ number })),
    ...rest,
  }));

const extractors: fc.Arbitrary<Extractor> = fc
  .tuple(text, fc.array(fc.record({ name: text, type: fc.constantFrom("text", "json"), nullable: fc.boolean() })))
  .map(([name, fields]) => ({ id: "", name, fields }));

const plans: fc.Arbitrary<CallPlan> = fc
  .record({
    inputs: record,
    warnings: fc.array(text),
    maxDurationMs: fc.integer({ min: 1, max: 86_400_000 }),
    ringTimeoutMs: fc.integer({ min: 1, max: 600_000 }),
    voice: fc.record({
      id: text,
      options: fc.array(fc.record({ optionId: text, value: text })),
      volumeDb: fc.integer({ min: -30, max: 30 }),
    }),
    direction: fc.constantFrom("outbound", "inbound", "browser"),
  })
  .chain((parts) =>
    fc.tuple(fc.boolean(), fc.record({ openingLine: text, carrierAccountId: text }, optional)).map(([phone, rest]) => {
      // A browser's dial has neither numbers nor a carrier.
      const { fromNumber, toNumber, carrier, ...bare } = testPlan({ dialId: "" });
      return { ...bare, ...(phone ? { fromNumber, toNumber, carrier } : {}), ...parts, ...rest };
    }),
  );

test("what goes into a table of the catalogue comes out the same, when it is added and when it is changed", async () => {
  const { catalogue } = store;
  await fc.assert(
    fc.asyncProperty(agents, prompts, numbers, functions, extractors, async (...drawn) => {
      // Named here, so that a counterexample that shrinks is inserted anew every time.
      count += 1;
      const [agent, prompt, number, fn, extractor] = [
        { ...drawn[0], id: `made-agent-${count}` },
        { ...drawn[1], id: `made-prompt-${count}` },
        // A workspace has each number once.
        { ...drawn[2], id: `made-number-${count}`, number: `${drawn[2].number}${count}` },
        { ...drawn[3], id: `made-function-${count}` },
        { ...drawn[4], id: `made-extractor-${count}` },
      ];
      const ws = "workspace-1";
      await catalogue.addAgent(ws, testAgent(agent.id));
      expect(await catalogue.changeAgent(ws, agent.id, () => agent)).toEqual(agent);
      expect(await catalogue.findAgent(ws, agent.id)).toEqual(agent);
      expect(await catalogue.addPrompt(ws, agent.id, prompt)).toBe(true);
      expect(await catalogue.findPrompt(ws, agent.id, prompt.id)).toEqual(prompt);
      expect(await catalogue.addPhoneNumber(ws, number)).toBe(true);
      expect(await catalogue.findPhoneNumber(ws, number.id)).toEqual(number);
      await catalogue.addFunction(ws, fn);
      expect(await catalogue.findFunctions(ws, ["none", fn.id])).toEqual([fn]);
      expect(await catalogue.addExtractor(ws, agent.id, extractor)).toBe(true);
      expect(await catalogue.findExtractor(ws, agent.id, extractor.id)).toEqual(extractor);
    }),
    RUNS,
  );
});

test("a plan comes out of the claim as it went into the creation", async () => {
  await fc.assert(
    fc.asyncProperty(plans, async (drawn) => {
      count += 1;
      const plan = { ...drawn, dialId: `dial-${count}`, ...(drawn.toNumber ? { toNumber: `+${count}` } : {}) };
      await store.dials.create({ plan, sessionId: "session" });
      expect((await store.dials.claim(plan.dialId, "worker"))?.plan).toEqual(plan);
    }),
    RUNS,
  );
});

test("rows are made of columns and a remainder that do not overlap", () => {
  fc.assert(
    fc.property(agents, prompts, numbers, functions, (agent, prompt, number, fn) => {
      const id = "";
      const parsed = <Row extends { rest: string }>(row: Row) => ({ id, ...row, rest: JSON.parse(row.rest) as never });
      const rows = [
        [agentToRow(agent), rowToAgent(parsed(agentToRow(agent))), agent],
        [promptToRow(prompt), rowToPrompt(parsed(promptToRow(prompt))), prompt],
        [functionToRow(fn), rowToFunction(parsed(functionToRow(fn))), fn],
      ] as const;
      for (const [row, model, original] of rows) {
        expect(model).toEqual(original);
        expect(Object.keys(JSON.parse(row.rest) as object)).not.toContain("id");
      }
      const row = phoneNumberToRow(number);
      expect(rowToPhoneNumber({ ...parsed(row), agent_id: row.agent_id ?? null })).toEqual(number);
    }),
  );
});
