import { readFile } from "node:fs/promises";
import { credentials, Metadata, type ChannelCredentials, type ClientOptions } from "@grpc/grpc-js";

/** A gRPC server as its clients know it. */
export type Endpoint = Readonly<{
  /** `host:port`. */
  target: string;
  credentials: ChannelCredentials;
  /** Sent with every request; absent where the server wants none. */
  token: string | undefined;
}>;

export type EndpointSettings = Readonly<{
  /** `grpc://host:port`, or `grpcs://host:port` for TLS. */
  url: string;
  token?: string | undefined;
  /** Path of the certificate authority that signed the server's certificate; absent: those that the machine trusts. */
  caPath?: string | undefined;
}>;

/** The address of a gRPC server, or the authority that its certificate is to be checked by, cannot be used; the message says why. */
export class UnusableEndpoint extends Error {
  override readonly name = "UnusableEndpoint";
  readonly part: "url" | "authority";

  constructor(part: "url" | "authority", message: string, options?: ErrorOptions) {
    super(message, options);
    this.part = part;
  }
}

/** Longest message either way, in bytes: half a megabyte of sound and what is around it, or the history of a long call. */
export const MOST_MESSAGE_BYTES = 1024 * 1024 + 4096;

/**
 * Reconnects by itself after 0.2 to 3 s. There are no pings: servers of gRPC's C core, Python's among them, cut off clients that ping
 * oftener than every five minutes while the server has nothing to say.
 */
export const CLIENT_OPTIONS: ClientOptions = {
  "grpc.initial_reconnect_backoff_ms": 200,
  "grpc.max_reconnect_backoff_ms": 3000,
  "grpc.max_receive_message_length": MOST_MESSAGE_BYTES,
  "grpc.max_send_message_length": MOST_MESSAGE_BYTES,
  // A connection that is given up must not come back by way of another client.
  "grpc.use_local_subchannel_pool": 1,
};

/** @throws {UnusableEndpoint} when the URL is none or the certificate authority cannot be read. */
export const readEndpoint = async ({ url, token, caPath }: EndpointSettings): Promise<Endpoint> => {
  const [, scheme, target] = /^(grpcs?):\/\/((?:\[[\da-fA-F:.]+\]|[\w.-]+):\d{1,5})\/?$/.exec(url) ?? [];
  if (target === undefined)
    throw new UnusableEndpoint("url", "the address must be grpc://host:port or grpcs://host:port");
  if (scheme === "grpc") return { target, credentials: credentials.createInsecure(), token };
  const ca = caPath === undefined ? null : await readAuthority(caPath);
  return { target, credentials: credentials.createSsl(ca), token };
};

const readAuthority = async (path: string): Promise<Buffer> => {
  try {
    return await readFile(path);
  } catch (cause) {
    throw new UnusableEndpoint("authority", `the certificate authority ${path} cannot be read`, { cause });
  }
};

/** What goes with every request to the endpoint. */
export const metadataFor = ({ token }: Endpoint): Metadata => {
  const metadata = new Metadata();
  if (token !== undefined) metadata.set("authorization", `Bearer ${token}`);
  return metadata;
};
