// Original file: callengine/models/v1/models.proto


export interface Flushed {
}

export interface Flushed__Output {
}
