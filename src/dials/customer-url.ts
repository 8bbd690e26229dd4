import { BlockList, isIP } from "node:net";

/** Addresses that are not plain unicast on the public internet (IANA special-purpose registries, RFC 6890). */
const PRIVATE_V4 = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const)
  PRIVATE_V4.addSubnet(network, bits, "ipv4");

/** A list of its own, because a list takes every IPv4 address for its mapped IPv6 one. */
const PRIVATE_V6 = new BlockList();
for (const [network, bits] of [
  // ::/96 holds the unspecified address, loopback and the IPv4-compatible addresses.
  ["::", 96],
  ["::ffff:0:0", 96],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["100::", 64],
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const)
  PRIVATE_V6.addSubnet(network, bits, "ipv6");

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

const isPrivate = (host: string): boolean => {
  switch (isIP(host)) {
    case 4:
      return PRIVATE_V4.check(host, "ipv4");
    case 6:
      return PRIVATE_V6.check(host, "ipv6");
    default:
      return !host.includes(".") || LOCAL_NAMES.test(host);
  }
};
