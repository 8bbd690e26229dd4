// Original file: callengine/control/v1/control.proto

import type { Long } from '@grpc/proto-loader';

export interface Call {
  'dialId'?: (string);
  /**
   * Name of the process that holds it.
   */
  'process'?: (string);
  /**
   * Somebody is on the line.
   */
  'connected'?: (boolean);
  'agentPaused'?: (boolean);
  /**
   * When the process took the dial up, in milliseconds since 1970.
   */
  'heldSinceMs'?: (number | string | Long);
  /**
   * "inbound", "outbound" or "browser".
   */
  'direction'?: (string);
}

export interface Call__Output {
  'dialId': (string);
  /**
   * Name of the process that holds it.
   */
  'process': (string);
  /**
   * Somebody is on the line.
   */
  'connected': (boolean);
  'agentPaused': (boolean);
  /**
   * When the process took the dial up, in milliseconds since 1970.
   */
  'heldSinceMs': (number);
  /**
   * "inbound", "outbound" or "browser".
   */
  'direction': (string);
}
