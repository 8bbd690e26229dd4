// Original file: callengine/control/v1/control.proto


export interface ListCallsRequest {
  /**
   * Only what the asked process itself holds; else that of all processes.
   */
  'hereOnly'?: (boolean);
}

export interface ListCallsRequest__Output {
  /**
   * Only what the asked process itself holds; else that of all processes.
   */
  'hereOnly': (boolean);
}
