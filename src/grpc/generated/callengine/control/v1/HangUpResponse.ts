// Original file: callengine/control/v1/control.proto


export interface HangUpResponse {
}

export interface HangUpResponse__Output {
}
