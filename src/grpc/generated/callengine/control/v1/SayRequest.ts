// Original file: callengine/control/v1/control.proto


export interface SayRequest {
  'dialId'?: (string);
  /**
   * 1 to 2000 characters.
   */
  'text'?: (string);
}

export interface SayRequest__Output {
  'dialId': (string);
  /**
   * 1 to 2000 characters.
   */
  'text': (string);
}
