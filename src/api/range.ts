/** A part of a file; `end` is inclusive. */
export type ByteRange = Readonly<{ start: number; end: number }>;

/**
 * Reads a `Range` header (RFC 9110, section 14) for a file of `bytes` bytes. Absent, malformed, of another unit or of several
 * parts: `undefined`, which means the whole file.
 */
export const parseRange = (header: string | undefined, bytes: number): ByteRange | "unsatisfiable" | undefined => {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "");
  if (match === null) return undefined;
  const [, first = "", last = ""] = match;
  if (first === "" && last === "") return undefined;
  if (first === "") {
    const length = Math.min(Number(last), bytes);
    return length === 0 ? "unsatisfiable" : { start: bytes - length, end: bytes - 1 };
  }
  const start = Number(first);
  const end = last === "" ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (last !== "" && Number(last) < start) return undefined;
  return start >= bytes ? "unsatisfiable" : { start, end };
};
