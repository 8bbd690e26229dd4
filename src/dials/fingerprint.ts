import { createHash } from "node:crypto";

/** SHA-256 (hex) of a JSON value, the same for any order of members; tells a repeated request from a different one. */
export const fingerprintOf = (value: unknown): string =>
  createHash("sha256")
    .update(JSON.stringify(sorted(value)))
    .digest("hex");

/** Objects as arrays of sorted entries, since engines order integer-like names their own way. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { entries: entries.map(([name, inner]) => [name, sorted(inner)]) };
};
