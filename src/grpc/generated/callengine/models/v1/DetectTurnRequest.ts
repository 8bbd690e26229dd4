// Original file: callengine/models/v1/models.proto


export interface DetectTurnRequest {
  /**
   * The next part of the turn's sound up to where the voice ended: linear16 at 16000 Hz, at most 32 KiB; may be empty with `judge`.
   */
  'audio'?: (Buffer | Uint8Array | string);
  /**
   * Judge everything that this stream was sent so far.
   */
  'judge'?: (boolean);
}

export interface DetectTurnRequest__Output {
  /**
   * The next part of the turn's sound up to where the voice ended: linear16 at 16000 Hz, at most 32 KiB; may be empty with `judge`.
   */
  'audio': (Buffer);
  /**
   * Judge everything that this stream was sent so far.
   */
  'judge': (boolean);
}
