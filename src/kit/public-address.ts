import { BlockList, isIP } from "node:net";

/**
 * Whether an IP address, as written by the operating system or a URL parser, is plain unicast on the public internet. Everything
 * else (private, loopback, link-local, carrier-grade NAT, multicast, documentation, and every IPv6 form that carries an IPv4 address)
 * is not, nor is text that is no address.
 */
export const isPublicAddress = (address: string): boolean => {
  switch (isIP(address)) {
    case 4:
      return !SPECIAL_V4.check(address, "ipv4");
    case 6:
      // A zone ("fe80::1%eth0") names an interface of this machine.
      return !address.includes("%") && UNICAST_V6.check(address, "ipv6") && !SPECIAL_V6.check(address, "ipv6");
    default:
      return false;
  }
};

/** IANA IPv4 special-purpose address registry (RFC 6890), and what a cloud keeps for itself at a public address. */
const SPECIAL_V4 = new BlockList();
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
  // Azure answers its machines here, metadata and DNS included.
  ["168.63.129.16", 32],
] as const)
  SPECIAL_V4.addSubnet(network, bits, "ipv4");

/** All that is allocated as global unicast; loopback, link-local, NAT64 (64:ff9b::/96), ::/96 and multicast lie outside of it. */
const UNICAST_V6 = new BlockList();
UNICAST_V6.addSubnet("2000::", 3, "ipv6");

/** Lists of their own, because a list takes every IPv4 address for its mapped IPv6 one. */
const SPECIAL_V6 = new BlockList();
for (const [network, bits] of [
  // Teredo (2001::/32), ORCHID and benchmarking.
  ["2001::", 23],
  ["2001:db8::", 32],
  // 6to4 carries an IPv4 address.
  ["2002::", 16],
  ["3fff::", 20],
] as const)
  SPECIAL_V6.addSubnet(network, bits, "ipv6");
