import { createHmac, timingSafeEqual } from "node:crypto";
import type { CallbackRequest } from "../../../ports/carrier.ts";

/**
 * Version 3 of Plivo's signature, in base64: over the URL with its query sorted, the form fields sorted, and the nonce. `url` is the
 * public one; `fields` are those of a form, none for GET.
 */
export const plivoSignature = (
  of: Readonly<{ url: string; fields: URLSearchParams; nonce: string; authToken: string }>,
): string => {
  const url = new URL(of.url);
  const query = sorted(url.searchParams).map(([name, value]) => `${name}=${value}`);
  const fields = sorted(of.fields).map(([name, value]) => `${name}${value}`);
  const base = `${url.protocol}//${url.host}${url.pathname}`;
  const asked = query.length > 0 || fields.length > 0 ? `${base}?${query.join("&")}` : base;
  const dot = query.length > 0 && fields.length > 0 ? "." : "";
  return createHmac("sha256", of.authToken)
    .update(`${asked}${dot}${fields.join("")}.${of.nonce}`)
    .digest("base64");
};

/** Whether Plivo has signed a callback; of several signatures, one for each of the account's tokens, one has to fit. */
export const isSignedByPlivo = (request: CallbackRequest, authToken: string): boolean => {
  const given = request.headers["x-plivo-signature-v3"] ?? "";
  const nonce = request.headers["x-plivo-signature-v3-nonce"] ?? "";
  if (nonce === "" || given.length > MOST_SIGNATURE_CHARS || !URL.canParse(request.url)) return false;
  const expected = Buffer.from(plivoSignature({ url: request.url, fields: formOf(request), nonce, authToken }));
  return given.split(",").some((one) => {
    const bytes = Buffer.from(one.trim());
    return bytes.length === expected.length && timingSafeEqual(bytes, expected);
  });
};

/** The form fields of a callback; none where it is no form. */
export const formOf = (request: CallbackRequest): URLSearchParams => {
  const isForm = (request.headers["content-type"] ?? "").startsWith("application/x-www-form-urlencoded");
  return new URLSearchParams(isForm ? Buffer.from(request.body).toString("utf8") : "");
};

const MOST_SIGNATURE_CHARS = 1000;

/** By name, then by value, in the order of JavaScript strings. */
const sorted = (params: URLSearchParams): [string, string][] =>
  [...params].toSorted(([nameA, valueA], [nameB, valueB]) =>
    nameA === nameB ? compare(valueA, valueB) : compare(nameA, nameB),
  );

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
