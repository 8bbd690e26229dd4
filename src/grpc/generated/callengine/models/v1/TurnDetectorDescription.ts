// Original file: callengine/models/v1/models.proto


export interface TurnDetectorDescription {
  /**
   * How much of a turn's sound is looked at, its end always included; what is older is not sent. In milliseconds, up to 30000;
   * 0: 8000.
   */
  'windowMs'?: (number);
}

export interface TurnDetectorDescription__Output {
  /**
   * How much of a turn's sound is looked at, its end always included; what is older is not sent. In milliseconds, up to 30000;
   * 0: 8000.
   */
  'windowMs': (number);
}
