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
  if (url.protocol !== "https:") return "must begin with https://";
  // A trailing dot makes a name absolute and would slip past the suffixes.
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  return isPrivate(host) ? "must not lead into a private network" : undefined;
};

const isPrivate = (host: string): boolean =>
  isIP(host) === 0 ? !host.includes(".") || LOCAL_NAMES.test(host) : !isPublicAddress(host);
