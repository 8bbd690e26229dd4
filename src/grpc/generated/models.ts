import type * as grpc from '@grpc/grpc-js';
import type { EnumTypeDefinition, MessageTypeDefinition } from '@grpc/proto-loader';

import type { AudioFormat as _callengine_models_v1_AudioFormat, AudioFormat__Output as _callengine_models_v1_AudioFormat__Output } from './callengine/models/v1/AudioFormat.ts';
import type { DescribeRequest as _callengine_models_v1_DescribeRequest, DescribeRequest__Output as _callengine_models_v1_DescribeRequest__Output } from './callengine/models/v1/DescribeRequest.ts';
import type { DescribeResponse as _callengine_models_v1_DescribeResponse, DescribeResponse__Output as _callengine_models_v1_DescribeResponse__Output } from './callengine/models/v1/DescribeResponse.ts';
import type { DetectTurnRequest as _callengine_models_v1_DetectTurnRequest, DetectTurnRequest__Output as _callengine_models_v1_DetectTurnRequest__Output } from './callengine/models/v1/DetectTurnRequest.ts';
import type { DetectTurnResponse as _callengine_models_v1_DetectTurnResponse, DetectTurnResponse__Output as _callengine_models_v1_DetectTurnResponse__Output } from './callengine/models/v1/DetectTurnResponse.ts';
import type { Done as _callengine_models_v1_Done, Done__Output as _callengine_models_v1_Done__Output } from './callengine/models/v1/Done.ts';
import type { EndTurn as _callengine_models_v1_EndTurn, EndTurn__Output as _callengine_models_v1_EndTurn__Output } from './callengine/models/v1/EndTurn.ts';
import type { Finalize as _callengine_models_v1_Finalize, Finalize__Output as _callengine_models_v1_Finalize__Output } from './callengine/models/v1/Finalize.ts';
import type { Flushed as _callengine_models_v1_Flushed, Flushed__Output as _callengine_models_v1_Flushed__Output } from './callengine/models/v1/Flushed.ts';
import type { GenerateRequest as _callengine_models_v1_GenerateRequest, GenerateRequest__Output as _callengine_models_v1_GenerateRequest__Output } from './callengine/models/v1/GenerateRequest.ts';
import type { GenerateResponse as _callengine_models_v1_GenerateResponse, GenerateResponse__Output as _callengine_models_v1_GenerateResponse__Output } from './callengine/models/v1/GenerateResponse.ts';
import type { GeneratorDescription as _callengine_models_v1_GeneratorDescription, GeneratorDescription__Output as _callengine_models_v1_GeneratorDescription__Output } from './callengine/models/v1/GeneratorDescription.ts';
import type { Message as _callengine_models_v1_Message, Message__Output as _callengine_models_v1_Message__Output } from './callengine/models/v1/Message.ts';
import type { Model as _callengine_models_v1_Model, Model__Output as _callengine_models_v1_Model__Output } from './callengine/models/v1/Model.ts';
import type { ModelServerClient as _callengine_models_v1_ModelServerClient, ModelServerDefinition as _callengine_models_v1_ModelServerDefinition } from './callengine/models/v1/ModelServer.ts';
import type { Option as _callengine_models_v1_Option, Option__Output as _callengine_models_v1_Option__Output } from './callengine/models/v1/Option.ts';
import type { SpeechChange as _callengine_models_v1_SpeechChange, SpeechChange__Output as _callengine_models_v1_SpeechChange__Output } from './callengine/models/v1/SpeechChange.ts';
import type { SynthesizeOpen as _callengine_models_v1_SynthesizeOpen, SynthesizeOpen__Output as _callengine_models_v1_SynthesizeOpen__Output } from './callengine/models/v1/SynthesizeOpen.ts';
import type { SynthesizeRequest as _callengine_models_v1_SynthesizeRequest, SynthesizeRequest__Output as _callengine_models_v1_SynthesizeRequest__Output } from './callengine/models/v1/SynthesizeRequest.ts';
import type { SynthesizeResponse as _callengine_models_v1_SynthesizeResponse, SynthesizeResponse__Output as _callengine_models_v1_SynthesizeResponse__Output } from './callengine/models/v1/SynthesizeResponse.ts';
import type { SynthesizerDescription as _callengine_models_v1_SynthesizerDescription, SynthesizerDescription__Output as _callengine_models_v1_SynthesizerDescription__Output } from './callengine/models/v1/SynthesizerDescription.ts';
import type { Tool as _callengine_models_v1_Tool, Tool__Output as _callengine_models_v1_Tool__Output } from './callengine/models/v1/Tool.ts';
import type { ToolCall as _callengine_models_v1_ToolCall, ToolCall__Output as _callengine_models_v1_ToolCall__Output } from './callengine/models/v1/ToolCall.ts';
import type { TranscribeOpen as _callengine_models_v1_TranscribeOpen, TranscribeOpen__Output as _callengine_models_v1_TranscribeOpen__Output } from './callengine/models/v1/TranscribeOpen.ts';
import type { TranscribeRequest as _callengine_models_v1_TranscribeRequest, TranscribeRequest__Output as _callengine_models_v1_TranscribeRequest__Output } from './callengine/models/v1/TranscribeRequest.ts';
import type { TranscribeResponse as _callengine_models_v1_TranscribeResponse, TranscribeResponse__Output as _callengine_models_v1_TranscribeResponse__Output } from './callengine/models/v1/TranscribeResponse.ts';
import type { TranscriberDescription as _callengine_models_v1_TranscriberDescription, TranscriberDescription__Output as _callengine_models_v1_TranscriberDescription__Output } from './callengine/models/v1/TranscriberDescription.ts';
import type { Transcript as _callengine_models_v1_Transcript, Transcript__Output as _callengine_models_v1_Transcript__Output } from './callengine/models/v1/Transcript.ts';
import type { TurnDetectorDescription as _callengine_models_v1_TurnDetectorDescription, TurnDetectorDescription__Output as _callengine_models_v1_TurnDetectorDescription__Output } from './callengine/models/v1/TurnDetectorDescription.ts';
import type { TurnJudgement as _callengine_models_v1_TurnJudgement, TurnJudgement__Output as _callengine_models_v1_TurnJudgement__Output } from './callengine/models/v1/TurnJudgement.ts';
import type { Voice as _callengine_models_v1_Voice, Voice__Output as _callengine_models_v1_Voice__Output } from './callengine/models/v1/Voice.ts';
import type { Word as _callengine_models_v1_Word, Word__Output as _callengine_models_v1_Word__Output } from './callengine/models/v1/Word.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  callengine: {
    models: {
      v1: {
        AudioFormat: MessageTypeDefinition<_callengine_models_v1_AudioFormat, _callengine_models_v1_AudioFormat__Output>
        DescribeRequest: MessageTypeDefinition<_callengine_models_v1_DescribeRequest, _callengine_models_v1_DescribeRequest__Output>
        DescribeResponse: MessageTypeDefinition<_callengine_models_v1_DescribeResponse, _callengine_models_v1_DescribeResponse__Output>
        DetectTurnRequest: MessageTypeDefinition<_callengine_models_v1_DetectTurnRequest, _callengine_models_v1_DetectTurnRequest__Output>
        DetectTurnResponse: MessageTypeDefinition<_callengine_models_v1_DetectTurnResponse, _callengine_models_v1_DetectTurnResponse__Output>
        Done: MessageTypeDefinition<_callengine_models_v1_Done, _callengine_models_v1_Done__Output>
        Encoding: EnumTypeDefinition
        EndTurn: MessageTypeDefinition<_callengine_models_v1_EndTurn, _callengine_models_v1_EndTurn__Output>
        Finalize: MessageTypeDefinition<_callengine_models_v1_Finalize, _callengine_models_v1_Finalize__Output>
        Flushed: MessageTypeDefinition<_callengine_models_v1_Flushed, _callengine_models_v1_Flushed__Output>
        GenerateRequest: MessageTypeDefinition<_callengine_models_v1_GenerateRequest, _callengine_models_v1_GenerateRequest__Output>
        GenerateResponse: MessageTypeDefinition<_callengine_models_v1_GenerateResponse, _callengine_models_v1_GenerateResponse__Output>
        GeneratorDescription: MessageTypeDefinition<_callengine_models_v1_GeneratorDescription, _callengine_models_v1_GeneratorDescription__Output>
        Message: MessageTypeDefinition<_callengine_models_v1_Message, _callengine_models_v1_Message__Output>
        Model: MessageTypeDefinition<_callengine_models_v1_Model, _callengine_models_v1_Model__Output>
        /**
         * Models on another machine.
         */
        ModelServer: SubtypeConstructor<typeof grpc.Client, _callengine_models_v1_ModelServerClient> & { service: _callengine_models_v1_ModelServerDefinition }
        Option: MessageTypeDefinition<_callengine_models_v1_Option, _callengine_models_v1_Option__Output>
        OptionType: EnumTypeDefinition
        Role: EnumTypeDefinition
        SpeechChange: MessageTypeDefinition<_callengine_models_v1_SpeechChange, _callengine_models_v1_SpeechChange__Output>
        SynthesizeOpen: MessageTypeDefinition<_callengine_models_v1_SynthesizeOpen, _callengine_models_v1_SynthesizeOpen__Output>
        SynthesizeRequest: MessageTypeDefinition<_callengine_models_v1_SynthesizeRequest, _callengine_models_v1_SynthesizeRequest__Output>
        SynthesizeResponse: MessageTypeDefinition<_callengine_models_v1_SynthesizeResponse, _callengine_models_v1_SynthesizeResponse__Output>
        SynthesizerDescription: MessageTypeDefinition<_callengine_models_v1_SynthesizerDescription, _callengine_models_v1_SynthesizerDescription__Output>
        Tool: MessageTypeDefinition<_callengine_models_v1_Tool, _callengine_models_v1_Tool__Output>
        ToolCall: MessageTypeDefinition<_callengine_models_v1_ToolCall, _callengine_models_v1_ToolCall__Output>
        TranscribeOpen: MessageTypeDefinition<_callengine_models_v1_TranscribeOpen, _callengine_models_v1_TranscribeOpen__Output>
        TranscribeRequest: MessageTypeDefinition<_callengine_models_v1_TranscribeRequest, _callengine_models_v1_TranscribeRequest__Output>
        TranscribeResponse: MessageTypeDefinition<_callengine_models_v1_TranscribeResponse, _callengine_models_v1_TranscribeResponse__Output>
        TranscriberDescription: MessageTypeDefinition<_callengine_models_v1_TranscriberDescription, _callengine_models_v1_TranscriberDescription__Output>
        Transcript: MessageTypeDefinition<_callengine_models_v1_Transcript, _callengine_models_v1_Transcript__Output>
        TurnDetectorDescription: MessageTypeDefinition<_callengine_models_v1_TurnDetectorDescription, _callengine_models_v1_TurnDetectorDescription__Output>
        TurnJudgement: MessageTypeDefinition<_callengine_models_v1_TurnJudgement, _callengine_models_v1_TurnJudgement__Output>
        Voice: MessageTypeDefinition<_callengine_models_v1_Voice, _callengine_models_v1_Voice__Output>
        Word: MessageTypeDefinition<_callengine_models_v1_Word, _callengine_models_v1_Word__Output>
      }
    }
  }
}

