// Original file: callengine/control/v1/control.proto


export interface DrainRequest {
  /**
   * Name of the process; empty: the one that is asked.
   */
  'process'?: (string);
}

export interface DrainRequest__Output {
  /**
   * Name of the process; empty: the one that is asked.
   */
  'process': (string);
}
