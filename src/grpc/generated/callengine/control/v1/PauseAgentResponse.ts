// Original file: callengine/control/v1/control.proto


export interface PauseAgentResponse {
}

export interface PauseAgentResponse__Output {
}
