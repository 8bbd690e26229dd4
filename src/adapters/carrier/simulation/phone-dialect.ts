/** What our side says on a media socket, in words that all carriers share; sound at 8 kHz. */
export type PhoneMessage =
  | Readonly<{ message: "sound"; samples: Int16Array }>
  | Readonly<{ message: "mark"; name: string }>
  | Readonly<{ message: "clear" }>;

/** How a simulated carrier writes on a media socket. An instance belongs to one socket. */
export interface PhoneDialect {
  /** What is said first. */
  opening(): readonly string[];
  /** The sound of 20 ms at 8 kHz (160 samples); `frame` counts from 0, `atMs` is the time of day in Unix milliseconds. */
  sound(samples: Int16Array, frame: number, atMs: number): string | Uint8Array;
  digit(digit: string): string;
  /** All that came before a mark has been played. */
  played(name: string): string;
  /** The queue was emptied, with these marks in it. */
  cleared(marks: readonly string[]): readonly string[];
  /** What is said last; nothing where carriers just close. */
  closing(): readonly string[];
  /** `undefined` for a message that the carrier would not understand. */
  read(data: string | Uint8Array): PhoneMessage | undefined;
  /** Gives memory back. Idempotent. */
  close(): void;
}
