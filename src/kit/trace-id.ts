import { createHash } from "node:crypto";

/**
 * The id of a dial's trace, 32 hexadecimal digits: the dial's own id, which is a UUID. So every process knows the trace of every dial,
 * and nothing has to be handed from one to the next. Another id, as tests have them, stands by its hash.
 */
export const traceIdOf = (dialId: string): string => {
  const digits = dialId.replaceAll("-", "").toLowerCase();
  return UUID.test(digits) ? digits : hashOf(dialId).slice(0, 32);
};

/** The id of a span that others refer to by name, 16 hexadecimal digits, the same in every process. */
export const spanIdOf = (dialId: string, key: string): string => hashOf(`${dialId}/${key}`).slice(0, 16);

/** All zeros would be no id. */
const UUID = /^(?!0{32})[0-9a-f]{32}$/;

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
