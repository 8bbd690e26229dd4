import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A server on every loopback address of this machine that knows whether anybody ever connected to it. */
export class Canary {
  connections = 0;
  readonly port: number;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    server.on("connection", () => {
      this.connections += 1;
    });
  }

  static async start(answer: RequestListener = (_request, response) => response.end("{}")): Promise<Canary> {
    const server = createServer(answer);
    await new Promise<void>((resolve) => {
      server.listen(0, "::", resolve);
    });
    return new Canary(server);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }
}
