import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { WebSocketServer, type RawData, type WebSocket } from "ws";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import { ByteEars } from "./spoken-bytes.ts";
import { VendorRecord, type Fault, type Opened, type ScriptedVendor } from "./scripted-vendor.ts";

const clock = new SystemClock();

/** One connection as a vendor's dialect sees it. */
export class Session {
  readonly ears = new ByteEars();
  readonly record: VendorRecord;
  readonly #socket: WebSocket;
  readonly #tcp: Duplex;
  readonly #fault: Fault | undefined;
  #over = false;

  constructor(socket: WebSocket, tcp: Duplex, record: VendorRecord, fault: Fault | undefined) {
    this.#socket = socket;
    this.#tcp = tcp;
    this.record = record;
    this.#fault = fault;
  }

  send(message: object): void {
    if (this.#fault?.type === "stalls") return;
    const text = JSON.stringify(message);
    if (this.#fault?.type === "slow")
      clock.setTimer(this.#fault.byMs, () => {
        this.#socket.send(text);
      });
    else this.#socket.send(text);
  }

  /** What a connection is greeted with comes even from one that stalls later. */
  greet(message: object): void {
    this.#socket.send(JSON.stringify(message));
  }

  /** Takes sound in; false when the connection is not what it was after it. */
  hear(sound: Uint8Array): boolean {
    if (this.#over) return false;
    this.ears.feed(sound);
    const fault = this.#fault;
    if (fault?.type === "garbage") this.#socket.send("<html>502 Bad Gateway</html>");
    else if (fault?.type === "drops" && this.ears.heardMs >= fault.afterMs) this.#socket.terminate();
    else if (fault?.type === "half-closes" && this.ears.heardMs >= fault.afterMs) this.#tcp.end();
    else if (fault?.type === "closes" && this.ears.heardMs >= fault.afterMs) this.#socket.close(1011, "try again");
    else return true;
    this.#over = true;
    return false;
  }

  mistake(what: string, code: number): void {
    this.record.mistakes.push(what);
    this.#socket.close(code, what);
  }

  bye(): void {
    this.record.goodbyes += 1;
    this.record.tell();
    this.#socket.close(1000);
  }
}

/** A vendor's wire format, from the vendor's side. */
export type Dialect = Readonly<{
  /** Whether the request shows the right key and comes to the right place. */
  admits(request: IncomingMessage): boolean;
  /** What the request asks for; undefined where that comes later in a message. */
  opened(session: Session, url: URL): Opened | undefined;
  message(session: Session, message: Readonly<Record<string, unknown>>): void;
  sound(session: Session, sound: Uint8Array): void;
  left?(session: Session): void;
}>;

/** Serves a dialect on a free port of loopback, with faults for its first connections. */
export const serveDialect = async (dialect: () => Dialect, script: readonly Fault[]): Promise<ScriptedVendor> => {
  const record = new VendorRecord(script);
  const http = createServer((_request, response) => response.writeHead(404).end());
  const sockets = new WebSocketServer({ noServer: true });
  http.on("upgrade", (request, tcp, head) => {
    // Whoever connects may be killed before it is admitted.
    tcp.on("error", () => tcp.destroy());
    const fault = record.next();
    const speaks = dialect();
    const status = fault?.type === "refused" ? fault.status : 401;
    if (fault?.type === "refused" || !speaks.admits(request)) {
      tcp.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
      return;
    }
    sockets.handleUpgrade(request, tcp, head, (socket) => {
      serve(socket, new URL(request.url ?? "/", "http://loopback"), speaks, new Session(socket, tcp, record, fault));
    });
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    record,
    close: async () => {
      for (const socket of sockets.clients) socket.terminate();
      await new Promise((resolve) => http.close(resolve));
    },
  };
};

const serve = (socket: WebSocket, url: URL, dialect: Dialect, session: Session): void => {
  const { record } = session;
  record.live += 1;
  socket.on("close", () => {
    record.live -= 1;
    record.tell();
  });
  socket.on("message", (data: RawData, binary) => {
    const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer);
    if (binary) dialect.sound(session, bytes);
    else dialect.message(session, JSON.parse(bytes.toString("utf8")) as Record<string, unknown>);
    record.tell();
  });
  const opened = dialect.opened(session, url);
  if (opened !== undefined) record.opened.push(opened);
  record.tell();
};
