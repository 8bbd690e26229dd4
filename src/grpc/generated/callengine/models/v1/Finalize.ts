// Original file: callengine/models/v1/models.proto


export interface Finalize {
}

export interface Finalize__Output {
}
