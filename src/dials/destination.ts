import { getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/max";
import { Refusal } from "./refusal.ts";

/** A number as carriers take it: a plus sign and 7 to 15 ASCII digits (ITU-T E.164), nothing else. */
const E164 = /^\+[1-9]\d{6,14}$/;

/** Emergency numbers around the world, alone or after a country code. */
const EMERGENCY = new Set(
  (
    "000 100 101 102 103 106 108 110 111 112 113 114 115 116 117 118 119 122 123 127 128 129 131 132 133 144 155 158 " +
    "190 191 192 193 194 195 197 198 199 911 919 933 988 990 991 992 993 994 997 998 999 1122 116117"
  ).split(" "),
);

/**
 * Calling codes that belong to no country: satellite systems (870, 881), international networks that carry satellite and
 * ship traffic (882, 883), universal personal numbers (878), shared cost (808) and international premium rate (979).
 */
const WORLDWIDE = ["870", "878", "881", "882", "883", "808", "979"];

/** Whose number may be rung, and why not. */
export type DestinationRules = Readonly<{
  /** Countries (ISO 3166, two letters) that may be rung. */
  countries: ReadonlySet<string>;
}>;

/**
 * Checks the number of a person to ring, and answers it as it is to be dialled.
 *
 * @throws {Refusal} `invalid_number` when it is no telephone number, `destination_not_allowed` when it may not be rung.
 */
export const checkDestination = (number: string, rules: DestinationRules): string => {
  const never = whyNeverRung(number);
  if (never === EMERGENCY_REFUSED) throw notAllowed(never);
  const strict = checkE164(number);
  const parsed = parsePhoneNumberFromString(strict, { extract: false });
  if (never === undefined && !parsed?.isValid()) throw invalid();
  if (never !== undefined) throw notAllowed(never);
  if (parsed?.country === undefined || !rules.countries.has(parsed.country)) {
    const allowed = [...rules.countries].toSorted().join(", ");
    const where = allowed === "" ? "none, because the workspace has no such number" : allowed;
    throw notAllowed(`Only countries of the workspace's own numbers may be rung: ${where}.`);
  }
  return strict;
};

/** Why nobody may ever be connected to a number, whoever asks (emergency, satellite, premium rate); `undefined`: they may. */
export const whyNeverRung = (number: string): string | undefined => {
  if (isEmergency(number)) return EMERGENCY_REFUSED;
  if (WORLDWIDE.some((code) => number.startsWith(`+${code}`)))
    return "Satellite and international network numbers are never rung.";
  const parsed = parsePhoneNumberFromString(number, { extract: false });
  return parsed?.getType() === "PREMIUM_RATE" ? "Premium rate numbers are never rung." : undefined;
};

const EMERGENCY_REFUSED = "Emergency numbers are never rung.";

/** Whether a text is a number as carriers take it. */
export const isE164 = (text: string): boolean => E164.test(text);

/**
 * Checks only the written form, which is all that matters for numbers that a carrier keeps for itself.
 *
 * @throws {Refusal} `invalid_number`.
 */
export const checkE164 = (number: string): string => {
  if (!E164.test(number)) throw invalid();
  return number;
};

/** The country of an E.164 number; `undefined` for numbers of no country and for everything that is not one. */
export const countryOf = (number: string): string | undefined =>
  E164.test(number) ? parsePhoneNumberFromString(number, { extract: false })?.country : undefined;

const isEmergency = (number: string): boolean => {
  const digits = number.replaceAll(/[^0-9]/g, "");
  if (EMERGENCY.has(digits)) return true;
  // The longest emergency number has six digits and the longest calling code three.
  if (digits.length > 9) return false;
  const country = parsePhoneNumberFromString(`+${digits}`, { extract: false })?.country;
  const codes = country !== undefined && isSupportedCountry(country) ? [getCountryCallingCode(country)] : [];
  return [...codes, ...callingCodes(digits)].some(
    (code) => digits.startsWith(code) && EMERGENCY.has(digits.slice(code.length)),
  );
};

/** Calling codes are one to three digits long and no code is the beginning of another (ITU-T E.164 assignments). */
const callingCodes = (digits: string): readonly string[] =>
  digits.startsWith("1") || digits.startsWith("7") ? [digits.slice(0, 1)] : [digits.slice(0, 2), digits.slice(0, 3)];

const invalid = (): Refusal =>
  new Refusal(
    "invalid_number",
    "toNumber must be a telephone number in E.164 form, such as +12025550123.",
    "/toNumber",
  );

const notAllowed = (why: string): Refusal => new Refusal("destination_not_allowed", why, "/toNumber");
