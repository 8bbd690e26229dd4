// Original file: callengine/models/v1/models.proto

import type { TranscriberDescription as _callengine_models_v1_TranscriberDescription, TranscriberDescription__Output as _callengine_models_v1_TranscriberDescription__Output } from '../../../callengine/models/v1/TranscriberDescription.ts';
import type { SynthesizerDescription as _callengine_models_v1_SynthesizerDescription, SynthesizerDescription__Output as _callengine_models_v1_SynthesizerDescription__Output } from '../../../callengine/models/v1/SynthesizerDescription.ts';
import type { TurnDetectorDescription as _callengine_models_v1_TurnDetectorDescription, TurnDetectorDescription__Output as _callengine_models_v1_TurnDetectorDescription__Output } from '../../../callengine/models/v1/TurnDetectorDescription.ts';
import type { GeneratorDescription as _callengine_models_v1_GeneratorDescription, GeneratorDescription__Output as _callengine_models_v1_GeneratorDescription__Output } from '../../../callengine/models/v1/GeneratorDescription.ts';

export interface DescribeResponse {
  /**
   * Name of the server or its models, for people: "whisper on gpu-3".
   */
  'name'?: (string);
  /**
   * Unset: Transcribe is not implemented.
   */
  'transcriber'?: (_callengine_models_v1_TranscriberDescription | null);
  /**
   * Unset: Synthesize is not implemented.
   */
  'synthesizer'?: (_callengine_models_v1_SynthesizerDescription | null);
  /**
   * Unset: DetectTurn is not implemented.
   */
  'turnDetector'?: (_callengine_models_v1_TurnDetectorDescription | null);
  /**
   * Unset: Generate is not implemented.
   */
  'generator'?: (_callengine_models_v1_GeneratorDescription | null);
}

export interface DescribeResponse__Output {
  /**
   * Name of the server or its models, for people: "whisper on gpu-3".
   */
  'name': (string);
  /**
   * Unset: Transcribe is not implemented.
   */
  'transcriber': (_callengine_models_v1_TranscriberDescription__Output | null);
  /**
   * Unset: Synthesize is not implemented.
   */
  'synthesizer': (_callengine_models_v1_SynthesizerDescription__Output | null);
  /**
   * Unset: DetectTurn is not implemented.
   */
  'turnDetector': (_callengine_models_v1_TurnDetectorDescription__Output | null);
  /**
   * Unset: Generate is not implemented.
   */
  'generator': (_callengine_models_v1_GeneratorDescription__Output | null);
}
