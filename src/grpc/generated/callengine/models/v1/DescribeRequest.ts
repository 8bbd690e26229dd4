// Original file: callengine/models/v1/models.proto


export interface DescribeRequest {
}

export interface DescribeRequest__Output {
}
