// Original file: callengine/models/v1/models.proto


export interface SpeechChange {
  /**
   * True: the caller has begun to speak; false: has stopped.
   */
  'speaking'?: (boolean);
  /**
   * When, in milliseconds of sound since the stream opened; up to 300 ms before the sound that was sent last.
   */
  'atMs'?: (number);
}

export interface SpeechChange__Output {
  /**
   * True: the caller has begun to speak; false: has stopped.
   */
  'speaking': (boolean);
  /**
   * When, in milliseconds of sound since the stream opened; up to 300 ms before the sound that was sent last.
   */
  'atMs': (number);
}
