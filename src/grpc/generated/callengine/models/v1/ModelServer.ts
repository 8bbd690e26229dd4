// Original file: callengine/models/v1/models.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { DescribeRequest as _callengine_models_v1_DescribeRequest, DescribeRequest__Output as _callengine_models_v1_DescribeRequest__Output } from '../../../callengine/models/v1/DescribeRequest.ts';
import type { DescribeResponse as _callengine_models_v1_DescribeResponse, DescribeResponse__Output as _callengine_models_v1_DescribeResponse__Output } from '../../../callengine/models/v1/DescribeResponse.ts';
import type { DetectTurnRequest as _callengine_models_v1_DetectTurnRequest, DetectTurnRequest__Output as _callengine_models_v1_DetectTurnRequest__Output } from '../../../callengine/models/v1/DetectTurnRequest.ts';
import type { DetectTurnResponse as _callengine_models_v1_DetectTurnResponse, DetectTurnResponse__Output as _callengine_models_v1_DetectTurnResponse__Output } from '../../../callengine/models/v1/DetectTurnResponse.ts';
import type { GenerateRequest as _callengine_models_v1_GenerateRequest, GenerateRequest__Output as _callengine_models_v1_GenerateRequest__Output } from '../../../callengine/models/v1/GenerateRequest.ts';
import type { GenerateResponse as _callengine_models_v1_GenerateResponse, GenerateResponse__Output as _callengine_models_v1_GenerateResponse__Output } from '../../../callengine/models/v1/GenerateResponse.ts';
import type { SynthesizeRequest as _callengine_models_v1_SynthesizeRequest, SynthesizeRequest__Output as _callengine_models_v1_SynthesizeRequest__Output } from '../../../callengine/models/v1/SynthesizeRequest.ts';
import type { SynthesizeResponse as _callengine_models_v1_SynthesizeResponse, SynthesizeResponse__Output as _callengine_models_v1_SynthesizeResponse__Output } from '../../../callengine/models/v1/SynthesizeResponse.ts';
import type { TranscribeRequest as _callengine_models_v1_TranscribeRequest, TranscribeRequest__Output as _callengine_models_v1_TranscribeRequest__Output } from '../../../callengine/models/v1/TranscribeRequest.ts';
import type { TranscribeResponse as _callengine_models_v1_TranscribeResponse, TranscribeResponse__Output as _callengine_models_v1_TranscribeResponse__Output } from '../../../callengine/models/v1/TranscribeResponse.ts';

/**
 * Models on another machine.
 */
