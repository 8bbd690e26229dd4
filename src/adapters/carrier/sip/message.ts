/** A header field; names are in lower case and in their long form. */
export type SipHeader = readonly [name: string, value: string];

export type SipRequest = Readonly<{
  type: "request";
  method: string;
  uri: string;
  headers: readonly SipHeader[];
  body: Uint8Array;
}>;

export type SipResponse = Readonly<{
  type: "response";
  /** 100 to 699. */
  status: number;
  reason: string;
  headers: readonly SipHeader[];
  body: Uint8Array;
}>;

export type SipMessage = SipRequest | SipResponse;

/** The first value of a header field, by its long name in lower case. */
export const headerOf = ({ headers }: SipMessage, name: string): string | undefined =>
  headers.find(([each]) => each === name)?.[1];

/** All values of a header field that may be a list, in one field or in several. */
export const headersOf = ({ headers }: SipMessage, name: string): readonly string[] =>
  headers.filter(([each]) => each === name).flatMap(([, value]) => splitOutside(value, ","));

/** The number and method of a message's CSeq, which every parsed message has. */
export const cseqOf = (message: SipMessage): Readonly<{ number: number; method: string }> => {
  const [number = "0", method = ""] = (headerOf(message, "cseq") ?? "").split(/\s+/);
  return { number: Number(number), method };
};

/** A request or response without a body of its own unless it is given. */
export const sipRequest = (
  method: string,
  uri: string,
  headers: readonly SipHeader[],
  body: Uint8Array = NO_BODY,
): SipRequest => ({ type: "request", method, uri, headers, body });

export const sipResponse = (
  status: number,
  headers: readonly SipHeader[],
  body: Uint8Array = NO_BODY,
  reason = REASONS[status] ?? "Answer",
): SipResponse => ({ type: "response", status, reason, headers, body });

/** The bytes of a message; the length of the body is added. */
export const serializeMessage = (message: SipMessage): Uint8Array => {
  const start =
    message.type === "request"
      ? `${message.method} ${message.uri} SIP/2.0`
      : `SIP/2.0 ${message.status} ${message.reason}`;
  const lines = message.headers.map(([name, value]) => `${wireName(name)}: ${value}`);
  const head = [start, ...lines, `Content-Length: ${message.body.length}`, "", ""].join("\r\n");
  return Buffer.concat([Buffer.from(head, "utf8"), message.body]);
};

/** Parts of a text between separators that stand neither in quotes nor in angle brackets, without blanks around them. */
export const splitOutside = (text: string, separator: "," | ";"): readonly string[] => {
  const parts: string[] = [];
  let [quoted, bracketed, from] = [false, false, 0];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (quoted) {
      if (character === "\\") at += 1;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === "<") bracketed = true;
    else if (character === ">") bracketed = false;
    else if (character === separator && !bracketed) {
      parts.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }
  parts.push(text.slice(from).trim());
  return parts;
};

const NO_BODY = new Uint8Array();

const SPECIAL_NAMES: Readonly<Record<string, string>> = {
  "call-id": "Call-ID",
  cseq: "CSeq",
  "min-se": "Min-SE",
  "www-authenticate": "WWW-Authenticate",
};

const wireName = (name: string): string =>
  SPECIAL_NAMES[name] ?? name.replaceAll(/(^|-)[a-z]/g, (start) => start.toUpperCase());

/** RFC 3261, section 21, for what we answer ourselves. */
const REASONS: Readonly<Record<number, string>> = {
  100: "Trying",
  180: "Ringing",
  200: "OK",
  400: "Bad Request",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  420: "Bad Extension",
  422: "Session Interval Too Small",
  480: "Temporarily Unavailable",
  481: "Call/Transaction Does Not Exist",
  486: "Busy Here",
  487: "Request Terminated",
  488: "Not Acceptable Here",
  491: "Request Pending",
  500: "Server Internal Error",
  501: "Not Implemented",
  503: "Service Unavailable",
  603: "Decline",
};
