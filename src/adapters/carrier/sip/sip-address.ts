import { splitOutside } from "./message.ts";

/** A SIP URI, as far as it is needed to reach somebody. */
export type SipUri = Readonly<{
  /** With escapes undone; empty where there is none. */
  user: string;
  host: string;
  port: number | undefined;
  /** Names in lower case; a parameter without a value is the empty text. */
  params: ReadonlyMap<string, string>;
}>;

/** A value of From, To, Contact or Route. */
export type NameAddress = Readonly<{ uri: string; params: ReadonlyMap<string, string> }>;

/** Reads `sip:` URIs, and `tel:` URIs as those of a user without a host; `undefined` for others. */
export const parseUri = (text: string): SipUri | undefined => {
  const [plainText = ""] = text.trim().split("?");
  // A user's name may have parameters as well, which tell nothing that is needed.
  const [address = "", ...params] = splitOutside(plainText.replace(/^(sips?:[^@;]*);[^@]*@/i, "$1@"), ";");
  const tel = /^tel:([+\d().*#A-Fa-f-]{1,64})$/i.exec(address);
  if (tel !== null)
    return { user: (tel[1] ?? "").replaceAll(/[().-]/g, ""), host: "", port: undefined, params: paramsOf(params) };
  const sip = SIP_URI.exec(address);
  if (sip === null) return undefined;
  const [, user = "", bracketed, plain, port] = sip;
  const number = port === undefined ? undefined : Number(port);
  if (number !== undefined && (number < 1 || number > 65_535)) return undefined;
  const name = unescaped(user.split(":")[0] ?? "");
  if (name === undefined) return undefined;
  return { user: name, host: (bracketed ?? plain ?? "").toLowerCase(), port: number, params: paramsOf(params) };
};

/** Reads `"Name" <sip:…>;tag=…` and `sip:…;tag=…`. */
export const parseNameAddress = (text: string): NameAddress | undefined => {
  const bracketed = /^(?:"(?:[^"\\]|\\.)*"|[^"<]*)\s*<([^<>]*)>(.*)$/s.exec(text.trim());
  if (bracketed !== null) {
    const [, uri = "", rest = ""] = bracketed;
    return { uri, params: paramsOf(splitOutside(rest.replace(/^\s*;/, ""), ";")) };
  }
  // Without brackets, parameters are those of the field (RFC 3261, section 20.10).
  const [uri = "", ...params] = splitOutside(text, ";");
  return uri === "" || /[\s"<>]/.test(uri) ? undefined : { uri, params: paramsOf(params) };
};

/** `name=value` pairs; the first of a name counts. */
export const paramsOf = (parts: readonly string[]): ReadonlyMap<string, string> => {
  const params = new Map<string, string>();
  for (const part of parts) {
    const equals = part.indexOf("=");
    const name = (equals === -1 ? part : part.slice(0, equals)).trim().toLowerCase();
    const value = equals === -1 ? "" : part.slice(equals + 1).trim();
    if (name !== "" && !params.has(name)) params.set(name, unquoted(value));
  }
  return params;
};

/** A user's name as it may stand in a URI (RFC 3261, section 25.1). */
export const escapeUser = (user: string): string =>
  Array.from(Buffer.from(user, "utf8"), (byte) => {
    const character = String.fromCharCode(byte);
    return /[A-Za-z0-9_.!~*'()&=+$,;?/-]/.test(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }).join("");

/** The text between quotes, with its escapes undone; other texts as they are. */
export const unquoted = (text: string): string =>
  text.length >= 2 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1).replaceAll(/\\(.)/gs, "$1") : text;

const SIP_URI = /^sips?:(?:([^@\s<>"]{1,256})@)?(?:\[([0-9A-Fa-f:.]{2,45})\]|([A-Za-z0-9._-]{1,253}))(?::(\d{1,5}))?$/i;

const unescaped = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};
