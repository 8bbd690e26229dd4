import type { MediaTicket } from "../ports/live.ts";
import type { Transport } from "../ports/transport.ts";

type Expected = Readonly<{ epoch: number; take: (line: Transport) => boolean }>;

/** Where a media socket that passed the gate meets the dial that waits for it. */
export class Lines {
  readonly #expected = new Map<string, Expected>();

  /** How many dials wait for their line. */
  get size(): number {
    return this.#expected.size;
  }

  /**
   * Waits for the line of a dial under one claim. `take` may refuse a line, and the dial then goes on waiting. The waiting
   * ends with the first line taken or when the returned function is called; whoever waits sets the deadline.
   */
  expect(dialId: string, epoch: number, take: (line: Transport) => boolean): () => void {
    const expected: Expected = { epoch, take };
    this.#expected.set(dialId, expected);
    return () => {
      if (this.#expected.get(dialId) === expected) this.#expected.delete(dialId);
    };
  }

  /**
   * A media socket brought this line under this ticket. False: nobody waits for it here (unknown dial, an older claim, another
   * call of the carrier), and the socket must be closed.
   */
  arrived(ticket: MediaTicket, line: Transport): boolean {
    const expected = this.#expected.get(ticket.dialId);
    if (expected === undefined || expected.epoch !== ticket.epoch || !expected.take(line)) return false;
    this.#expected.delete(ticket.dialId);
    return true;
  }
}
