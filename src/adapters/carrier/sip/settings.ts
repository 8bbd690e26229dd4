import { isIPv4 } from "node:net";
import { Type } from "typebox";
import type { CarrierAccount } from "../../../ports/carrier.ts";
import { SecretString } from "../../../kit/secret-string.ts";
import type { SipTransport } from "./sip-network.ts";

/** One account at a trunk, read from its settings. */
export type SipSettings = Readonly<{
  /** Where requests go that begin a call. */
  server: Readonly<{ host: string; port: number }>;
  transport: SipTransport;
  user: Readonly<{ name: string; password: SecretString }> | undefined;
  /** Whether the trunk is to be told where we are. */
  registers: boolean;
  listen: Readonly<{ address: string; port: number }>;
  /** What peers are told to reach us by, when this machine knows itself by another address only. */
  publicAddress: string | undefined;
  /** Both ends included. */
  rtpPorts: readonly [number, number] | undefined;
  /** Who may ring us besides the server. */
  peers: readonly string[];
}>;

const PORT = "(6553[0-5]|655[0-2]\\d|65[0-4]\\d\\d|6[0-4]\\d{3}|[1-5]\\d{4}|[1-9]\\d{0,3})";
const IP = "\\d{1,3}(\\.\\d{1,3}){3}";

/** The variables of an account. */
export const SipSettingsSchema = Type.Object({
  SIP_SERVER: Type.String({
    pattern: `^[A-Za-z0-9._-]{1,253}(:${PORT})?$`,
    description: "the trunk's host, with a port behind a colon where it is not 5060",
  }),
  SIP_TRANSPORT: Type.Optional(Type.Enum(["udp", "tcp"], { description: "udp or tcp" })),
  SIP_USERNAME: Type.Optional(Type.String({ minLength: 1, maxLength: 128, description: "a user's name" })),
  SIP_PASSWORD: Type.Optional(Type.String({ minLength: 1, maxLength: 256, description: "the user's password" })),
  SIP_REGISTER: Type.Optional(Type.Enum(["true", "false"], { description: "true or false" })),
  SIP_LISTEN: Type.Optional(
    Type.String({ pattern: `^${IP}:(0|${PORT})$`, description: "an IPv4 address and a port, such as 0.0.0.0:5060" }),
  ),
  SIP_PUBLIC_IP: Type.Optional(Type.String({ pattern: `^${IP}$`, description: "an IPv4 address" })),
  SIP_RTP_PORTS: Type.Optional(
    Type.String({
      pattern: `^${PORT}-${PORT}$`,
      description: "two ports with a dash between them, such as 30000-30999",
    }),
  ),
  SIP_PEERS: Type.Optional(
    Type.String({ pattern: `^${IP}(\\s*,\\s*${IP})*$`, description: "IPv4 addresses with commas between them" }),
  ),
});

/** Reads settings that the schema has let through. */
export const readSettings = ({ settings }: CarrierAccount): SipSettings => {
  const [host = "", port = "5060"] = (settings["SIP_SERVER"] ?? "").split(":");
  const { SIP_USERNAME: name, SIP_PASSWORD: password = "" } = settings;
  const [address = "0.0.0.0", listenPort = "5060"] = (settings["SIP_LISTEN"] ?? "")
    .split(":")
    .filter((part) => part !== "");
  const [first, last] = (settings["SIP_RTP_PORTS"] ?? "").split("-").map(Number);
  const transport = settings["SIP_TRANSPORT"] === "tcp" ? "tcp" : "udp";
  return {
    server: { host: host.toLowerCase(), port: Number(port) },
    transport,
    user: name === undefined ? undefined : { name, password: new SecretString(password) },
    registers: name !== undefined && settings["SIP_REGISTER"] !== "false",
    listen: { address, port: Number(listenPort) },
    publicAddress: settings["SIP_PUBLIC_IP"],
    rtpPorts: first === undefined || last === undefined ? undefined : [first, last],
    peers: (settings["SIP_PEERS"] ?? "")
      .split(",")
      .map((peer) => peer.trim())
      .filter((peer) => isIPv4(peer)),
  };
};
