// Original file: callengine/control/v1/control.proto


export interface TransferResponse {
}

export interface TransferResponse__Output {
}
