import * as fc from "fast-check";
import { expect, test } from "vitest";
import { spanIdOf, traceIdOf } from "../../src/kit/trace-id.ts";

test("ids have the form that traces ask for, are never zero, and are the same wherever they are made", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string(), (dialId, key) => {
      expect(traceIdOf(dialId)).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
      expect(spanIdOf(dialId, key)).toMatch(/^(?!0{16})[0-9a-f]{16}$/);
      expect(spanIdOf(dialId, key)).toBe(spanIdOf(dialId, key));
    }),
  );
});

test("a UUID is its own trace, and the spans of a dial do not meet", () => {
  const dialId = "01a1f915-8403-702e-a77f-10eaa4c052c2";
  expect(traceIdOf(dialId)).toBe("01a1f9158403702ea77f10eaa4c052c2");
  expect(traceIdOf(dialId.toUpperCase())).toBe(traceIdOf(dialId));
  const keys = Array.from({ length: 1000 }, (_, index) => [`turn ${index}`, `function call_${index}`]).flat();
  expect(new Set(keys.map((key) => spanIdOf(dialId, key))).size).toBe(keys.length);
});
