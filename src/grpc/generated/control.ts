import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { Call as _callengine_control_v1_Call, Call__Output as _callengine_control_v1_Call__Output } from './callengine/control/v1/Call.ts';
import type { CallControlClient as _callengine_control_v1_CallControlClient, CallControlDefinition as _callengine_control_v1_CallControlDefinition } from './callengine/control/v1/CallControl.ts';
import type { CallEvent as _callengine_control_v1_CallEvent, CallEvent__Output as _callengine_control_v1_CallEvent__Output } from './callengine/control/v1/CallEvent.ts';
import type { DrainRequest as _callengine_control_v1_DrainRequest, DrainRequest__Output as _callengine_control_v1_DrainRequest__Output } from './callengine/control/v1/DrainRequest.ts';
import type { DrainResponse as _callengine_control_v1_DrainResponse, DrainResponse__Output as _callengine_control_v1_DrainResponse__Output } from './callengine/control/v1/DrainResponse.ts';
import type { HangUpRequest as _callengine_control_v1_HangUpRequest, HangUpRequest__Output as _callengine_control_v1_HangUpRequest__Output } from './callengine/control/v1/HangUpRequest.ts';
import type { HangUpResponse as _callengine_control_v1_HangUpResponse, HangUpResponse__Output as _callengine_control_v1_HangUpResponse__Output } from './callengine/control/v1/HangUpResponse.ts';
import type { ListCallsRequest as _callengine_control_v1_ListCallsRequest, ListCallsRequest__Output as _callengine_control_v1_ListCallsRequest__Output } from './callengine/control/v1/ListCallsRequest.ts';
import type { ListCallsResponse as _callengine_control_v1_ListCallsResponse, ListCallsResponse__Output as _callengine_control_v1_ListCallsResponse__Output } from './callengine/control/v1/ListCallsResponse.ts';
import type { PauseAgentRequest as _callengine_control_v1_PauseAgentRequest, PauseAgentRequest__Output as _callengine_control_v1_PauseAgentRequest__Output } from './callengine/control/v1/PauseAgentRequest.ts';
import type { PauseAgentResponse as _callengine_control_v1_PauseAgentResponse, PauseAgentResponse__Output as _callengine_control_v1_PauseAgentResponse__Output } from './callengine/control/v1/PauseAgentResponse.ts';
import type { SayRequest as _callengine_control_v1_SayRequest, SayRequest__Output as _callengine_control_v1_SayRequest__Output } from './callengine/control/v1/SayRequest.ts';
import type { SayResponse as _callengine_control_v1_SayResponse, SayResponse__Output as _callengine_control_v1_SayResponse__Output } from './callengine/control/v1/SayResponse.ts';
import type { TransferRequest as _callengine_control_v1_TransferRequest, TransferRequest__Output as _callengine_control_v1_TransferRequest__Output } from './callengine/control/v1/TransferRequest.ts';
import type { TransferResponse as _callengine_control_v1_TransferResponse, TransferResponse__Output as _callengine_control_v1_TransferResponse__Output } from './callengine/control/v1/TransferResponse.ts';
import type { WatchCallRequest as _callengine_control_v1_WatchCallRequest, WatchCallRequest__Output as _callengine_control_v1_WatchCallRequest__Output } from './callengine/control/v1/WatchCallRequest.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  callengine: {
    control: {
      v1: {
        Call: MessageTypeDefinition<_callengine_control_v1_Call, _callengine_control_v1_Call__Output>
        CallControl: SubtypeConstructor<typeof grpc.Client, _callengine_control_v1_CallControlClient> & { service: _callengine_control_v1_CallControlDefinition }
        CallEvent: MessageTypeDefinition<_callengine_control_v1_CallEvent, _callengine_control_v1_CallEvent__Output>
        DrainRequest: MessageTypeDefinition<_callengine_control_v1_DrainRequest, _callengine_control_v1_DrainRequest__Output>
        DrainResponse: MessageTypeDefinition<_callengine_control_v1_DrainResponse, _callengine_control_v1_DrainResponse__Output>
        HangUpRequest: MessageTypeDefinition<_callengine_control_v1_HangUpRequest, _callengine_control_v1_HangUpRequest__Output>
        HangUpResponse: MessageTypeDefinition<_callengine_control_v1_HangUpResponse, _callengine_control_v1_HangUpResponse__Output>
        ListCallsRequest: MessageTypeDefinition<_callengine_control_v1_ListCallsRequest, _callengine_control_v1_ListCallsRequest__Output>
        ListCallsResponse: MessageTypeDefinition<_callengine_control_v1_ListCallsResponse, _callengine_control_v1_ListCallsResponse__Output>
        PauseAgentRequest: MessageTypeDefinition<_callengine_control_v1_PauseAgentRequest, _callengine_control_v1_PauseAgentRequest__Output>
        PauseAgentResponse: MessageTypeDefinition<_callengine_control_v1_PauseAgentResponse, _callengine_control_v1_PauseAgentResponse__Output>
        SayRequest: MessageTypeDefinition<_callengine_control_v1_SayRequest, _callengine_control_v1_SayRequest__Output>
        SayResponse: MessageTypeDefinition<_callengine_control_v1_SayResponse, _callengine_control_v1_SayResponse__Output>
        TransferRequest: MessageTypeDefinition<_callengine_control_v1_TransferRequest, _callengine_control_v1_TransferRequest__Output>
        TransferResponse: MessageTypeDefinition<_callengine_control_v1_TransferResponse, _callengine_control_v1_TransferResponse__Output>
        WatchCallRequest: MessageTypeDefinition<_callengine_control_v1_WatchCallRequest, _callengine_control_v1_WatchCallRequest__Output>
      }
    }
  }
}

