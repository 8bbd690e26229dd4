// Original file: grpc/health/v1/health.proto


export interface HealthCheckRequest {
  /**
   * Such as "callengine.models.v1.ModelServer"; empty: the server as a whole.
   */
  'service'?: (string);
}

export interface HealthCheckRequest__Output {
  /**
   * Such as "callengine.models.v1.ModelServer"; empty: the server as a whole.
   */
  'service': (string);
}
