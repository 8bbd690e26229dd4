// Original file: callengine/models/v1/models.proto

import type { SynthesizeOpen as _callengine_models_v1_SynthesizeOpen, SynthesizeOpen__Output as _callengine_models_v1_SynthesizeOpen__Output } from '../../../callengine/models/v1/SynthesizeOpen.ts';

export interface SynthesizeRequest {
  'open'?: (_callengine_models_v1_SynthesizeOpen | null);
  /**
   * A clause or a sentence, in order, up to 4000 characters; may be blank or hold nothing that can be spoken. Pieces belong together
   * as one text, with a space between them.
   */
  'piece'?: (string);
  'request'?: "open"|"piece";
}

export interface SynthesizeRequest__Output {
  'open'?: (_callengine_models_v1_SynthesizeOpen__Output | null);
  /**
   * A clause or a sentence, in order, up to 4000 characters; may be blank or hold nothing that can be spoken. Pieces belong together
   * as one text, with a space between them.
   */
  'piece'?: (string);
  'request'?: "open"|"piece";
}
