/** Digits with a plus in front of them; carriers write numbers without it. Anything else is given back as it is. */
export const toE164 = (number: string): string => (/^\d{5,15}$/.test(number) ? `+${number}` : number);

/** Without the plus. */
export const toDigits = (number: string): string => number.replace(/^\+/, "");
