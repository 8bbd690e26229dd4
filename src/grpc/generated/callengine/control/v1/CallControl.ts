// Original file: callengine/control/v1/control.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CallEvent as _callengine_control_v1_CallEvent, CallEvent__Output as _callengine_control_v1_CallEvent__Output } from '../../../callengine/control/v1/CallEvent.ts';
import type { DrainRequest as _callengine_control_v1_DrainRequest, DrainRequest__Output as _callengine_control_v1_DrainRequest__Output } from '../../../callengine/control/v1/DrainRequest.ts';
import type { DrainResponse as _callengine_control_v1_DrainResponse, DrainResponse__Output as _callengine_control_v1_DrainResponse__Output } from '../../../callengine/control/v1/DrainResponse.ts';
import type { HangUpRequest as _callengine_control_v1_HangUpRequest, HangUpRequest__Output as _callengine_control_v1_HangUpRequest__Output } from '../../../callengine/control/v1/HangUpRequest.ts';
import type { HangUpResponse as _callengine_control_v1_HangUpResponse, HangUpResponse__Output as _callengine_control_v1_HangUpResponse__Output } from '../../../callengine/control/v1/HangUpResponse.ts';
import type { ListCallsRequest as _callengine_control_v1_ListCallsRequest, ListCallsRequest__Output as _callengine_control_v1_ListCallsRequest__Output } from '../../../callengine/control/v1/ListCallsRequest.ts';
import type { ListCallsResponse as _callengine_control_v1_ListCallsResponse, ListCallsResponse__Output as _callengine_control_v1_ListCallsResponse__Output } from '../../../callengine/control/v1/ListCallsResponse.ts';
import type { PauseAgentRequest as _callengine_control_v1_PauseAgentRequest, PauseAgentRequest__Output as _callengine_control_v1_PauseAgentRequest__Output } from '../../../callengine/control/v1/PauseAgentRequest.ts';
import type { PauseAgentResponse as _callengine_control_v1_PauseAgentResponse, PauseAgentResponse__Output as _callengine_control_v1_PauseAgentResponse__Output } from '../../../callengine/control/v1/PauseAgentResponse.ts';
import type { SayRequest as _callengine_control_v1_SayRequest, SayRequest__Output as _callengine_control_v1_SayRequest__Output } from '../../../callengine/control/v1/SayRequest.ts';
import type { SayResponse as _callengine_control_v1_SayResponse, SayResponse__Output as _callengine_control_v1_SayResponse__Output } from '../../../callengine/control/v1/SayResponse.ts';
import type { TransferRequest as _callengine_control_v1_TransferRequest, TransferRequest__Output as _callengine_control_v1_TransferRequest__Output } from '../../../callengine/control/v1/TransferRequest.ts';
import type { TransferResponse as _callengine_control_v1_TransferResponse, TransferResponse__Output as _callengine_control_v1_TransferResponse__Output } from '../../../callengine/control/v1/TransferResponse.ts';
import type { WatchCallRequest as _callengine_control_v1_WatchCallRequest, WatchCallRequest__Output as _callengine_control_v1_WatchCallRequest__Output } from '../../../callengine/control/v1/WatchCallRequest.ts';

