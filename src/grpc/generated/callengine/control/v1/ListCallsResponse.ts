// Original file: callengine/control/v1/control.proto

import type { Call as _callengine_control_v1_Call, Call__Output as _callengine_control_v1_Call__Output } from '../../../callengine/control/v1/Call.ts';

export interface ListCallsResponse {
  /**
   * In no order.
   */
  'calls'?: (_callengine_control_v1_Call)[];
  /**
   * Processes that did not answer within two seconds, so that their calls are missing.
   */
  'silentProcesses'?: (string)[];
}

export interface ListCallsResponse__Output {
  /**
   * In no order.
   */
  'calls': (_callengine_control_v1_Call__Output)[];
  /**
   * Processes that did not answer within two seconds, so that their calls are missing.
   */
  'silentProcesses': (string)[];
}
