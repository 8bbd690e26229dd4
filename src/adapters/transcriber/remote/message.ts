/** A vendor's message: JSON of which nothing is known yet. */
export type Message = Readonly<Record<string, unknown>>;

/** The object that a text frame holds; `undefined` for anything else. */
export const messageOf = (text: string): Message | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isMessage(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** A field as text; empty where there is none. */
export const textOf = (message: Message | undefined, field: string): string => {
  const value = message?.[field];
  return typeof value === "string" ? value : "";
};

/** A field as a finite number; `undefined` where there is none. */
export const numberOf = (message: Message | undefined, field: string): number | undefined => {
  const value = message?.[field];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
};

/** A field as an object. */
export const objectOf = (message: Message | undefined, field: string): Message | undefined => {
  const value = message?.[field];
  return isMessage(value) ? value : undefined;
};

/** The objects in a field that is a list. */
export const objectsOf = (message: Message | undefined, field: string): readonly Message[] => {
  const value = message?.[field];
  return Array.isArray(value) ? value.filter((one) => isMessage(one)) : [];
};

const isMessage = (value: unknown): value is Message =>
  typeof value === "object" && value !== null && !Array.isArray(value);
