import { Converter } from "../../audio/convert.ts";
import type { Transport } from "../../ports/transport.ts";
import { BROWSER_FORMAT } from "./browser-format.ts";
import type { MediaPath, PathListener } from "./media-path.ts";

/** Sound by WebRTC, in the browser line's format. */
export class PeerPath implements MediaPath {
  readonly #transport: Transport;
  readonly #up: Converter;
  readonly #down: Converter;
  #closed = false;

  constructor(transport: Transport, listener: PathListener) {
    this.#transport = transport;
    this.#up = new Converter(transport.format, BROWSER_FORMAT);
    this.#down = new Converter(BROWSER_FORMAT, transport.format);
    transport.listen({
      frame: ({ payload, atMs }) => {
        if (!this.#closed) listener.frame({ payload: this.#up.convert(payload), atMs });
      },
      digit: (digit) => {
        if (!this.#closed) listener.digit(digit);
      },
      mark: (name) => {
        if (!this.#closed) listener.mark(name);
      },
      gone: () => {
        if (!this.#closed) listener.lost();
      },
    });
  }

  get queue(): "far-end" | "none" {
    return this.#transport.queue;
  }

  get bufferedAmount(): number {
    return this.#transport.bufferedAmount;
  }

  send(payload: Uint8Array): void {
    if (!this.#closed) this.#transport.send(this.#down.convert(payload));
  }

  mark(name: string): void {
    if (!this.#closed) this.#transport.mark(name);
  }

  clear(): void {
    if (!this.#closed) this.#transport.clear();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#transport.close();
    this.#up.close();
    this.#down.close();
  }
}
