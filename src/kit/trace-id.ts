/**
 * The id of a dial's trace, 32 hexadecimal digits: the dial's own id, which is a UUID. So every process knows the trace of every dial,
 * and nothing has to be handed from one to the next. Another id, as tests have them, stands by its hash.
 */
export const traceIdOf = (dialId: string): string => {
  const digits = dialId.replaceAll("-", "").toLowerCase();
  return UUID.test(digits) ? digits : hashOf(dialId) + hashOf(`${dialId}/`);
};

/** The id of a span that others refer to by name, 16 hexadecimal digits, the same in every process. */
export const spanIdOf = (dialId: string, key: string): string => hashOf(`${dialId}/${key}`);

/** All zeros would be no id. */
const UUID = /^(?!0{32})[0-9a-f]{32}$/;

/** FNV-1a of 64 bits, which tells the few dozen names within one dial apart; nobody gains by a collision. */
const hashOf = (text: string): string => {
  let hash = 0xcbf29ce484222325n;
  for (const character of text) {
    // Beyond ASCII a code point counts as one.
    hash = BigInt.asUintN(64, (hash ^ BigInt(character.codePointAt(0) ?? 0)) * 0x100000001b3n);
  }
  return (hash === 0n ? 1n : hash).toString(16).padStart(16, "0");
};
