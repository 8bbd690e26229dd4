import fc from "fast-check";
import { expect, test } from "vitest";
import { conditionHolds, sameValue } from "../../../src/dialogue/flow/conditions.ts";
import { firstRule } from "../../../src/dialogue/flow/rules.ts";
import { fillText, fillValue, lookUp, type Values } from "../../../src/dialogue/flow/values.ts";
import type { TransitionRule } from "../../../src/model/versioned-prompt.ts";
import { always, rule } from "./nodes.ts";

const valuesWith = (change: Partial<Values> = {}): Values => ({
  variables: {},
  outputs: new Map(),
  own: {},
  yields: new Map([
    ["ask", ["answer"]],
    ["look.up", ["found", "item", "a.b"]],
  ]),
  fillEmpty: false,
  ...change,
});

const holds = (value: unknown, condition: Partial<TransitionRule>): boolean =>
  conditionHolds({ field: "x", ...condition }, valuesWith({ own: { x: value } }));

test.each<readonly [unknown, string, boolean]>([
  ["blue", "blue", true],
  ["  Blue. ", "bLUE", true],
  ["dark   blue", "Dark Blue", true],
  ["blue", "bluer", false],
  ["", "", true],
  ["ＢＬＵＥ", "blue", true],
  [5, "5", true],
  [5, "5.0", true],
  [5, "five", true],
  ["five", "5", true],
  ["1,000", "1000", true],
  ["one thousand", "1000", true],
  [0, "0", true],
  [5, "6", false],
  [5, "blue", false],
  ["007", "7", false],
  ["12345678901234567", "12345678901234568", false],
  [true, "true", true],
  [true, "TRUE", true],
  [false, "false", true],
  [false, "", false],
  [true, "1", false],
  [null, "null", false],
  [undefined, "", false],
  [{ a: 1 }, '{"a":1}', true],
  [{ a: 1 }, '{"a":2}', false],
  [["red", "blue"], "blue", true],
  [["red", "blue"], "green", false],
  [[], "", false],
  [[1, 2], "2", true],
])("%j equals %j: %j", (value, expected, held) => {
  expect(holds(value, { conditionType: "equal", value: expected })).toBe(held);
});

test.each<readonly [unknown, readonly string[], boolean]>([
  ["blue", ["red", "Blue"], true],
  ["green", ["red", "blue"], false],
  [3, ["1", "3"], true],
  [true, ["true"], true],
  [["red", "green"], ["red"], true],
  [null, ["null"], false],
])("%j is in %j: %j", (value, among, held) => {
  expect(holds(value, { conditionType: "in", values: [...among] })).toBe(held);
});

test.each<readonly [unknown, "greater" | "less", string, boolean]>([
  [5, "greater", "4", true],
  [5, "greater", "5", false],
  [5, "less", "5.5", true],
  [-1, "less", "0", true],
  ["7", "greater", "6", true],
  ["seven", "greater", "6", true],
  ["$1,200", "greater", "1000", true],
  ["many", "greater", "1", false],
  ["many", "less", "1", false],
  [true, "greater", "0", false],
  [null, "less", "1", false],
  [[1, 9], "greater", "5", true],
  [Number.NaN, "less", "1", false],
])("%j is %s than %s: %j", (value, conditionType, expected, held) => {
  expect(holds(value, { conditionType, value: expected })).toBe(held);
});

test.each<readonly [unknown, Partial<TransitionRule>, boolean]>([
  [["a", "b"], { conditionType: "in", values: ["a", "b", "c"] }, true],
  [["a", "d"], { conditionType: "in", values: ["a", "b", "c"] }, false],
  [["a", "a"], { conditionType: "equal", value: "a" }, true],
  [["a", "b"], { conditionType: "equal", value: "a" }, false],
  [[4, 6], { conditionType: "greater", value: "3" }, true],
  [[2, 6], { conditionType: "greater", value: "3" }, false],
  [[], { conditionType: "in", values: ["a"] }, false],
  ["a", { conditionType: "equal", value: "a" }, true],
])("with all, %j fulfils %j: %j", (value, condition, held) => {
  expect(holds(value, { ...condition, arrayConditionType: "all" })).toBe(held);
});

