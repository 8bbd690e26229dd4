import type { AudioFormat } from "../../../model/audio.ts";
import type { ProviderError } from "../../../ports/provider-error.ts";
import type { TranscriberHints, TranscribedWord } from "../../../ports/transcriber.ts";

/** What a vendor says of one stretch of speech. All times are milliseconds of the stream, as `send` counted them. */
export type Heard = Readonly<{
  /** Which stretch: an event of the same name replaces the text of an earlier one. Names count within one connection. */
  segment: number;
  text: string;
  /** The vendor will not change the text any more. */
  final: boolean;
  startMs: number;
  endMs: number;
  words?: readonly TranscribedWord[];
}>;

/** What a connection tells its stream. */
export type WireListener = Readonly<{
  /** Sound is taken from now on. */
  ready(): void;
  heard(heard: Heard): void;
  /** Sound before this moment of the stream is done with, and would not be sent again. */
  settled(toMs: number): void;
  /** Everything that was sent before this moment of the stream is out, and so are the final texts asked for until then. */
  flushed(toMs: number): void;
  /** How likely the caller's turn is over by the vendor's own judgement, 0 to 1. */
  turnJudged(probability: number): void;
  /** The connection is over; told once, and not after `close`. */
  lost(error: ProviderError): void;
}>;

/** One connection to a vendor: its wire format and its quirks. What is sent again after a break is the stream's affair. */
export interface Wire {
  /** Sound in the stream's format that begins at this moment of the stream; may be called once `ready`. */
  send(sound: Uint8Array, fromMs: number): void;
  /** Asks for the final text of everything that was sent, up to this moment of the stream; `flushed` answers. */
  finalize(toMs: number): void;
  /** The turn was taken at this moment: what comes next is another stretch. */
  endTurn(toMs: number): void;
  /** Called every few seconds; tells the vendor that the line lives, and notices when the vendor does not. */
  keepAlive?(): void;
  /** Bytes that wait to be taken by the network. */
  readonly waitingBytes: number;
  /** Ends the connection in the vendor's way, without waiting for it. */
  close(): void;
}

/** How a vendor is spoken to. */
export type WireStyle = Readonly<{
  /** Sound is sent in pieces of this length, or of whatever is there when a final text is asked for; milliseconds. */
  chunkMs: number;
  /** The vendor refuses pieces that are shorter than this; milliseconds. */
  leastMs: number;
  /**
   * Whether only speech is sent, by the detector's word: for vendors that are asked stretch by stretch and would otherwise hear, and
   * bill, the silence between them.
   */
  speechOnly: boolean;
}>;

/** Opens a connection for a stream in the given format. */
export type OpenWire = (hints: TranscriberHints, format: AudioFormat, listener: WireListener) => Wire;
