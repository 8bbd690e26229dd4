// Original file: callengine/control/v1/control.proto


export interface HangUpRequest {
  'dialId'?: (string);
}

export interface HangUpRequest__Output {
  'dialId': (string);
}
