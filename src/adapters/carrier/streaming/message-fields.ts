/** The fields of a message, none of which is believed to be there. */
export type Fields = Readonly<Record<string, unknown>>;

/** The fields of a JSON text, also of one that came as bytes; `undefined` when it is no JSON or no object. */
export const parseFields = (data: string | Uint8Array): Fields | undefined => {
  try {
    return fieldsOf(JSON.parse(typeof data === "string" ? data : Buffer.from(data).toString("utf8")));
  } catch {
    return undefined;
  }
};

/** A value's fields; `undefined` when it is no object. */
export const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;

export const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** A counter, as number or decimal string: whole, at most 15 digits (milliseconds since 1970 have 13). */
export const counterOf = (value: unknown): number | undefined => {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
};

/**
 * Where a piece of sound lies on the sender's timeline, in milliseconds, as number or decimal string; `undefined` where the sender does
 * not say, `none` for what is no time.
 */
export const placeOf = (value: unknown): number | "none" | undefined => {
  if (value === undefined || value === null) return undefined;
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && /^\d{1,15}(?:\.\d{1,12})?$/.test(text) ? Number(text) : "none";
};

/** An id that may be repeated in our own messages, so that it may hold nothing that JSON would have to escape. */
export const idOf = (value: unknown): string | undefined =>
  typeof value === "string" && /^[\w:.+/=-]{1,256}$/.test(value) ? value : undefined;

/** A key of a telephone, also when it was written as a number. */
export const digitOf = (value: unknown): string | undefined => {
  const digit = typeof value === "number" ? String(value) : value;
  return typeof digit === "string" && /^[0-9*#A-D]$/.test(digit) ? digit : undefined;
};

/** Bytes as messages carry them, without a copy of them. */
export const base64Of = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
