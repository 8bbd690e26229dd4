import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../kit/runs.ts";
import { MAX_RENDERED_LENGTH, renderTemplate, TemplateTooLong } from "../../src/dialogue/template.ts";

const keep = { fillEmpty: false };
const fill = { fillEmpty: true };

test("a macro is replaced by its value, with or without blanks inside the braces", () => {
  expect(renderTemplate("Hi {{name}}, {{ name }}!", { name: "Ann" }, keep)).toBe("Hi Ann, Ann!");
});

test("values that are not strings go in as JSON text", () => {
  const values = { count: 3, open: false, list: ["a", 1], deep: { x: null } };
  expect(renderTemplate("{{count}} {{open}} {{list}} {{deep}}", values, keep)).toBe('3 false ["a",1] {"x":null}');
});

test("a name without a value stays, or becomes empty when asked to", () => {
  const values = { none: null, undef: undefined };
  expect(renderTemplate("[{{who}}{{none}}{{undef}}]", values, keep)).toBe("[{{who}}{{none}}{{undef}}]");
  expect(renderTemplate("[{{who}}{{none}}{{undef}}]", values, fill)).toBe("[]");
});

test("names that every object inherits are unknown names", () => {
  const names = "{{constructor}}{{__proto__}}{{toString}}{{hasOwnProperty}}";
  expect(renderTemplate(names, {}, fill)).toBe("");
  expect(renderTemplate(names, {}, keep)).toBe(names);
  expect(renderTemplate("{{__proto__}}", JSON.parse('{"__proto__":"own"}') as Record<string, unknown>, keep)).toBe(
    "own",
  );
});

test("expressions and dotted paths are only names that nothing matches", () => {
  expect(renderTemplate("{{1 + 1}}{{user.name}}", { user: { name: "x" } }, fill)).toBe("");
  expect(renderTemplate("{{user.name}}", { "user.name": "flat" }, fill)).toBe("flat");
});

test("a value that would make the text too long is refused", () => {
  const long = "x".repeat(MAX_RENDERED_LENGTH / 2 + 1);
  expect(() => renderTemplate("{{a}}{{a}}", { a: long }, keep)).toThrow(TemplateTooLong);
  expect(renderTemplate("{{a}}", { a: long }, keep)).toBe(long);
});

test("unbalanced braces are text and take no time", () => {
  const hostile = "{{".repeat(50_000);
  expect(renderTemplate(hostile, { a: "1" }, fill)).toBe(hostile);
  expect(renderTemplate("{{a}} }} {{ {{{a}}}", { a: "1" }, fill)).toBe("1 }} {{ {1}");
});

const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_ ]{0,10}[A-Za-z0-9_]$/u);

test("every value appears verbatim and none is expanded again", () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        name,
        fc.oneof(
          fc.string(),
          name.map((inner) => `{{${inner}}}`),
        ),
      ),
      fc.array(fc.string().map((text) => text.replaceAll(/[{}]/gu, ""))),
      (values, between) => {
        const names = Object.keys(values);
        const text = names.map((key, index) => `${between[index] ?? ""}{{${key}}}`).join("");
        const expected = names.map((key, index) => `${between[index] ?? ""}${values[key] ?? ""}`).join("");
        expect(renderTemplate(text, values, fill)).toBe(expected);
      },
    ),
    { numRuns: runs(1000, 100_000) },
  );
}, 300_000);

test("whatever a template is, its macros are gone through once, and nothing in it or in a value is computed", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "{",
      "}",
      "{{",
      "}}",
      "{{{{a}}}}",
      "{{ a }}",
      "{{a",
      "a}}",
      "{{__proto__}}",
      ["$", "{a}"].join(""),
      "{{a.b}}",
      "{{1+1}}",
    ),
    name.map((inner) => `{{${inner}}}`),
    fc.string({ maxLength: 5 }),
  );
  // What cannot come about by chance stands for every value.
  const mark = "\u{F0000}";
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join("");
      const marked = renderTemplate(text, { a: mark }, keep);
      const hostile = ["{{a}}$", "{a}{{constructor}}$&$1"].join("");
      expect(renderTemplate(text, { a: hostile }, keep)).toBe(marked.replaceAll(mark, () => hostile));
      // Beyond its macros every character is as it was.
      expect(marked.replaceAll(mark, "{{a}}")).toBe(text.replaceAll(/\{\{\s*a\s*\}\}/gu, "{{a}}"));
    }),
    { numRuns: runs(1000, 100_000) },
  );
}, 300_000);

test("a text without values is the text itself", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(renderTemplate(text, {}, keep)).toBe(text);
    }),
  );
});
