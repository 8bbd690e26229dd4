// Original file: callengine/control/v1/control.proto


export interface CallEvent {
  'id'?: (string);
  /**
   * The event's JSON, as docs/asyncapi.yaml describes it.
   */
  'json'?: (string);
}

export interface CallEvent__Output {
  'id': (string);
  /**
   * The event's JSON, as docs/asyncapi.yaml describes it.
   */
  'json': (string);
}
