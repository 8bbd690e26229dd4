/** One event of a stream: its data, and the id to continue after, if it has one. */
export type ServerSentEvent = Readonly<{ id: string | undefined; data: string }>;

/** Longest event, in characters; a transcript entry has a few hundred. */
const LONGEST = 1_000_000;

/**
 * Takes a stream of server-sent events apart (HTML Living Standard, 9.2.6). Comments, names and reconnection times are passed
 * over, since the data of ours say what they are.
 */
export class EventParser {
  #rest = "";
  #data: string[] = [];
  #id: string | undefined;
  #length = 0;

  /** The events that `text` completes. @throws RangeError for one that is too long to be true. */
  push(text: string): readonly ServerSentEvent[] {
    this.#rest += text;
    const events: ServerSentEvent[] = [];
    let start = 0;
    for (const { 0: end, index } of this.#rest.matchAll(/\r\n|\n|\r/g)) {
      // Its other half may still come.
      if (end === "\r" && index === this.#rest.length - 1) break;
      const event = this.#line(this.#rest.slice(start, index));
      if (event !== undefined) events.push(event);
      start = index + end.length;
    }
    this.#rest = this.#rest.slice(start);
    if (this.#length + this.#rest.length > LONGEST) throw new RangeError("an event of the stream is too long");
    return events;
  }

  #line(line: string): ServerSentEvent | undefined {
    if (line === "") return this.#dispatch();
    this.#length += line.length;
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") this.#data.push(value);
    if (field === "id" && !value.includes("\0")) this.#id = value;
    return undefined;
  }

  #dispatch(): ServerSentEvent | undefined {
    const event = this.#data.length === 0 ? undefined : { id: this.#id, data: this.#data.join("\n") };
    this.#data = [];
    this.#id = undefined;
    this.#length = 0;
    return event;
  }
}
