import type { LanguageModel } from "../ports/language-model.ts";
import type { SpeechSynthesizer } from "../ports/synthesizer.ts";
import type { Transcriber } from "../ports/transcriber.ts";
import type { TurnDetector } from "../ports/turn-detector.ts";

/** What a model server puts within reach of others; what is absent or empty it does not offer. */
export type ServedEngines = Readonly<{
  transcriber?: Transcriber | undefined;
  synthesizers: readonly SpeechSynthesizer[];
  turnDetector?: TurnDetector | undefined;
  models: readonly LanguageModel[];
}>;

/** Voices of a server stand in one list with those of whoever uses it, who may run the same engine. */
export const VOICE_PREFIX = "server-";