export interface ModelServerClient extends grpc.Client {
  /**
   * What this server can do. Asked a few times when a service starts, and answered within five seconds; a service that starts waits as long
   * for a server to take connections.
   */
  Describe(argument: _callengine_models_v1_DescribeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_callengine_models_v1_DescribeResponse__Output>): grpc.ClientUnaryCall;
  Describe(argument: _callengine_models_v1_DescribeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_callengine_models_v1_DescribeResponse__Output>): grpc.ClientUnaryCall;
  Describe(argument: _callengine_models_v1_DescribeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_callengine_models_v1_DescribeResponse__Output>): grpc.ClientUnaryCall;
  Describe(argument: _callengine_models_v1_DescribeRequest, callback: grpc.requestCallback<_callengine_models_v1_DescribeResponse__Output>): grpc.ClientUnaryCall;
  /**
   * What this server can do. Asked a few times when a service starts, and answered within five seconds; a service that starts waits as long
   * for a server to take connections.
   */
  describe(argument: _callengine_models_v1_DescribeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_callengine_models_v1_DescribeResponse__Output>): grpc.ClientUnaryCall;
  describe(argument: _callengine_models_v1_DescribeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_callengine_models_v1_DescribeResponse__Output>): grpc.ClientUnaryCall;
  describe(argument: _callengine_models_v1_DescribeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_callengine_models_v1_DescribeResponse__Output>): grpc.ClientUnaryCall;
  describe(argument: _callengine_models_v1_DescribeRequest, callback: grpc.requestCallback<_callengine_models_v1_DescribeResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Whether a speaker has finished, by the sound of the turn, one stream for one judgement or several. Sound comes in parts, and a
   * request with `judge` asks for an answer about all sound of this stream so far.
   */
  DetectTurn(metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientDuplexStream<_callengine_models_v1_DetectTurnRequest, _callengine_models_v1_DetectTurnResponse__Output>;
  DetectTurn(options?: grpc.CallOptions): grpc.ClientDuplexStream<_callengine_models_v1_DetectTurnRequest, _callengine_models_v1_DetectTurnResponse__Output>;
  /**
   * Whether a speaker has finished, by the sound of the turn, one stream for one judgement or several. Sound comes in parts, and a
   * request with `judge` asks for an answer about all sound of this stream so far.
   */
  detectTurn(metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientDuplexStream<_callengine_models_v1_DetectTurnRequest, _callengine_models_v1_DetectTurnResponse__Output>;
  detectTurn(options?: grpc.CallOptions): grpc.ClientDuplexStream<_callengine_models_v1_DetectTurnRequest, _callengine_models_v1_DetectTurnResponse__Output>;
  
  /**
   * One answer of a language model. End the stream behind `done`; without it the answer counts as broken off.
   */
  Generate(argument: _callengine_models_v1_GenerateRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_callengine_models_v1_GenerateResponse__Output>;
  Generate(argument: _callengine_models_v1_GenerateRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_callengine_models_v1_GenerateResponse__Output>;
  /**
   * One answer of a language model. End the stream behind `done`; without it the answer counts as broken off.
   */
  generate(argument: _callengine_models_v1_GenerateRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_callengine_models_v1_GenerateResponse__Output>;
  generate(argument: _callengine_models_v1_GenerateRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_callengine_models_v1_GenerateResponse__Output>;
  
  /**
   * Text to speech, one stream for one answer of the agent. The first request is `open`, exactly one; then pieces of text as a language
   * model gives them, until the client half-closes. Begin to answer with the first piece; do not wait for the end of the text.
   */
  Synthesize(metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientDuplexStream<_callengine_models_v1_SynthesizeRequest, _callengine_models_v1_SynthesizeResponse__Output>;
  Synthesize(options?: grpc.CallOptions): grpc.ClientDuplexStream<_callengine_models_v1_SynthesizeRequest, _callengine_models_v1_SynthesizeResponse__Output>;
  /**
   * Text to speech, one stream for one answer of the agent. The first request is `open`, exactly one; then pieces of text as a language
   * model gives them, until the client half-closes. Begin to answer with the first piece; do not wait for the end of the text.
   */
  synthesize(metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientDuplexStream<_callengine_models_v1_SynthesizeRequest, _callengine_models_v1_SynthesizeResponse__Output>;
  synthesize(options?: grpc.CallOptions): grpc.ClientDuplexStream<_callengine_models_v1_SynthesizeRequest, _callengine_models_v1_SynthesizeResponse__Output>;
  
  /**
   * Speech to text, one stream for one party of one call. The first request is `open`, exactly one; then sound and marks, in the order
   * in which they happen, until the client half-closes. Answers come whenever there is something to tell.
   */
  Transcribe(metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientDuplexStream<_callengine_models_v1_TranscribeRequest, _callengine_models_v1_TranscribeResponse__Output>;
  Transcribe(options?: grpc.CallOptions): grpc.ClientDuplexStream<_callengine_models_v1_TranscribeRequest, _callengine_models_v1_TranscribeResponse__Output>;
  /**
   * Speech to text, one stream for one party of one call. The first request is `open`, exactly one; then sound and marks, in the order
   * in which they happen, until the client half-closes. Answers come whenever there is something to tell.
   */
  transcribe(metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientDuplexStream<_callengine_models_v1_TranscribeRequest, _callengine_models_v1_TranscribeResponse__Output>;
  transcribe(options?: grpc.CallOptions): grpc.ClientDuplexStream<_callengine_models_v1_TranscribeRequest, _callengine_models_v1_TranscribeResponse__Output>;
  
}

/**
 * Models on another machine.
 */
export interface ModelServerHandlers extends grpc.UntypedServiceImplementation {
  /**
   * What this server can do. Asked a few times when a service starts, and answered within five seconds; a service that starts waits as long
   * for a server to take connections.
   */
  Describe: grpc.handleUnaryCall<_callengine_models_v1_DescribeRequest__Output, _callengine_models_v1_DescribeResponse>;
  
  /**
   * Whether a speaker has finished, by the sound of the turn, one stream for one judgement or several. Sound comes in parts, and a
   * request with `judge` asks for an answer about all sound of this stream so far.
   */
  DetectTurn: grpc.handleBidiStreamingCall<_callengine_models_v1_DetectTurnRequest__Output, _callengine_models_v1_DetectTurnResponse>;
  
  /**
   * One answer of a language model. End the stream behind `done`; without it the answer counts as broken off.
   */
  Generate: grpc.handleServerStreamingCall<_callengine_models_v1_GenerateRequest__Output, _callengine_models_v1_GenerateResponse>;
  
  /**
   * Text to speech, one stream for one answer of the agent. The first request is `open`, exactly one; then pieces of text as a language
   * model gives them, until the client half-closes. Begin to answer with the first piece; do not wait for the end of the text.
   */
  Synthesize: grpc.handleBidiStreamingCall<_callengine_models_v1_SynthesizeRequest__Output, _callengine_models_v1_SynthesizeResponse>;
  
  /**
   * Speech to text, one stream for one party of one call. The first request is `open`, exactly one; then sound and marks, in the order
   * in which they happen, until the client half-closes. Answers come whenever there is something to tell.
   */
  Transcribe: grpc.handleBidiStreamingCall<_callengine_models_v1_TranscribeRequest__Output, _callengine_models_v1_TranscribeResponse>;
  
}

export interface ModelServerDefinition extends grpc.ServiceDefinition {
  Describe: MethodDefinition<_callengine_models_v1_DescribeRequest, _callengine_models_v1_DescribeResponse, _callengine_models_v1_DescribeRequest__Output, _callengine_models_v1_DescribeResponse__Output>
  DetectTurn: MethodDefinition<_callengine_models_v1_DetectTurnRequest, _callengine_models_v1_DetectTurnResponse, _callengine_models_v1_DetectTurnRequest__Output, _callengine_models_v1_DetectTurnResponse__Output>
  Generate: MethodDefinition<_callengine_models_v1_GenerateRequest, _callengine_models_v1_GenerateResponse, _callengine_models_v1_GenerateRequest__Output, _callengine_models_v1_GenerateResponse__Output>
  Synthesize: MethodDefinition<_callengine_models_v1_SynthesizeRequest, _callengine_models_v1_SynthesizeResponse, _callengine_models_v1_SynthesizeRequest__Output, _callengine_models_v1_SynthesizeResponse__Output>
  Transcribe: MethodDefinition<_callengine_models_v1_TranscribeRequest, _callengine_models_v1_TranscribeResponse, _callengine_models_v1_TranscribeRequest__Output, _callengine_models_v1_TranscribeResponse__Output>
}
