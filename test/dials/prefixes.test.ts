import { getCountries, getExampleNumber } from "libphonenumber-js/max";
import examples from "libphonenumber-js/examples.mobile.json" with { type: "json" };
import { expect, test } from "vitest";
import { checkDestination, countryOf } from "../../src/dials/destination.ts";
import { Refusal } from "../../src/dials/refusal.ts";

const refusalOf = (number: string, ...countries: readonly string[]): string | undefined => {
  try {
    checkDestination(number, { countries: new Set(countries) });
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
};

const world = getCountries();

test("of every country in the world, numbers may be rung from a workspace there, and from none anywhere else", () => {
  const tried = world.flatMap((country) => {
    const number = getExampleNumber(country, examples)?.number;
    if (number === undefined) return [];
    // Some territories share a numbering plan so closely that their numbers count as the larger one's.
    const home = countryOf(number) ?? country;
    expect(refusalOf(number, home), `${country} ${number}`).toBeUndefined();
    const others = world.filter((one) => one !== home);
    expect(refusalOf(number, ...others), `${country} ${number}`).toBe("destination_not_allowed");
    expect(refusalOf(number), number).toBe("destination_not_allowed");
    return [number];
  });
  expect(tried.length).toBeGreaterThanOrEqual(240);
});

/** Prefixes by which somebody is made to pay (ITU-T E.164, national numbering plans); digits that make a number of them follow. */
const COSTLY: readonly (readonly [string, string])[] = [
  // United States, Canada, and islands that share +1.
  ["+1900", "5551234"],
  ["+1900", "2345678"],
  // United Kingdom.
  ["+4490", "12345678"],
  ["+4491", "12345678"],
  ["+4498", "12345678"],
  ["+44871", "9460000"],
  ["+44872", "9460000"],
  ["+44873", "9460000"],
  // Germany, Austria, Switzerland.
  ["+49900", "1123456"],
  ["+49900", "3123456"],
  ["+49900", "5123456"],
  ["+43900", "123456"],
  ["+43930", "123456"],
  ["+41900", "123456"],
  ["+41901", "123456"],
  ["+41906", "123456"],
  // France, Spain, Italy, Portugal, Netherlands, Belgium.
  ["+33890", "123456"],
  ["+33897", "123456"],
  ["+33899", "123456"],
  ["+34803", "123456"],
  ["+34806", "123456"],
  ["+34807", "123456"],
  ["+34905", "123456"],
  ["+39892", "123"],
  ["+39899", "123456"],
  ["+351760", "123456"],
  ["+31900", "1234567"],
  ["+31906", "1234567"],
  ["+31909", "1234567"],
  ["+32900", "12345"],
  ["+32903", "12345"],
  // Poland, Czechia, Sweden, Norway, Denmark, Finland, Ireland.
  ["+48700", "123456"],
  ["+48703", "123456"],
  ["+420900", "123456"],
  ["+420906", "123456"],
  ["+46900", "1234567"],
  ["+46939", "1234567"],
  ["+47820", "12345"],
  ["+47829", "12345"],
  ["+4590", "123456"],
  ["+358600", "12345"],
  ["+358700", "12345"],
  ["+353152", "0123456"],
  ["+353156", "0123456"],
  ["+353159", "0123456"],
  // Australia, New Zealand, Japan, South Africa, Brazil, Mexico.
  ["+61190", "0123456"],
  ["+64900", "12345"],
  ["+81990", "123456"],
  ["+2786", "2345678"],
  ["+55900", "123456"],
  ["+52900", "1234567"],
  // Satellites, international networks, shared cost and premium rate of no country.
  ["+870", "773111111"],
  ["+870", "600123456"],
  ["+8810", "12345678"],
  ["+8812", "12345678"],
  ["+8813", "12345678"],
  ["+8816", "23456789"],
  ["+8817", "23456789"],
  ["+8818", "12345678"],
  ["+8819", "12345678"],
  ["+88210", "123456"],
  ["+88213", "1234567"],
  ["+88216", "12345678"],
  ["+88232", "1234567"],
  ["+88234", "12345678"],
  ["+88299", "12345678"],
  ["+88310", "12345678"],
  ["+883510", "0012345"],
  ["+883140", "1234567"],
  ["+878", "101234567890"],
  ["+808", "12345678"],
  ["+979", "123456789"],
];

test("what is premium, shared cost or beyond every country is rung from nowhere, wherever the workspace has numbers", () => {
  expect(COSTLY.length).toBeGreaterThan(70);
  // Some of these are no assigned numbers at all, and are refused as such.
  const rung = COSTLY.map(([prefix, rest]) => prefix + rest).filter(
    (number) => refusalOf(number, ...world) === undefined,
  );
  expect(rung).toEqual([]);
});

test("no emergency number is rung, with or without the country that it belongs to", () => {
  const codes = ["", "1", "44", "49", "33", "61", "91", "86", "81", "7", "55", "27", "353", "972"];
  const numbers = ["112", "911", "999", "000", "110", "119", "118", "113", "115", "116117", "1122", "108"];
  for (const code of codes)
    for (const number of numbers)
      for (const plus of ["", "+"])
        expect(refusalOf(plus + code + number, ...world), plus + code + number).toMatch(/not_allowed|invalid_number/);
});
