// Original file: callengine/models/v1/models.proto


export interface Tool {
  'name'?: (string);
  'description'?: (string);
  /**
   * A JSON Schema object, as JSON text.
   */
  'parametersSchema'?: (string);
}

export interface Tool__Output {
  'name': (string);
  'description': (string);
  /**
   * A JSON Schema object, as JSON text.
   */
  'parametersSchema': (string);
}
