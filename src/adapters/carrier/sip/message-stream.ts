import { contentLength, headLength, MOST_MESSAGE_BYTES } from "./parse-message.ts";

/** What a connection carried is no stream of messages. */
export class BrokenStream extends Error {
  override readonly name = "BrokenStream";
}

/** Cuts the bytes of one TCP connection into messages, by their Content-Length (RFC 3261, section 18.3). */
export class MessageStream {
  #waiting: Uint8Array = new Uint8Array();

  /**
   * The messages that are complete by now, and whether a peer asks by two empty lines if we are there (RFC 5626, section 3.5.1).
   *
   * @throws {BrokenStream} for a message that does not tell its length, or is larger than 64 kB.
   */
  push(bytes: Uint8Array): Readonly<{ messages: readonly Uint8Array[]; ping: boolean }> {
    this.#waiting = this.#waiting.length === 0 ? bytes : Buffer.concat([this.#waiting, bytes]);
    const messages: Uint8Array[] = [];
    let ping = false;
    for (;;) {
      const blank = this.#blanks();
      ping ||= blank >= PING_BYTES;
      this.#waiting = this.#waiting.subarray(blank);
      const message = this.#next();
      if (message === undefined) return { messages, ping };
      messages.push(message);
    }
  }

  #blanks(): number {
    let at = 0;
    while (this.#waiting[at] === 0x0d || this.#waiting[at] === 0x0a) at += 1;
    return at;
  }

  #next(): Uint8Array | undefined {
    const head = headLength(this.#waiting);
    if (head === undefined) {
      if (this.#waiting.length > MOST_MESSAGE_BYTES) throw new BrokenStream("a message has no end of its head");
      return undefined;
    }
    const body = contentLength(this.#waiting.subarray(0, head));
    if (body === undefined) throw new BrokenStream("a message does not tell its length");
    if (head + body > MOST_MESSAGE_BYTES) throw new BrokenStream("a message is larger than 64 kB");
    if (this.#waiting.length < head + body) return undefined;
    const message = this.#waiting.subarray(0, head + body);
    this.#waiting = this.#waiting.subarray(head + body);
    return message;
  }
}

/** CRLF CRLF. */
const PING_BYTES = 4;
