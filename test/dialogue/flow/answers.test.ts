import fc from "fast-check";
import { expect, test } from "vitest";
import { plainAnswer } from "../../../src/dialogue/flow/answers.ts";
import { readOutputs } from "../../../src/dialogue/flow/function-outputs.ts";
import { readJudgement } from "../../../src/dialogue/flow/judgement-request.ts";
import type { Output, QuestionData } from "../../../src/dialogue/flow/node-data.ts";
import { findNumber, parseNumber } from "../../../src/dialogue/flow/number-words.ts";

test.each<readonly [string, number | undefined]>([
  ["42", 42],
  ["-1,299.50", -1299.5],
  ["+7", 7],
  [".5", 0.5],
  ["$20", 20],
  ["15%", 15],
  ["12.", 12],
  ["zero", 0],
  ["twenty five", 25],
  ["Twenty-five.", 25],
  ["a hundred", 100],
  ["two hundred and five", 205],
  ["three hundred forty", 340],
  ["one thousand two hundred and thirty four", 1234],
  ["two million", 2_000_000],
  ["5 thousand", 5000],
  ["five five five one", 5551],
  ["one oh one", 101],
  ["minus three", -3],
  ["three point five", 3.5],
  ["point five", 0.5],
  ["six point two five", 6.25],
  ["", undefined],
  ["blue", undefined],
  ["1,23", undefined],
  ["twenty thirty", undefined],
  ["five twenty", undefined],
  ["hundred", undefined],
  ["and", undefined],
  ["two and", undefined],
  ["1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6", undefined],
])("%j is the number %j", (text, expected) => {
  expect(parseNumber(text)).toBe(expected);
});

test.each<readonly [string, number | undefined]>([
  ["We'd be about four, I think.", 4],
  ["I'd say twenty-five, thanks", 25],
  ["It costs $1,200.", 1200],
  ["Four. Yes, four.", 4],
  ["two adults and three children", undefined],
  ["between 2 and 4", undefined],
  ["a few", undefined],
  ["I am a hundred and one years old", 101],
  ["about a thousand", 1000],
  ["a hundred or two hundred", undefined],
  ["oh well", undefined],
  ["", undefined],
])("in %j the number is %j", (text, expected) => {
  expect(findNumber(text)).toBe(expected);
});

const ask = (questionType: QuestionData["questionType"], ...options: string[]): QuestionData => ({
  question: "Q?",
  questionType,
  options,
});
const colours = ask("multiple_choice", "Red", "Dark red", "Blue");
const sizes = ask("multiple_choice", "1", "2", "10 or more");
const agree = ask("multiple_choice", "Yes", "No", "Maybe later");
const politely = ask("multiple_choice", "Yes, please", "No, thanks", "Maybe later");
const letters = ask("multiple_choice", "A", "B");
const several = ask("multiple_select", "Phone", "Mail", "Chat");

test.each<readonly [QuestionData, string, unknown]>([
  [colours, "red", "Red"],
  [colours, "Dark red, please.", "Dark red"],
  [colours, "I'd like the blue one", "Blue"],
  [colours, "the second one", "Dark red"],
  [colours, "option three", "Blue"],
  [colours, "number 1 please", "Red"],
  [colours, "The last one.", "Blue"],
  [colours, "the fifth one", undefined],
  [colours, "red and blue", undefined],
  [colours, "not the red one", undefined],
  [colours, "red or blue", undefined],
  [colours, "just a second", undefined],
  [colours, "green", undefined],
  [colours, "", undefined],
  [colours, "(pressed 3)", "Blue"],
  [colours, "(pressed 7)", undefined],
  [sizes, "two", "2"],
  [sizes, "there are two of us", "2"],
  [sizes, "(pressed 2)", "2"],
  [agree, "Yeah.", "Yes"],
  [politely, "yeah", "Yes, please"],
  [politely, "nope", "No, thanks"],
  [ask("multiple_choice", "Yes", "No, thanks", "No idea"), "nope", undefined],
  [agree, "yes please", "Yes"],
  [agree, "Nope!", "No"],
  [agree, "No, thank you", "No"],
  [agree, "maybe later", "Maybe later"],
  [agree, "I guess", undefined],
  [letters, "a table please", undefined],
  [letters, "A.", "A"],
  [letters, "option b", "B"],
  [several, "Phone and chat", ["Phone", "Chat"]],
  [several, "chat, mail", ["Mail", "Chat"]],
  [several, "all of them", ["Phone", "Mail", "Chat"]],
  [several, "both", undefined],
  [several, "None.", []],
  [several, "everything except chat", undefined],
  [several, "the first one", ["Phone"]],
  [several, "pigeons", undefined],
  [ask("numeric"), "about seven", 7],
  [ask("numeric"), "two and a half", 2.5],
  [ask("numeric"), "I'd say twenty two and a quarter, please", 22.25],
  [ask("numeric"), "(pressed 4 2)", 42],
  [ask("numeric"), "(pressed 4 2 #)", 42],
  [ask("numeric"), "(pressed #)", undefined],
  [several, "(pressed 3 1)", ["Phone", "Chat"]],
  [several, "(pressed 2 #)", ["Mail"]],
  [several, "(pressed 1 1)", undefined],
  [several, "(pressed 1 4)", undefined],
  [ask("numeric"), "not seven", undefined],
  [ask("numeric"), "almost eighteen", undefined],
  [ask("numeric"), "two dozen", undefined],
  [ask("numeric"), "more than 40", undefined],
  [ask("numeric"), "three quarters", undefined],
  [ask("numeric"), "many", undefined],
  [ask("freeform"), "  My name is Ann. ", "My name is Ann."],
  [ask("freeform"), "(pressed 1 2)", "12"],
  [ask("freeform"), "(pressed 1 2 #)", "12"],
  [ask("freeform"), "...", undefined],
])("to %j, %j answers %j", (question, words, expected) => {
  expect(plainAnswer(question, words)).toEqual(expected);
});