export interface CallControlClient extends grpc.Client {
  /**
   * Lets one process take no new calls, as SIGTERM does at first; those that it holds go on until they end, for DRAIN_SECONDS at the most.
   * The process itself goes on until it is stopped.
   */
  Drain(argument: _callengine_control_v1_DrainRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_callengine_control_v1_DrainResponse__Output>): grpc.ClientUnaryCall;
  Drain(argument: _callengine_control_v1_DrainRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_callengine_control_v1_DrainResponse__Output>): grpc.ClientUnaryCall;
  Drain(argument: _callengine_control_v1_DrainRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_callengine_control_v1_DrainResponse__Output>): grpc.ClientUnaryCall;
  Drain(argument: _callengine_control_v1_DrainRequest, callback: grpc.requestCallback<_callengine_control_v1_DrainResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Lets one process take no new calls, as SIGTERM does at first; those that it holds go on until they end, for DRAIN_SECONDS at the most.
   * The process itself goes on until it is stopped.
   */
  drain(argument: _callengine_control_v1_DrainRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_callengine_control_v1_DrainResponse__Output>): grpc.ClientUnaryCall;
  drain(argument: _callengine_control_v1_DrainRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_callengine_control_v1_DrainResponse__Output>): grpc.ClientUnaryCall;
  drain(argument: _callengine_control_v1_DrainRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_callengine_control_v1_DrainResponse__Output>): grpc.ClientUnaryCall;
  drain(argument: _callengine_control_v1_DrainRequest, callback: grpc.requestCallback<_callengine_control_v1_DrainResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Ends a call, at once and without a goodbye; one that is still ringing is cancelled.
   */
  HangUp(argument: _callengine_control_v1_HangUpRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_callengine_control_v1_HangUpResponse__Output>): grpc.ClientUnaryCall;
  HangUp(argument: _callengine_control_v1_HangUpRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_callengine_control_v1_HangUpResponse__Output>): grpc.ClientUnaryCall;
  HangUp(argument: _callengine_control_v1_HangUpRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_callengine_control_v1_HangUpResponse__Output>): grpc.ClientUnaryCall;
  HangUp(argument: _callengine_control_v1_HangUpRequest, callback: grpc.requestCallback<_callengine_control_v1_HangUpResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Ends a call, at once and without a goodbye; one that is still ringing is cancelled.
   */
  hangUp(argument: _callengine_control_v1_HangUpRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_callengine_control_v1_HangUpResponse__Output>): grpc.ClientUnaryCall;
  hangUp(argument: _callengine_control_v1_HangUpRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_callengine_control_v1_HangUpResponse__Output>): grpc.ClientUnaryCall;
  hangUp(argument: _callengine_control_v1_HangUpRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_callengine_control_v1_HangUpResponse__Output>): grpc.ClientUnaryCall;
  hangUp(argument: _callengine_control_v1_HangUpRequest, callback: grpc.requestCallback<_callengine_control_v1_HangUpResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * The calls that are held now.
   */
  ListCalls(argument: _callengine_control_v1_ListCallsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_callengine_control_v1_ListCallsResponse__Output>): grpc.ClientUnaryCall;
  ListCalls(argument: _callengine_control_v1_ListCallsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_callengine_control_v1_ListCallsResponse__Output>): grpc.ClientUnaryCall;
  ListCalls(argument: _callengine_control_v1_ListCallsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_callengine_control_v1_ListCallsResponse__Output>): grpc.ClientUnaryCall;
  ListCalls(argument: _callengine_control_v1_ListCallsRequest, callback: grpc.requestCallback<_callengine_control_v1_ListCallsResponse__Output>): grpc.ClientUnaryCall;
  /**
   * The calls that are held now.
   */
  listCalls(argument: _callengine_control_v1_ListCallsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_callengine_control_v1_ListCallsResponse__Output>): grpc.ClientUnaryCall;
  listCalls(argument: _callengine_control_v1_ListCallsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_callengine_control_v1_ListCallsResponse__Output>): grpc.ClientUnaryCall;
  listCalls(argument: _callengine_control_v1_ListCallsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_callengine_control_v1_ListCallsResponse__Output>): grpc.ClientUnaryCall;
  listCalls(argument: _callengine_control_v1_ListCallsRequest, callback: grpc.requestCallback<_callengine_control_v1_ListCallsResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Keeps the agent from answering, so that a person may lead the conversation by `Say`, or lets it answer again. What is said while it
   * is paused stands in the transcript and is known to it afterwards. A paused agent does not end a call for silence.
   */
  PauseAgent(argument: _callengine_control_v1_PauseAgentRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_callengine_control_v1_PauseAgentResponse__Output>): grpc.ClientUnaryCall;
  PauseAgent(argument: _callengine_control_v1_PauseAgentRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_callengine_control_v1_PauseAgentResponse__Output>): grpc.ClientUnaryCall;
  PauseAgent(argument: _callengine_control_v1_PauseAgentRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_callengine_control_v1_PauseAgentResponse__Output>): grpc.ClientUnaryCall;
  PauseAgent(argument: _callengine_control_v1_PauseAgentRequest, callback: grpc.requestCallback<_callengine_control_v1_PauseAgentResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Keeps the agent from answering, so that a person may lead the conversation by `Say`, or lets it answer again. What is said while it
   * is paused stands in the transcript and is known to it afterwards. A paused agent does not end a call for silence.
   */
  pauseAgent(argument: _callengine_control_v1_PauseAgentRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_callengine_control_v1_PauseAgentResponse__Output>): grpc.ClientUnaryCall;
  pauseAgent(argument: _callengine_control_v1_PauseAgentRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_callengine_control_v1_PauseAgentResponse__Output>): grpc.ClientUnaryCall;
  pauseAgent(argument: _callengine_control_v1_PauseAgentRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_callengine_control_v1_PauseAgentResponse__Output>): grpc.ClientUnaryCall;
  pauseAgent(argument: _callengine_control_v1_PauseAgentRequest, callback: grpc.requestCallback<_callengine_control_v1_PauseAgentResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Lets the agent say something, in its voice, at once: what it was saying stops, and the caller may interrupt it as usual. It stands
   * in the transcript as the agent's. Works while the agent is paused.
   */
  Say(argument: _callengine_control_v1_SayRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_callengine_control_v1_SayResponse__Output>): grpc.ClientUnaryCall;
  Say(argument: _callengine_control_v1_SayRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_callengine_control_v1_SayResponse__Output>): grpc.ClientUnaryCall;
  Say(argument: _callengine_control_v1_SayRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_callengine_control_v1_SayResponse__Output>): grpc.ClientUnaryCall;
  Say(argument: _callengine_control_v1_SayRequest, callback: grpc.requestCallback<_callengine_control_v1_SayResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Lets the agent say something, in its voice, at once: what it was saying stops, and the caller may interrupt it as usual. It stands
   * in the transcript as the agent's. Works while the agent is paused.
   */
  say(argument: _callengine_control_v1_SayRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_callengine_control_v1_SayResponse__Output>): grpc.ClientUnaryCall;
  say(argument: _callengine_control_v1_SayRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_callengine_control_v1_SayResponse__Output>): grpc.ClientUnaryCall;
  say(argument: _callengine_control_v1_SayRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_callengine_control_v1_SayResponse__Output>): grpc.ClientUnaryCall;
  say(argument: _callengine_control_v1_SayRequest, callback: grpc.requestCallback<_callengine_control_v1_SayResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Connects the other party to a number and takes the agent out of the call. Where nobody picks up, the agent goes on with the call.
   */
  Transfer(argument: _callengine_control_v1_TransferRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_callengine_control_v1_TransferResponse__Output>): grpc.ClientUnaryCall;
  Transfer(argument: _callengine_control_v1_TransferRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_callengine_control_v1_TransferResponse__Output>): grpc.ClientUnaryCall;
  Transfer(argument: _callengine_control_v1_TransferRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_callengine_control_v1_TransferResponse__Output>): grpc.ClientUnaryCall;
  Transfer(argument: _callengine_control_v1_TransferRequest, callback: grpc.requestCallback<_callengine_control_v1_TransferResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Connects the other party to a number and takes the agent out of the call. Where nobody picks up, the agent goes on with the call.
   */
  transfer(argument: _callengine_control_v1_TransferRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_callengine_control_v1_TransferResponse__Output>): grpc.ClientUnaryCall;
  transfer(argument: _callengine_control_v1_TransferRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_callengine_control_v1_TransferResponse__Output>): grpc.ClientUnaryCall;
  transfer(argument: _callengine_control_v1_TransferRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_callengine_control_v1_TransferResponse__Output>): grpc.ClientUnaryCall;
  transfer(argument: _callengine_control_v1_TransferRequest, callback: grpc.requestCallback<_callengine_control_v1_TransferResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * What happens in a call, from its beginning or from `after_id` on, until it is over: the events of the API's live stream.
   */
  WatchCall(argument: _callengine_control_v1_WatchCallRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_callengine_control_v1_CallEvent__Output>;
  WatchCall(argument: _callengine_control_v1_WatchCallRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_callengine_control_v1_CallEvent__Output>;
  /**
   * What happens in a call, from its beginning or from `after_id` on, until it is over: the events of the API's live stream.
   */
  watchCall(argument: _callengine_control_v1_WatchCallRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_callengine_control_v1_CallEvent__Output>;
  watchCall(argument: _callengine_control_v1_WatchCallRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_callengine_control_v1_CallEvent__Output>;
  
}

export interface CallControlHandlers extends grpc.UntypedServiceImplementation {
  /**
   * Lets one process take no new calls, as SIGTERM does at first; those that it holds go on until they end, for DRAIN_SECONDS at the most.
   * The process itself goes on until it is stopped.
   */
  Drain: grpc.handleUnaryCall<_callengine_control_v1_DrainRequest__Output, _callengine_control_v1_DrainResponse>;
  
  /**
   * Ends a call, at once and without a goodbye; one that is still ringing is cancelled.
   */
  HangUp: grpc.handleUnaryCall<_callengine_control_v1_HangUpRequest__Output, _callengine_control_v1_HangUpResponse>;
  
  /**
   * The calls that are held now.
   */
  ListCalls: grpc.handleUnaryCall<_callengine_control_v1_ListCallsRequest__Output, _callengine_control_v1_ListCallsResponse>;
  
  /**
   * Keeps the agent from answering, so that a person may lead the conversation by `Say`, or lets it answer again. What is said while it
   * is paused stands in the transcript and is known to it afterwards. A paused agent does not end a call for silence.
   */
  PauseAgent: grpc.handleUnaryCall<_callengine_control_v1_PauseAgentRequest__Output, _callengine_control_v1_PauseAgentResponse>;
  
  /**
   * Lets the agent say something, in its voice, at once: what it was saying stops, and the caller may interrupt it as usual. It stands
   * in the transcript as the agent's. Works while the agent is paused.
   */
  Say: grpc.handleUnaryCall<_callengine_control_v1_SayRequest__Output, _callengine_control_v1_SayResponse>;
  
  /**
   * Connects the other party to a number and takes the agent out of the call. Where nobody picks up, the agent goes on with the call.
   */
  Transfer: grpc.handleUnaryCall<_callengine_control_v1_TransferRequest__Output, _callengine_control_v1_TransferResponse>;
  
  /**
   * What happens in a call, from its beginning or from `after_id` on, until it is over: the events of the API's live stream.
   */
  WatchCall: grpc.handleServerStreamingCall<_callengine_control_v1_WatchCallRequest__Output, _callengine_control_v1_CallEvent>;
  
}

export interface CallControlDefinition extends grpc.ServiceDefinition {
  Drain: MethodDefinition<_callengine_control_v1_DrainRequest, _callengine_control_v1_DrainResponse, _callengine_control_v1_DrainRequest__Output, _callengine_control_v1_DrainResponse__Output>
  HangUp: MethodDefinition<_callengine_control_v1_HangUpRequest, _callengine_control_v1_HangUpResponse, _callengine_control_v1_HangUpRequest__Output, _callengine_control_v1_HangUpResponse__Output>
  ListCalls: MethodDefinition<_callengine_control_v1_ListCallsRequest, _callengine_control_v1_ListCallsResponse, _callengine_control_v1_ListCallsRequest__Output, _callengine_control_v1_ListCallsResponse__Output>
  PauseAgent: MethodDefinition<_callengine_control_v1_PauseAgentRequest, _callengine_control_v1_PauseAgentResponse, _callengine_control_v1_PauseAgentRequest__Output, _callengine_control_v1_PauseAgentResponse__Output>
  Say: MethodDefinition<_callengine_control_v1_SayRequest, _callengine_control_v1_SayResponse, _callengine_control_v1_SayRequest__Output, _callengine_control_v1_SayResponse__Output>
  Transfer: MethodDefinition<_callengine_control_v1_TransferRequest, _callengine_control_v1_TransferResponse, _callengine_control_v1_TransferRequest__Output, _callengine_control_v1_TransferResponse__Output>
  WatchCall: MethodDefinition<_callengine_control_v1_WatchCallRequest, _callengine_control_v1_CallEvent, _callengine_control_v1_WatchCallRequest__Output, _callengine_control_v1_CallEvent__Output>
}
