// Original file: callengine/models/v1/models.proto

import type { Word as _callengine_models_v1_Word, Word__Output as _callengine_models_v1_Word__Output } from '../../../callengine/models/v1/Word.ts';

/**
 * A part of the sound, in order. Send it as soon as it is there; 20 ms to 500 ms are a good size.
 */
export interface SynthesizeResponse {
  /**
   * In the format of `open`, whole samples; may be empty. At most 512 KiB.
   */
  'audio'?: (Buffer | Uint8Array | string);
  /**
   * Words that this or earlier sound of the piece speaks and that were not told before, where the engine knows; else none, and their times
   * are estimated by length. The last ones come with `end_of_piece` at the latest, and may come without any sound.
   */
  'words'?: (_callengine_models_v1_Word)[];
  /**
   * The sound of the oldest unfinished piece is complete. Exactly one for each piece, also for one that has no sound.
   */
  'endOfPiece'?: (boolean);
}

/**
 * A part of the sound, in order. Send it as soon as it is there; 20 ms to 500 ms are a good size.
 */
export interface SynthesizeResponse__Output {
  /**
   * In the format of `open`, whole samples; may be empty. At most 512 KiB.
   */
  'audio': (Buffer);
  /**
   * Words that this or earlier sound of the piece speaks and that were not told before, where the engine knows; else none, and their times
   * are estimated by length. The last ones come with `end_of_piece` at the latest, and may come without any sound.
   */
  'words': (_callengine_models_v1_Word__Output)[];
  /**
   * The sound of the oldest unfinished piece is complete. Exactly one for each piece, also for one that has no sound.
   */
  'endOfPiece': (boolean);
}
