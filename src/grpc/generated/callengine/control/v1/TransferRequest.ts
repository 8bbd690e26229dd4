// Original file: callengine/control/v1/control.proto


export interface TransferRequest {
  'dialId'?: (string);
  /**
   * E.164. Emergency and premium-rate numbers are refused with INVALID_ARGUMENT.
   */
  'to'?: (string);
}

export interface TransferRequest__Output {
  'dialId': (string);
  /**
   * E.164. Emergency and premium-rate numbers are refused with INVALID_ARGUMENT.
   */
  'to': (string);
}
