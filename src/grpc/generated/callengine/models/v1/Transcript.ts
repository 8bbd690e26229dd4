// Original file: callengine/models/v1/models.proto

import type { Word as _callengine_models_v1_Word, Word__Output as _callengine_models_v1_Word__Output } from '../../../callengine/models/v1/Word.ts';

/**
 * The text of one utterance as it stands. A later one of the same number takes its place.
 */
export interface Transcript {
  /**
   * Counted from 1 and never going back. An utterance ends with `end_turn` at the latest, and sooner where the server likes.
   */
  'utterance'?: (number);
  /**
   * The whole text of the utterance, not an addition to it. Never empty.
   */
  'text'?: (string);
  /**
   * False: it may still change as more sound comes.
   */
  'final'?: (boolean);
  /**
   * When it began and ended, in milliseconds since the stream opened, 0 <= start_ms <= end_ms <= sound sent.
   */
  'startMs'?: (number);
  'endMs'?: (number);
  /**
   * When each word was said, in order, where the engine knows; else none. Where one of them has no sensible time, none is used.
   */
  'words'?: (_callengine_models_v1_Word)[];
}

/**
 * The text of one utterance as it stands. A later one of the same number takes its place.
 */
export interface Transcript__Output {
  /**
   * Counted from 1 and never going back. An utterance ends with `end_turn` at the latest, and sooner where the server likes.
   */
  'utterance': (number);
  /**
   * The whole text of the utterance, not an addition to it. Never empty.
   */
  'text': (string);
  /**
   * False: it may still change as more sound comes.
   */
  'final': (boolean);
  /**
   * When it began and ended, in milliseconds since the stream opened, 0 <= start_ms <= end_ms <= sound sent.
   */
  'startMs': (number);
  'endMs': (number);
  /**
   * When each word was said, in order, where the engine knows; else none. Where one of them has no sensible time, none is used.
   */
  'words': (_callengine_models_v1_Word__Output)[];
}
