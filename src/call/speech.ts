import { PlaybackLedger } from "./ledger.ts";
import { SoundStore } from "./sound-store.ts";

/** What the other party gets to hear of a reply; times from the monotonic clock. */
export type SpeakerListener = Readonly<{
  started(reply: number, atMs: number): void;
  /** The line has told that the reply's first piece was heard; by that, its first sound was at `atMs`. */
  acknowledged(reply: number, atMs: number): void;
  progress(reply: number): void;
  drained(reply: number): void;
  /** Whether anybody wants to know what is played. */
  records(): boolean;
  /** Sound in the line's format, in the order and at the time at which it plays. */
  played(payload: Uint8Array, atMs: number): void;
  /** The line broke while it was being played to. */
  failed(error: unknown): void;
}>;

/** One reply on its way to the other party's ear. */
export type Speech = {
  readonly reply: number;
  readonly ledger: PlaybackLedger;
  readonly sound: SoundStore;
  finished: boolean;
  started: boolean;
  /** Playback stood still since it began, so that a mark does not tell any more when it did. */
  halted: boolean;
  drained: boolean;
  /** Pieces whose end was reported, and whose mark was sent and came back. */
  reported: number;
  marked: number;
  acknowledged: number;
  playedMs: number;
  readonly waiters: (() => void)[];
};

export const newSpeech = (reply: number): Speech => ({
  reply,
  ledger: new PlaybackLedger(),
  sound: new SoundStore(),
  finished: false,
  started: false,
  halted: false,
  drained: false,
  reported: 0,
  marked: 0,
  acknowledged: 0,
  playedMs: 0,
  waiters: [],
});
