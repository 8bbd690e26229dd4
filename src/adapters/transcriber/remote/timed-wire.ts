import type { ProviderErrorKind } from "../../../ports/provider-error.ts";
import type { Message } from "./message.ts";
import type { Socket, SocketParts } from "./socket.ts";
import type { Wire, WireListener } from "./wire.ts";

/** One vendor's messages over a {@link TimedWire}. */
export type Dialect = Readonly<{
  /** Asks for the final text; absent where the vendor reads along, so that it is only waited for. */
  finalize?: Message;
  /** Ends a turn that has words. */
  endTurn: Message;
  /** Goes along with a ping. */
  keepAlive?: Message;
  /** Ends the connection. */
  close: Message;
  /** Told when the socket is open, for vendors that take sound from then on. */
  opened?(wire: TimedWire): void;
  read(message: Message, wire: TimedWire): void;
}>;

/** A websocket to a vendor that is sent sound as it is, and whose times count from the first sound of the connection. */
export class TimedWire implements Wire {
  readonly listener: WireListener;
  /** Words were told that may still change. */
  underway = false;
  readonly #dialect: Dialect;
  readonly #socket: Socket;
  #baseMs: number | undefined;
  #asked: number[] = [];

  constructor(
    listener: WireListener,
    dialect: Dialect,
    open: (events: Pick<SocketParts, "opened" | "message" | "lost">) => Socket,
  ) {
    this.listener = listener;
    this.#dialect = dialect;
    this.#socket = open({
      opened: () => {
        dialect.opened?.(this);
      },
      message: (message) => {
        dialect.read(message, this);
      },
      lost: listener.lost,
    });
  }

  get waitingBytes(): number {
    return this.#socket.waitingBytes;
  }

  /** Where on the stream the vendor's times count from. */
  get baseMs(): number {
    return this.#baseMs ?? 0;
  }

  send(sound: Uint8Array, fromMs: number): void {
    this.#baseMs ??= fromMs;
    this.#socket.send(sound);
  }

  finalize(toMs: number): void {
    if (this.#baseMs === undefined) {
      // There is nothing to be final.
      this.listener.flushed(toMs);
      return;
    }
    this.#asked.push(toMs);
    if (this.#dialect.finalize !== undefined) this.#socket.sendMessage(this.#dialect.finalize);
  }

  endTurn(): void {
    if (this.underway) this.#socket.sendMessage(this.#dialect.endTurn);
  }

  keepAlive(): void {
    if (this.#dialect.keepAlive !== undefined) this.#socket.sendMessage(this.#dialect.keepAlive);
    this.#socket.ping();
  }

  close(): void {
    this.#socket.close(this.#dialect.close);
  }

  /** Gives the connection up for what the vendor said. */
  fail(kind: ProviderErrorKind, what: string): void {
    this.#socket.fail(kind, what);
  }

  /** Whether a final text was asked for of sound up to this moment. */
  isAsked(untilMs: number): boolean {
    return this.#asked.some((asked) => asked <= untilMs);
  }

  /** All that was asked for of sound up to this moment is out. */
  answer(untilMs: number): void {
    const answered = this.#asked.findLast((asked) => asked <= untilMs);
    if (answered === undefined) return;
    this.#asked = this.#asked.filter((asked) => asked > answered);
    this.listener.flushed(answered);
  }
}
