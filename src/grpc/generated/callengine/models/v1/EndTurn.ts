// Original file: callengine/models/v1/models.proto


export interface EndTurn {
}

export interface EndTurn__Output {
}