test("an answer is always one of the options, and any words are taken", () => {
  const option = fc.oneof(fc.string({ minLength: 1, maxLength: 12 }), fc.constantFrom("Yes", "No", "one", "the last"));
  const words = fc.oneof(fc.string(), fc.constantFrom("the first", "all", "none", "yes", "option two", "minus"));
  fc.assert(
    fc.property(fc.uniqueArray(option, { minLength: 1, maxLength: 6 }), words, (options, said) => {
      const one = plainAnswer(ask("multiple_choice", ...options), said);
      if (one !== undefined) expect(options).toContain(one);
      const some = plainAnswer(ask("multiple_select", ...options), said);
      for (const each of Array.isArray(some) ? some : []) expect(options).toContain(each);
      const number = plainAnswer(ask("numeric"), said);
      if (number !== undefined) expect(Number.isFinite(number)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

const output = (type: Output["type"], customFieldJsonSchema?: string): Output => ({
  name: "x",
  type,
  ...(customFieldJsonSchema === undefined ? {} : { customFieldJsonSchema }),
});

test.each<readonly [Output, unknown, unknown]>([
  [output("BOOLEAN"), { x: true }, true],
  [output("BOOLEAN"), { x: "False" }, false],
  [output("BOOLEAN"), { x: 1 }, null],
  [output("STRING"), { x: "a" }, "a"],
  [output("STRING"), { x: 4 }, "4"],
  [output("STRING"), { x: {} }, null],
  [output("INTEGER"), { x: 4 }, 4],
  [output("INTEGER"), { x: "4" }, 4],
  [output("INTEGER"), { x: 4.5 }, null],
  [output("FLOAT"), { x: 4.5 }, 4.5],
  [output("FLOAT"), { x: "4.5" }, 4.5],
  [output("FLOAT"), { x: "a" }, null],
  [output("CUSTOM"), { x: [1, { a: 2 }] }, [1, { a: 2 }]],
  [output("CUSTOM", '{"type":"array"}'), { x: {} }, null],
  [output("CUSTOM", '{"type":"object","required":["a"]}'), { x: { a: 1 } }, { a: 1 }],
  [output("STRING"), {}, null],
  [output("STRING"), { x: null }, null],
  [output("STRING"), { error: "timeout" }, null],
  [output("STRING"), "plain", "plain"],
  [output("INTEGER"), 7, 7],
  [output("CUSTOM"), [1], [1]],
])("an output %j of the result %j is %j", (wanted, result, expected) => {
  expect(readOutputs([wanted], JSON.stringify(result))).toEqual({ x: expected });
});

test("outputs are read by their own names only, and from any text", () => {
  expect(readOutputs([{ name: "constructor", type: "CUSTOM" }], "{}")).toEqual({ constructor: null });
  expect(readOutputs([output("STRING"), { name: "y", type: "STRING" }], "not json")).toEqual({ x: null, y: null });
});

const conditions = ["first", "second"];
test.each<readonly [string, QuestionData | undefined, unknown]>([
  ['{"holds":[2]}', undefined, { holds: new Set([1]) }],
  ['```json\n{"holds":[]}\n```', undefined, { holds: new Set() }],
  ['{"holds":["1"]}', undefined, { holds: new Set([0]) }],
  ['{"holds":[3]}', undefined, undefined],
  ['{"holds":true}', undefined, undefined],
  ["{}", undefined, undefined],
  ["Sure! Condition 1 holds.", undefined, undefined],
  ["", undefined, undefined],
  ["[1]", undefined, undefined],
  ['{"answer":2,"holds":[]}', colours, { answer: "Dark red", holds: new Set() }],
  ['{"answer":"blue","holds":[1]}', colours, { answer: "Blue", holds: new Set([0]) }],
  ['{"answer":null,"holds":[]}', colours, { holds: new Set() }],
  ['{"answer":9,"holds":[]}', colours, undefined],
  ['{"holds":[]}', colours, undefined],
  ['{"answer":[3,1],"holds":[]}', several, { answer: ["Phone", "Chat"], holds: new Set() }],
  ['{"answer":[],"holds":[]}', several, { answer: [], holds: new Set() }],
  ['{"answer":[4],"holds":[]}', several, undefined],
  ['{"answer":2.5,"holds":[]}', ask("numeric"), { answer: 2.5, holds: new Set() }],
  ['{"answer":"two","holds":[]}', ask("numeric"), undefined],
])("the model's %j is read strictly", (reply, question, expected) => {
  expect(readJudgement({ context: "", history: [], question, conditions }, reply)).toEqual(expected);
});

test("no reply of a model can do more than be not understood", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (reply) => {
      const found = readJudgement({ context: "", history: [], question: colours, conditions }, reply);
      if (found?.answer !== undefined) expect(colours.options).toContain(found.answer);
      for (const index of found?.holds ?? []) expect(index).toBeLessThan(2);
    }),
    { numRuns: 1000 },
  );
});
