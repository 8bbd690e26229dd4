/** The fields of a change: those that are present replace the record's; null takes one away. */
export type Fields<T> = Readonly<{ [K in keyof T]?: T[K] | null | undefined }>;

/**
 * A record with the fields of a change put in, each replaced whole. A field that is null goes away, unless null is a value of
 * its own there (`nullable`).
 */
export const putFields = <T extends object>(
  before: T,
  change: Fields<T>,
  nullable: readonly (keyof T & string)[] = [],
): T => {
  const kept = Object.entries({ ...before, ...change }).filter(
    ([name, value]) => value !== undefined && (value !== null || (nullable as readonly string[]).includes(name)),
  );
  return Object.fromEntries(kept) as T;
};
