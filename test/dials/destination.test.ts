import * as fc from "fast-check";
import { expect, test } from "vitest";
import { checkDestination, checkE164, countryOf } from "../../src/dials/destination.ts";
import { Refusal } from "../../src/dials/refusal.ts";

const codeOf = (number: string, ...countries: string[]): string => {
  try {
    return checkDestination(number, { countries: new Set(countries) });
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
};

test.each([
  ["+14155552671", "US"],
  ["+442079460000", "GB"],
  ["+4930901820", "DE"],
  ["+33142685300", "FR"],
  ["+61291920000", "AU"],
  ["+18005551234", "US"],
])("%s may be rung from a workspace with numbers in %s, and from no other", (number, country) => {
  expect(codeOf(number, country)).toBe(number);
  expect(codeOf(number, "JP")).toBe("destination_not_allowed");
  expect(codeOf(number)).toBe("destination_not_allowed");
});

test.each([
  "911",
  "112",
  "999",
  "000",
  "+911",
  "+1911",
  "+1 911",
  "+44999",
  "+49112",
  "+49110",
  "+33112",
  "+61000",
  "116117",
  "+49116117",
  "1122",
])("the emergency number %s is never rung", (number) => {
  expect(codeOf(number, "US", "GB", "DE", "FR", "AU")).toBe("destination_not_allowed");
});

test.each(["+19005551234", "+448719460000", "+449001234567", "+33899123456"])(
  "the premium rate number %s is never rung",
  (number) => {
    expect(codeOf(number, "US", "GB", "DE", "FR")).toBe("destination_not_allowed");
  },
);

test.each([
  "+870773111111",
  "+8816123456789",
  "+881812345678",
  "+882131234567",
  "+88213123456",
  "+883510012345",
  "+979123456789",
  "+8781012345678",
])("the number %s of no country is never rung", (number) => {
  expect(codeOf(number, "US", "GB", "001")).toBe("destination_not_allowed");
});

test("a country that shares its calling code with another is told apart", () => {
  // Jamaica, the Dominican Republic, the Bahamas and Canada share +1 with the United States.
  for (const number of ["+18762345678", "+18092345678", "+12423456789", "+16135550123"])
    expect(codeOf(number, "US")).toBe("destination_not_allowed");
});

test.each([
  ["4155552671"],
  ["+1 415 555 2671"],
  ["+1-415-555-2671"],
  ["+1415555267１"],
  ["+14155552671;ext=9"],
  ["+14155552671@evil.example"],
  ["sip:+14155552671@evil.example"],
  ["tel:+14155552671"],
  ["+14155552671\r\nX: y"],
  ["+14155552671\n"],
  ["\u202A+14155552671\u202C"],
  ["++14155552671"],
  ["+04155552671"],
  ["+141555526711111111"],
  ["+1415555"],
  ["+19999999999"],
  [""],
  ["+"],
])("%j is no telephone number", (number) => {
  expect(codeOf(number, "US")).toBe("invalid_number");
});

test("whatever is let through is plain ASCII, of an allowed country, and exactly what was given", () => {
  const digits = fc.string({ unit: fc.constantFrom(..."0123456789".split("")), minLength: 5, maxLength: 13 });
  const prefix = fc.constantFrom("+1415", "+4420", "+1900", "+1876", "+44", "+881", "+", "");
  const suffix = fc.oneof({ weight: 5, arbitrary: fc.constant("") }, fc.string({ maxLength: 4 }));
  let passed = 0;
  fc.assert(
    fc.property(prefix, digits, suffix, (start, middle, end) => {
      const number = start + middle + end;
      const result = codeOf(number, "US", "GB");
      if (!result.startsWith("+")) return;
      passed += 1;
      expect(result).toBe(number);
      expect(number).toMatch(/^\+[0-9]{7,15}$/);
      expect(["US", "GB"]).toContain(countryOf(number));
    }),
    { numRuns: 3000 },
  );
  expect(passed).toBeGreaterThan(20);
});

test("numbers that a carrier keeps for itself are checked for their form only", () => {
  expect(checkE164("+12025550123")).toBe("+12025550123");
  for (const number of ["12025550123", "+1202555012x", "+1202555012３", "+12025550123\n"])
    expect(() => checkE164(number)).toThrow(Refusal);
});

test("names are of no country", () => {
  expect(countryOf("alice")).toBeUndefined();
  expect(countryOf("+14155552671")).toBe("US");
});
