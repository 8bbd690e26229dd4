import type { SipHeader, SipMessage } from "./message.ts";

/** Most bytes of a message: what a UDP datagram can hold. */
export const MOST_MESSAGE_BYTES = 65_535;

/** Where the head of a message ends: behind its empty line. `undefined` when there is none yet. */
export const headLength = (data: Uint8Array): number | undefined => {
  for (let at = data.indexOf(LF); at !== -1; at = data.indexOf(LF, at + 1)) {
    if (data[at + 1] === LF) return at + 2;
    if (data[at + 1] === CR && data[at + 2] === LF) return at + 3;
  }
  return undefined;
};

/**
 * A message as it came in one datagram, or cut from a stream. `undefined` when it is none, has more than 128 header fields or 32 kB of
 * them, lacks one of the fields that every message has, or is shorter than it says.
 */
export const parseMessage = (data: Uint8Array): SipMessage | undefined => {
  if (data.length > MOST_MESSAGE_BYTES) return undefined;
  const headEnd = headLength(data);
  if (headEnd === undefined || headEnd > MOST_HEAD_BYTES) return undefined;
  // Continued lines are one line (RFC 3261, section 7.3.1).
  const head = Buffer.from(data.subarray(0, headEnd))
    .toString("utf8")
    .replaceAll(/\r?\n[ \t]+/g, " ");
  const [start = "", ...lines] = head.split(/\r?\n/).filter((line) => line !== "");
  if (lines.length > MOST_HEADERS) return undefined;
  const headers: SipHeader[] = [];
  for (const line of lines) {
    const header = readHeader(line);
    if (header === undefined) return undefined;
    headers.push(header);
  }
  const body = bodyOf(headers, data.subarray(headEnd));
  if (body === undefined || !isComplete(headers)) return undefined;
  const status = STATUS_LINE.exec(start);
  if (status !== null) return { type: "response", status: Number(status[1]), reason: status[2] ?? "", headers, body };
  const request = REQUEST_LINE.exec(start);
  const [, method = "", uri = ""] = request ?? [];
  if (request === null || valueOf(headers, "cseq")?.split(/\s+/)[1] !== method) return undefined;
  return { type: "request", method, uri, headers, body };
};

/** How many bytes of body a head tells of; `undefined` when it does not tell, or not a number. */
export const contentLength = (head: Uint8Array): number | undefined => {
  const found = /\r?\n(?:content-length|l)[ \t]*:[ \t]*(\d{1,9})[ \t]*\r?\n/i.exec(
    Buffer.from(head).toString("latin1"),
  );
  return found === null ? undefined : Number(found[1]);
};

const LF = 0x0a;
const CR = 0x0d;
const MOST_HEADERS = 128;
const MOST_HEAD_BYTES = 32 * 1024;

const STATUS_LINE = /^SIP\/2\.0 ([1-6]\d\d)(?: (.*))?$/i;
const REQUEST_LINE = /^([A-Za-z0-9.!%*_+`'~-]{1,32}) (\S{1,2048}) SIP\/2\.0$/i;
const HEADER = /^([A-Za-z0-9.!%*_+`'~-]{1,64})[ \t]*:[ \t]*(.*?)[ \t]*$/;
const CSEQ = /^(\d{1,10})\s+[A-Za-z0-9.!%*_+`'~-]{1,32}$/;

/** RFC 3261, section 7.3.3, and later ones. */
const COMPACT: Readonly<Record<string, string>> = {
  b: "referred-by",
  c: "content-type",
  e: "content-encoding",
  f: "from",
  i: "call-id",
  k: "supported",
  l: "content-length",
  m: "contact",
  o: "event",
  r: "refer-to",
  s: "subject",
  t: "to",
  u: "allow-events",
  v: "via",
  x: "session-expires",
};

const readHeader = (line: string): SipHeader | undefined => {
  const found = HEADER.exec(line);
  if (found === null) return undefined;
  const name = (found[1] ?? "").toLowerCase();
  return [Object.hasOwn(COMPACT, name) ? (COMPACT[name] ?? name) : name, found[2] ?? ""];
};

const valueOf = (headers: readonly SipHeader[], name: string): string | undefined =>
  headers.find(([each]) => each === name)?.[1];

const bodyOf = (headers: readonly SipHeader[], rest: Uint8Array): Uint8Array | undefined => {
  const told = valueOf(headers, "content-length");
  if (told === undefined) return rest;
  const length = /^\d{1,9}$/.test(told) ? Number(told) : Number.POSITIVE_INFINITY;
  return length > rest.length ? undefined : rest.subarray(0, length);
};

const isComplete = (headers: readonly SipHeader[]): boolean => {
  const once = (name: string) => headers.filter(([each]) => each === name).length === 1;
  const cseq = CSEQ.exec(valueOf(headers, "cseq") ?? "");
  return (
    ["from", "to", "call-id", "cseq"].every((name) => once(name)) &&
    (valueOf(headers, "via") ?? "") !== "" &&
    (valueOf(headers, "call-id") ?? "") !== "" &&
    cseq !== null &&
    Number(cseq[1]) < 2 ** 32
  );
};
