import { isIP } from "node:net";
import { isPublicAddress } from "../kit/public-address.ts";

/** Names that resolve inside a network only (RFC 6761, RFC 6762, RFC 8375, and what offices and clouds use). */
const LOCAL_NAMES = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|home\.arpa)$/;

/**
 * Why a URL that a customer gave may not be called; `undefined` when it may. This looks at the URL alone: what its name
 * resolves to is checked when it is called, because a name may point elsewhere by then.
 */
export const whyNotCallable = (text: string, allowPrivateNetwork: boolean): string | undefined => {
  if (!URL.canParse(text)) return "must be a URL";
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") return "must not hold a user name or password";
  if (allowPrivateNetwork) return ["https:", "http:"].includes(url.protocol) ? undefined : "must begin with https://";
  // A trailing dot makes a name absolute and would slip past the suffixes.
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  const why = url.protocol === "https:" ? undefined : "must begin with https://";
  if (!isPrivate(host)) return why;
  const unless = ["https:", "http:"].includes(url.protocol) ? UNLESS_ALLOWED : "";
  return `${why ?? "must not lead into a private network"}${unless}`;
};

/** Mostly said to somebody who tries the service on their own machine. */
const UNLESS_ALLOWED = ", unless the service runs with ALLOW_PRIVATE_NETWORK=true";

const isPrivate = (host: string): boolean =>
  isIP(host) === 0 ? !host.includes(".") || LOCAL_NAMES.test(host) : !isPublicAddress(host);
