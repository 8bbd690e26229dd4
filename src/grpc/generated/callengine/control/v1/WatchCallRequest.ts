// Original file: callengine/control/v1/control.proto


export interface WatchCallRequest {
  'dialId'?: (string);
  /**
   * The id of the last event that was seen; empty: from the beginning.
   */
  'afterId'?: (string);
}

export interface WatchCallRequest__Output {
  'dialId': (string);
  /**
   * The id of the last event that was seen; empty: from the beginning.
   */
  'afterId': (string);
}
