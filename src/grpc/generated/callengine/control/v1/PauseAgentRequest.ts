// Original file: callengine/control/v1/control.proto


export interface PauseAgentRequest {
  'dialId'?: (string);
  /**
   * False: the agent answers again, beginning with what was said last if nobody has answered that.
   */
  'paused'?: (boolean);
}

export interface PauseAgentRequest__Output {
  'dialId': (string);
  /**
   * False: the agent answers again, beginning with what was said last if nobody has answered that.
   */
  'paused': (boolean);
}
