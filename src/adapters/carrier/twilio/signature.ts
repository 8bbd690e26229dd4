import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { SecretString } from "../../../kit/secret-string.ts";

/** A request as its signature sees it: `body` is a form, or a JSON text whose hash stands in the URL's `bodySHA256`. */
export type SignedRequest = Readonly<{ url: string; contentType?: string | undefined; body?: Uint8Array | undefined }>;

/**
 * The signature of a URL and form fields: HMAC-SHA-1 over the URL and every field's name and value, by name, without separators. A
 * value that a field has twice counts once.
 */
export const signatureOf = (key: SecretString, url: string, fields: URLSearchParams): string => {
  const names = [...new Set(fields.keys())].toSorted();
  const values = names.flatMap((name) => [...new Set(fields.getAll(name))].toSorted().map((value) => name + value));
  return createHmac("sha1", key.reveal())
    .update(`${url}${values.join("")}`, "utf8")
    .digest("base64");
};

/**
 * Whether a signature fits a request. Senders differ in whether the URL that they sign has the port of its scheme in it, so that both
 * forms are tried.
 */
export const isSigned = (key: SecretString, signature: string | undefined, request: SignedRequest): boolean => {
  if (signature === undefined || signature === "") return false;
  const form = (request.contentType ?? "").startsWith(FORM);
  const body = request.body ?? new Uint8Array();
  if (!form && body.length > 0 && !hashFits(request.url, body)) return false;
  const fields = new URLSearchParams(form ? Buffer.from(body).toString("utf8") : "");
  return formsOf(request.url).some((url) => equal(signature, signatureOf(key, url, fields)));
};

const FORM = "application/x-www-form-urlencoded";

const hashFits = (url: string, body: Uint8Array): boolean => {
  const told = URL.canParse(url) ? new URL(url).searchParams.get("bodySHA256") : null;
  return told !== null && equal(told.toLowerCase(), createHash("sha256").update(body).digest("hex"));
};

const PORTS: Readonly<Record<string, string>> = { "http:": "80", "https:": "443", "ws:": "80", "wss:": "443" };

/** The URL as it is, and with the port of its scheme, or without any port. */
const formsOf = (url: string): readonly string[] => {
  const parts = /^([a-z]+:)\/\/([^/?#]*)(.*)$/s.exec(url);
  if (parts === null) return [url];
  const [, scheme = "", authority = "", rest = ""] = parts;
  const port = /:(\d+)$/.exec(authority)?.[1];
  const bare = port === undefined ? authority : authority.slice(0, -port.length - 1);
  return [url, `${scheme}//${bare}:${port ?? PORTS[scheme] ?? ""}${rest}`, `${scheme}//${bare}${rest}`];
};

const equal = (given: string, expected: string): boolean => {
  const one = Buffer.from(given);
  const other = Buffer.from(expected);
  return one.length === other.length && timingSafeEqual(one, other);
};
