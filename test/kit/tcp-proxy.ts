import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

/** Stands between a client and a server on this machine, and can behave like a machine that hangs or is gone. */
export class TcpProxy {
  connections = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #hangs = false;

  private constructor(targetPort: number) {
    this.#server = createServer({ allowHalfOpen: true }, (near) => {
      this.connections += 1;
      const far = connect({ port: targetPort, host: "127.0.0.1", allowHalfOpen: true });
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(one);
        one.on("data", (bytes) => {
          if (!this.#hangs) other.write(bytes);
        });
        one.on("end", () => {
          if (!this.#hangs) other.end();
        });
        one.on("error", () => undefined);
        one.on("close", () => {
          this.#sockets.delete(one);
          if (!this.#hangs) other.destroy();
        });
      }
    });
  }

  /** `port` 0 takes a free one. */
  static async start(targetPort: number, port = 0): Promise<TcpProxy> {
    const proxy = new TcpProxy(targetPort);
    proxy.#server.listen(port, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Takes what comes, also new connections, and passes nothing on, as a process does that stands still. */
  hang(): void {
    this.#hangs = true;
  }

  /** Ends everything, as a machine does that goes down. Idempotent. */
  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, "close");
  }
}
