// Original file: callengine/models/v1/models.proto


/**
 * A word and when it sounds. Spelt as in the text, with its punctuation.
 */
export interface Word {
  'text'?: (string);
  /**
   * For Transcribe since the stream opened, for Synthesize since the first sample of the stream, in milliseconds.
   */
  'startMs'?: (number | string);
  'endMs'?: (number | string);
}

/**
 * A word and when it sounds. Spelt as in the text, with its punctuation.
 */
export interface Word__Output {
  'text': (string);
  /**
   * For Transcribe since the stream opened, for Synthesize since the first sample of the stream, in milliseconds.
   */
  'startMs': (number);
  'endMs': (number);
}
