import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { createConnection, createServer, isIPv4, type Server, type Socket } from "node:net";
import { toError } from "../../../kit/errors.ts";
import { withDeadline, type Clock } from "../../../ports/clock.ts";
import type { Logger } from "../../../ports/logger.ts";
import { MessageStream } from "./message-stream.ts";
import { MOST_MESSAGE_BYTES } from "./parse-message.ts";

export type SipTransport = "udp" | "tcp";

/** Where a message goes, or came from. `address` is of IPv4. */
export type SipPeer = Readonly<{ transport: SipTransport; address: string; port: number }>;

export type SipNetworkParts = Readonly<{
  clock: Clock;
  logger: Logger;
  listen: Readonly<{ address: string; port: number }>;
  /** Who may speak to us; what others send is dropped without an answer, so that scanners learn nothing. */
  admits(address: string): boolean;
  receive(data: Uint8Array, from: SipPeer): void;
}>;

/** The address cannot be listened on; the message says what to do. */
export class CannotListen extends Error {
  override readonly name = "CannotListen";
}

/** Nothing was sent: there is no way to the peer. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

/** One address for UDP and TCP, and the connections to and from it. */
export class SipNetwork {
  readonly #parts: SipNetworkParts;
  readonly #connections = new Map<string, Promise<Socket>>();
  #udp: UdpSocket | undefined;
  #tcp: Server | undefined;
  #port = 0;
  #closing: Promise<void> | undefined;

  constructor(parts: SipNetworkParts) {
    this.#parts = parts;
  }

  /** The port that is listened on, the same for UDP and TCP. */
  get port(): number {
    return this.#port;
  }

  /** @throws {CannotListen} */
  async open(): Promise<void> {
    const { address, port } = this.#parts.listen;
    try {
      // A free port for UDP need not be free for TCP.
      for (let attempt = 0; ; attempt++) {
        const udp = await openUdp(address, port);
        this.#port = udp.address().port;
        try {
          this.#tcp = await openTcp(address, this.#port, (socket) => this.#welcome(socket));
          this.#udp = udp;
          break;
        } catch (error) {
          udp.close();
          if (port !== 0 || attempt === 5) throw error;
        }
      }
    } catch (error) {
      throw new CannotListen(
        `SIP cannot listen on ${address}:${port}: give the account another SIP_LISTEN, or end what listens there`,
        { cause: error },
      );
    }
    this.#udp.on("message", (data, { address: from, port: fromPort }) => {
      if (this.#parts.admits(from)) this.#parts.receive(data, { transport: "udp", address: from, port: fromPort });
    });
    this.#udp.on("error", (error) => this.#parts.logger.warn("the SIP socket reports an error", { error }));
  }

  /**
   * Sends one message; over TCP by a connection to the same place that is there, or a new one.
   *
   * @throws {Unreachable} when certainly nothing was sent.
   */
  async send(data: Uint8Array, { transport, address, port }: SipPeer): Promise<void> {
    if (this.#closing !== undefined) throw new Unreachable("SIP is closed");
    if (transport === "tcp") {
      const socket = await this.#connect(address, port);
      if (socket.writableLength > MOST_UNSENT_BYTES) throw new Unreachable("the peer does not read");
      socket.write(data);
      return;
    }
    await new Promise<void>((resolve, reject) => {
      if (this.#udp === undefined) throw new Unreachable("SIP does not listen");
      this.#udp.send(data, port, address, (error) => {
        if (error === null) resolve();
        else reject(new Unreachable("the datagram was not sent", { cause: error }));
      });
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #connect(address: string, port: number): Promise<Socket> {
    const key = `${address}:${port}`;
    const known = this.#connections.get(key);
    if (known !== undefined) return known;
    const connecting = new Promise<Socket>((resolve, reject) => {
      const socket = createConnection({ host: address, port, noDelay: true });
      const timer = this.#parts.clock.setTimer(CONNECT_MS, () => socket.destroy(new Error("nobody answers there")));
      socket.once("connect", () => {
        timer.cancel();
        this.#read(socket, key);
        resolve(socket);
      });
      socket.once("error", (cause) => reject(new Unreachable("the connection was refused", { cause })));
      socket.once("close", () => {
        timer.cancel();
        reject(new Unreachable("the connection broke"));
      });
    });
    this.#connections.set(key, connecting);
    connecting.catch(() => this.#connections.delete(key));
    return connecting;
  }

  #welcome(socket: Socket): void {
    const { remoteAddress = "", remotePort = 0 } = socket;
    const address = remoteAddress.replace(/^::ffff:/, "");
    if (!this.#parts.admits(address) || this.#connections.size >= MOST_CONNECTIONS) {
      socket.destroy();
      return;
    }
    const key = `${address}:${remotePort}`;
    this.#connections.set(key, Promise.resolve(socket));
    this.#read(socket, key);
  }

  #read(socket: Socket, key: string): void {
    const stream = new MessageStream();
    const { remoteAddress = "", remotePort = 0 } = socket;
    const from: SipPeer = { transport: "tcp", address: remoteAddress.replace(/^::ffff:/, ""), port: remotePort };
    socket.on("data", (data: Uint8Array) => {
      try {
        const { messages, ping } = stream.push(data);
        if (ping) socket.write("\r\n");
        for (const message of messages) this.#parts.receive(message, from);
      } catch (error) {
        this.#parts.logger.info("a SIP connection is closed for what it carried", { error: toError(error) });
        socket.destroy();
      }
    });
    socket.on("error", () => socket.destroy());
    socket.once("close", () => this.#connections.delete(key));
  }

  async #close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.#tcp === undefined) resolve();
    else this.#tcp.close(() => resolve());
    for (const connection of this.#connections.values())
      connection.then(
        (socket) => socket.destroy(),
        () => undefined,
      );
    const udp = this.#udp;
    if (udp !== undefined) await new Promise<void>((done) => udp.close(() => done()));
    await promise;
  }
}

/**
 * The IPv4 address of a host.
 *
 * @throws {Unreachable} when there is none within 3 s.
 */
export const resolveHost = async (clock: Clock, host: string): Promise<string> => {
  if (isIPv4(host)) return host;
  try {
    return (await withDeadline(clock, RESOLVE_MS, "looking a host up", lookup(host, { family: 4 }))).address;
  } catch (cause) {
    throw new Unreachable("the host has no address", { cause });
  }
};

/** The address of this machine on its way to a peer. */
export const addressTowards = async (peer: string, port: number): Promise<string> => {
  const socket = createSocket("udp4");
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject);
      socket.connect(port, peer, resolve);
    });
    return socket.address().address;
  } catch (cause) {
    throw new Unreachable("there is no way to the peer", { cause });
  } finally {
    socket.close();
  }
};

const CONNECT_MS = 5000;
const RESOLVE_MS = 3000;
const MOST_CONNECTIONS = 256;
const MOST_UNSENT_BYTES = 16 * MOST_MESSAGE_BYTES;

const openUdp = (address: string, port: number): Promise<UdpSocket> =>
  new Promise((resolve, reject) => {
    const socket = createSocket("udp4");
    socket.once("error", reject);
    socket.bind(port, address, () => {
      socket.off("error", reject);
      resolve(socket);
    });
  });

const openTcp = (address: string, port: number, welcome: (socket: Socket) => void): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer({ noDelay: true }, welcome);
    server.once("error", reject);
    server.listen(port, address, () => {
      server.off("error", reject);
      resolve(server);
    });
  });
