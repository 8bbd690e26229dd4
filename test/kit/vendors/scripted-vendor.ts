import { expect } from "vitest";
import type { Descriptor } from "../../../src/ports/descriptor.ts";
import type { Transcriber } from "../../../src/ports/transcriber.ts";

/** What goes wrong with one connection; those after the script's end are served. */
export type Fault =
  | Readonly<{ type: "refused"; status: 401 | 429 | 500 | 503 }>
  /** Takes sound and never says a word. */
  | Readonly<{ type: "stalls" }>
  /** Answers with something that is not of the protocol. */
  | Readonly<{ type: "garbage" }>
  /** Breaks off, without a goodbye, when it has heard so much. */
  | Readonly<{ type: "drops"; afterMs: number }>
  /** Ends its side of the connection, without a goodbye, when it has heard so much. */
  | Readonly<{ type: "half-closes"; afterMs: number }>
  /** Says goodbye when it has heard so much, while sound still comes. */
  | Readonly<{ type: "closes"; afterMs: number }>
  /** Everything it says is late. */
  | Readonly<{ type: "slow"; byMs: number }>;

/** What a connection told of itself when it was opened. */
export type Opened = Readonly<{
  keywords: readonly string[];
  language: string;
  encoding: string;
  sampleRate: number;
}>;

/** A vendor on this machine. */
export interface ScriptedVendor {
  readonly url: string;
  readonly record: VendorRecord;
  close(): Promise<void>;
}

/** A vendor's adapter, and the vendor to try it with. */
export type VendorUnderTest = Readonly<{
  descriptor: Descriptor<Transcriber>;
  serve(script?: readonly Fault[]): Promise<ScriptedVendor>;
  /** The environment that leads to a scripted vendor. */
  env(url: string, key: string): Readonly<Record<string, string>>;
  /** What the vendor is told of the language `en-US`. */
  english: string;
  /** Vendors that are asked for one stretch of speech at a time count each as a connection. */
  perStretch?: true;
  /** It is asked what it offers before it is used. */
  described?: true;
}>;

/** What came to a scripted vendor, and what it still has to do. */
export class VendorRecord {
  readonly opened: Opened[] = [];
  /** What a client did that the vendor would not have it do. */
  readonly mistakes: string[] = [];
  /** How often a final text was asked for, and how often a connection was ended in good order. */
  finals = 0;
  goodbyes = 0;
  connections = 0;
  live = 0;
  readonly #script: Fault[];
  #news = Promise.withResolvers<void>();

  constructor(script: readonly Fault[]) {
    this.#script = [...script];
  }

  /** The fault of the next connection. */
  next(): Fault | undefined {
    this.connections += 1;
    this.tell();
    return this.#script.shift();
  }

  tell(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }

  /** Waits until something is so; the test's own limit ends a wait that is in vain. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await this.#news.promise;
  }

  /** That the script was played to its end, and that the client kept to the protocol. */
  check(): void {
    expect(this.#script, "faults that no connection came for").toEqual([]);
    expect(this.mistakes).toEqual([]);
    expect(this.live, "connections that were left open").toBe(0);
  }
}
