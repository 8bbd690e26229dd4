import { networkInterfaces } from "node:os";
import { ConfigError } from "../config.ts";

/** How a process takes orders from others and is reached by them. */
export type ControlSettings = Readonly<{
  /** Absent: no orders are taken. */
  listen?: Readonly<{
    address: string;
    token: string;
    tls: Readonly<{ certPath: string; keyPath: string }> | undefined;
  }>;
  /** Path of the authority that signed the others' certificates. */
  caPath: string | undefined;
  /** The host under which other processes reach this one. */
  host: string;
}>;

type Env = Readonly<Record<string, string | undefined>>;

/** The variables that are read here. */
export const CONTROL_VARIABLES = [
  "CONTROL_LISTEN",
  "CONTROL_TOKEN",
  "CONTROL_CERT",
  "CONTROL_KEY",
  "CONTROL_CA",
  "ADVERTISE_HOST",
] as const;

/** Shortest token that is taken, in characters. */
const SHORTEST_TOKEN = 24;

/** @throws {ConfigError} with all mistakes at once; none repeats the token. */
export const readControlSettings = (env: Env): ControlSettings => {
  const text = (name: (typeof CONTROL_VARIABLES)[number]) => env[name]?.trim() || undefined;
  const mistakes: string[] = [];
  const address = text("CONTROL_LISTEN");
  const [token, certPath, keyPath] = [text("CONTROL_TOKEN"), text("CONTROL_CERT"), text("CONTROL_KEY")];
  if (address !== undefined && !/^(\[[\da-fA-F:.]+\]|[\w.-]+):\d{1,5}$/.test(address))
    mistakes.push("CONTROL_LISTEN must be host:port, such as 0.0.0.0:50052");
  if (address !== undefined && (token === undefined || token.length < SHORTEST_TOKEN))
    mistakes.push(`CONTROL_TOKEN must have at least ${SHORTEST_TOKEN} characters: whoever has it directs every call`);
  if ((certPath === undefined) !== (keyPath === undefined)) mistakes.push("CONTROL_CERT and CONTROL_KEY go together");
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return {
    ...(address === undefined || token === undefined
      ? {}
      : { listen: { address, token, tls: certPath && keyPath ? { certPath, keyPath } : undefined } }),
    caPath: text("CONTROL_CA"),
    host: text("ADVERTISE_HOST") ?? ownAddress(env["HOST"]?.trim()),
  };
};

/** The first address that other machines may reach, unless the service listens for this machine alone. */
const ownAddress = (listensOn: string | undefined): string => {
  if (listensOn !== undefined && /^(localhost|127\.|::1)/.test(listensOn)) return "127.0.0.1";
  const addresses = Object.values(networkInterfaces()).flat();
  return addresses.find((one) => one?.family === "IPv4" && !one.internal)?.address ?? "127.0.0.1";
};
