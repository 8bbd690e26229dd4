/** Headers of the page that holds calls: everything comes from here, and the microphone is for nobody else. */
export const CALL_PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "permissions-policy": "microphone=(self)",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
} as const;

/** Headers of a page that loads nothing and runs nothing: text, links and one style. */
export const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
} as const;
