import type { Dialect } from "../../../../src/adapters/carrier/streaming/dialect.ts";
import { acceptMediaLine } from "../../../../src/adapters/carrier/streaming/media-line.ts";
import type { MediaSocket } from "../../../../src/ports/media-socket.ts";
import type { LineEnd, LineListener, Transport } from "../../../../src/ports/transport.ts";
import { countingMetrics } from "../../../kit/counting-metrics.ts";
import { silentLogger } from "../../../kit/silent-logger.ts";
import { VirtualClock } from "../../../kit/virtual-clock.ts";

/** A media socket whose peer is the test. */
export class SocketDouble implements MediaSocket {
  bufferedAmount = 0;
  readonly sent: (string | Uint8Array)[] = [];
  closedWith: number | undefined;
  #handlers: Parameters<MediaSocket["listen"]>[0] | undefined;

  listen(handlers: Parameters<MediaSocket["listen"]>[0]): void {
    this.#handlers = handlers;
  }

  send(data: string | Uint8Array): void {
    this.sent.push(data);
  }

  close(code: number): void {
    this.closedWith ??= code;
  }

  say(message: unknown): void {
    const raw = typeof message === "string" || message instanceof Uint8Array;
    this.#handlers?.message(raw ? message : JSON.stringify(message));
  }

  hangUp(code?: number): void {
    this.#handlers?.closed(code);
  }
}

/** Everything that a line reported. */
export class Reported implements LineListener {
  readonly frames: { payload: Uint8Array; atMs: number }[] = [];
  readonly digits: string[] = [];
  readonly marks: string[] = [];
  ended: LineEnd | undefined;

  frame(frame: { payload: Uint8Array; atMs: number }): void {
    this.frames.push(frame);
  }

  digit(digit: string): void {
    this.digits.push(digit);
  }

  mark(name: string): void {
    this.marks.push(name);
  }

  gone(why: LineEnd): void {
    if (this.ended !== undefined) throw new Error("gone twice");
    this.ended = why;
  }
}

/** A socket and the line that is made of it. */
export const lineRig = (dialect: Dialect) => {
  const clock = new VirtualClock();
  const socket = new SocketDouble();
  const patience = new AbortController();
  const reported = new Reported();
  const deps = { clock, logger: silentLogger(), metrics: countingMetrics().metrics };
  const accept = (): Promise<Transport> => acceptMediaLine(socket, dialect, deps, patience.signal);
  const open = async (...messages: unknown[]): Promise<Transport> => {
    const accepting = accept();
    for (const message of messages) socket.say(message);
    const line = await accepting;
    line.listen(reported);
    return line;
  };
  return { clock, socket, patience, reported, accept, open };
};
