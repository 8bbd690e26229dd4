/** A vendor's message as an object; a message that is none is not of the protocol. */
export type JsonMessage = Readonly<Record<string, unknown>>;

/** @throws {SyntaxError} for what is no JSON object. */
export const jsonMessage = (data: string | Uint8Array): JsonMessage => {
  const value: unknown = JSON.parse(typeof data === "string" ? data : Buffer.from(data).toString("utf8"));
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new SyntaxError("a message is not an object");
  return value as JsonMessage;
};

/** A field that holds an object. */
export const objectIn = (message: JsonMessage, field: string): JsonMessage | undefined => {
  const value = message[field];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonMessage) : undefined;
};

/** A field that holds a text. */
export const textIn = (message: JsonMessage, field: string): string | undefined => {
  const value = message[field];
  return typeof value === "string" ? value : undefined;
};

/** A field that holds numbers only; everything else is an empty list. */
export const numbersIn = (message: JsonMessage, field: string): readonly number[] => {
  const value = message[field];
  return Array.isArray(value) && value.every((one) => typeof one === "number") ? value : [];
};

/** A field that holds texts only; everything else is an empty list. */
export const textsIn = (message: JsonMessage, field: string): readonly string[] => {
  const value = message[field];
  return Array.isArray(value) && value.every((one) => typeof one === "string") ? value : [];
};

/** A field that holds objects; what is none is left out. */
export const objectsIn = (message: JsonMessage, field: string): readonly JsonMessage[] => {
  const value = message[field];
  return Array.isArray(value)
    ? value.filter((one): one is JsonMessage => typeof one === "object" && one !== null && !Array.isArray(one))
    : [];
};

/** Sound in base64; a text that is none is not of the protocol. */
export const soundIn = (message: JsonMessage, field: string): Uint8Array | undefined => {
  const text = textIn(message, field);
  return text === undefined || text === "" ? undefined : Buffer.from(text, "base64");
};