test.each<readonly [string, unknown]>([
  ["node.ask.answer", "blue"],
  ["{{node.ask.answer}}", "blue"],
  [" {{ node.ask.answer }} ", "blue"],
  ["node.look.up.found", true],
  ["node.look.up.item.names.1", "second"],
  ["node.look.up.a.b", 7],
  ["node.look.up.a.b.c", undefined],
  ["node.ask.other", undefined],
  ["node.nowhere.answer", undefined],
  ["answer", "mine"],
  ["{{answer}}", "mine"],
  ["plan", "gold"],
  ["customer.address.city", "Rome"],
  ["customer.address", { city: "Rome" }],
  ["with.dots", "whole"],
  ["customer.phone", undefined],
  ["constructor", undefined],
  ["customer.constructor", undefined],
  ["__proto__", undefined],
])("the field %j means %j", (field, expected) => {
  const values = valuesWith({
    variables: { plan: "gold", answer: "not mine", customer: { address: { city: "Rome" } }, "with.dots": "whole" },
    outputs: new Map<string, Readonly<Record<string, unknown>>>([
      ["ask", { answer: "blue" }],
      ["look.up", { found: true, item: { names: ["first", "second"] }, "a.b": 7 }],
    ]),
    own: { answer: "mine" },
  });
  expect(lookUp(field, values)).toEqual(expected);
});

test("a condition may compare with what another node yielded, and with lists", () => {
  const values = valuesWith({ own: { x: 5 }, variables: { limit: 4, allowed: [3, 5] } });
  expect(conditionHolds(rule("greater", { field: "x", value: "{{limit}}" }, "a"), values)).toBe(true);
  expect(conditionHolds(rule("in", { field: "x", values: ["{{allowed}}"] }, "a"), values)).toBe(true);
  expect(conditionHolds(rule("equal", { field: "x", value: "{{missing}}" }, "a"), values)).toBe(false);
});

test("texts keep the holders of missing values, or lose them where the agent says so, and never read a value again", () => {
  const variables = { name: "{{secret}}", secret: "s", list: [1, 2], none: null };
  const text = "{{name}} {{list}} {{none}} {{missing}} {{node.ask.answer}}";
  expect(fillText(text, valuesWith({ variables }))).toBe("{{secret}} [1,2] {{none}} {{missing}} {{node.ask.answer}}");
  expect(fillText(text, valuesWith({ variables, fillEmpty: true }))).toBe("{{secret}} [1,2]   ");
  const long = valuesWith({ variables: { long: "x".repeat(300_000) } });
  expect(fillText("a {{long}} {{long}}", long)).toBe("a  ");
});

test("a value that is one macro takes its type, inside lists and objects too", () => {
  const values = valuesWith({ variables: { count: 3, on: true, who: { id: 7 } } });
  expect(fillValue({ a: "{{count}}", b: ["{{on}}", "n={{count}}"], c: "{{who.id}}", d: 4, e: null }, values)).toEqual({
    a: 3,
    b: [true, "n=3"],
    c: 7,
    d: 4,
    e: null,
  });
  expect(fillValue("{{missing}}", values)).toBe("{{missing}}");
});

test("rules are tried in their order; an always that is not due holds back what stands behind it", async () => {
  const values = valuesWith({ own: { x: 1 } });
  const judge =
    (...held: number[]) =>
    () =>
      Promise.resolve(new Set(held));
  const [no, yes] = [rule("equal", { field: "x", value: "2" }, "a"), rule("equal", { field: "x", value: "1" }, "b")];
  const words = rule("language", { value: "w" }, "c");
  expect(await firstRule([no, yes, always("d")], values, true, judge())).toBe(1);
  expect(await firstRule([no, words, words, yes], values, true, judge(1))).toBe(2);
  expect(await firstRule([no, words, always("d")], values, true, judge())).toBe(2);
  expect(await firstRule([always("d"), yes], values, false, judge())).toBe(-1);
  expect(await firstRule([yes, always("d")], values, false, judge())).toBe(0);
  expect(await firstRule([], values, true, judge())).toBe(-1);
});

test("a judgement is asked for once, and only when a condition in words is reached", async () => {
  let asked = 0;
  const judge = () => {
    asked += 1;
    return Promise.resolve(new Set<number>());
  };
  const yes = rule("equal", { field: "x", value: "1" }, "b");
  const words = rule("language", { value: "w" }, "c");
  await firstRule([yes, words], valuesWith({ own: { x: 1 } }), true, judge);
  expect(asked).toBe(0);
  await firstRule([words, words, words], valuesWith(), true, judge);
  expect(asked).toBe(1);
});

test("comparing is symmetric and never throws, whatever the values are", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.oneof(fc.string(), fc.jsonValue()), (a, b) => {
      expect(sameValue(a, b)).toBe(sameValue(b, a));
      if (a !== null) expect(sameValue(a, a)).toBe(true);
    }),
  );
});
