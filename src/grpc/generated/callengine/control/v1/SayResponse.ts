// Original file: callengine/control/v1/control.proto


export interface SayResponse {
}

export interface SayResponse__Output {
}
